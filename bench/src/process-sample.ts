import { readFileSync } from "node:fs";

/** What a process has used so far, read from Linux's /proc. */
export interface ProcessSample {
  readonly cpuSeconds: number;
  readonly rssMb: number;
  readonly peakRssMb: number;
}

// sysconf(_SC_CLK_TCK): 100 on every Linux that Node runs on.
const ticksPerSecond = 100;

export function sampleProcess(pid: number): ProcessSample {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is the program's name in brackets and may hold blanks; utime and stime are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
    rssMb: megabytes(status, "VmRSS"),
    peakRssMb: megabytes(status, "VmHWM"),
  };
}

function megabytes(status: string, field: string): number {
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1];
  return Number(kilobytes) / 1024;
}
