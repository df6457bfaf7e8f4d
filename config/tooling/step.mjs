import process from "node:process";
import { stripVTControlCharacters } from "node:util";

const width = 78;
const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
/** In a pipe, a step that lasts says so this often. */
const reminderMs = 15_000;

/**
 * Shows one step while `work` runs, and how long it took: a line that moves on a terminal, plain lines in a pipe.
 *
 * @template T
 * @param {string} label
 * @param {(progress: (line: string) => void) => Promise<T>} work takes a function that it tells how far it is
 * @param {{ isTTY?: boolean, write(text: string): unknown }} output
 * @returns {Promise<T>}
 */
export async function showStep(label, work, output = process.stdout) {
  const start = performance.now();
  const elapsed = () => performance.now() - start;
  let detail = "";
  let frame = 0;
  const terminal = output.isTTY === true;
  const draw = () => {
    const mark = paint("cyan", frames[frame++ % frames.length], output);
    output.write(`\r\x1b[2K${stepLine(mark, label, elapsed(), detail)}`);
  };
  const remind = () => output.write(`${stepLine("…", label, elapsed(), detail)}\n`);
  const timer = terminal ? setInterval(draw, 100) : setInterval(remind, reminderMs);
  const end = (mark) => {
    clearInterval(timer);
    output.write(`${terminal ? "\r\x1b[2K" : ""}${stepLine(mark, label, elapsed())}\n`);
  };
  try {
    const result = await work((line) => {
      detail = stripVTControlCharacters(line);
    });
    end(paint("green", "✓", output));
    return result;
  } catch (error) {
    end(paint("red", "✗", output));
    throw error;
  }
}

/** `mark` is one column wide, whatever escape sequences it carries. */
export function stepLine(mark, label, elapsedMs, detail = "") {
  const time = formatElapsed(elapsedMs);
  const room = width - 2 - time.length - 1;
  const text = detail === "" ? label : `${label}: ${detail}`;
  return `${mark} ${cut(text, room).padEnd(room)} ${time}`;
}

/** @param {number} ms */
export function formatElapsed(ms) {
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${String(Math.floor(seconds % 60)).padStart(2, "0")} s`;
}

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 };

/**
 * Coloured where `output` is a terminal that wants colour; the plain text elsewhere.
 *
 * @param {keyof typeof codes} style
 * @param {string} text
 * @param {{ isTTY?: boolean }} output
 */
export function paint(style, text, output = process.stdout) {
  return output.isTTY === true && !process.env.NO_COLOR ? `\x1b[${codes[style]}m${text}\x1b[0m` : text;
}

function cut(text, room) {
  return text.length <= room ? text : `${text.slice(0, room - 1)}…`;
}
