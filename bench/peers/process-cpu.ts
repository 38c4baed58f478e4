import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import type { Server } from "./server.ts";

/** Of /proc on every Linux that Node runs on. */
const TICK_MS = 10;

interface ProcessTimes {
  readonly parent: number;
  /** Its own, in ms. */
  readonly ownMs: number;
  /** Of its children that have ended, in ms. */
  readonly endedChildrenMs: number;
}

/** CPU time of a process and its children, ended ones included, in ms; NaN on other systems than Linux. */
export function readTreeCpuMs(pid: number): number {
  const root = readTimes(pid);
  if (root === null) return Number.NaN;
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readTimes(Number(name)))
    .filter((times) => times !== null)
    .filter(({ parent }) => parent === pid);
  return children.reduce((total, { ownMs }) => total + ownMs, root.ownMs + root.endedChildrenMs);
}

/** Counts the CPU time of a server that is a child process of this one. */
export function countTreeCpu({ pid = 0 }: ChildProcess): Server["count"] {
  return async () => {
    const before = readTreeCpuMs(pid);
    return async () => ({ cpuMs: readTreeCpuMs(pid) - before });
  };
}

function readTimes(pid: number): ProcessTimes | null {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    // It has ended, or there is no /proc.
    return null;
  }
}

/** Reads a line of /proc/PID/stat. The name may hold spaces and brackets, so that fields count from its end. */
export function parseStat(line: string): ProcessTimes {
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  const ticks = (index: number): number => Number(fields[index]) * TICK_MS;
  return {
    parent: Number(fields[1]),
    ownMs: ticks(11) + ticks(12),
    endedChildrenMs: ticks(13) + ticks(14),
  };
}
