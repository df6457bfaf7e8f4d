const newline = 0x0a;

/** Puts the lines of a stream of bytes together; a line, or a character in it, may be cut anywhere, and be of any length. */
export class LineSplitter {
  #rest: Buffer[] = [];

  /** Whether the end of a line is yet to come. */
  get isWithinLine(): boolean {
    return this.#rest.length > 0;
  }

  /** The lines that this chunk completes, without their ends. */
  *push(chunk: Buffer): Generator<string> {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const line = chunk.subarray(start, end);
      start = end + 1;
      if (this.#rest.length === 0) {
        yield line.toString();
        continue;
      }
      const parts = [...this.#rest, line];
      this.#rest = [];
      yield Buffer.concat(parts).toString();
    }
    if (start < chunk.length) this.#rest.push(chunk.subarray(start));
  }
}
