import { Session } from "node:inspector/promises";
import type { Profiler } from "node:inspector/promises";

/** CPU time that one function took itself, its callees not counted. */
export interface SelfTime {
  /** Room of ours, package, or part of Node, see `partOf`. */
  readonly part: string;
  readonly name: string;
  readonly ms: number;
}

const ROOT = new URL("../../", import.meta.url).href;

const SAMPLE_EVERY_US = 500;

/** Takes a CPU profile of this process. */
export class CpuProfiler {
  #session: Session | undefined;

  async start(): Promise<void> {
    this.#session = new Session();
    this.#session.connect();
    await this.#session.post("Profiler.enable");
    await this.#session.post("Profiler.setSamplingInterval", { interval: SAMPLE_EVERY_US });
    await this.#session.post("Profiler.start");
  }

  /** @returns what took time since, the dearest first; waiting for work and the profile itself are left out. */
  async stop(): Promise<readonly SelfTime[]> {
    if (this.#session === undefined) throw new Error("the profile was ended before it was begun");
    const { profile } = await this.#session.post("Profiler.stop");
    this.#session.disconnect();
    this.#session = undefined;
    return sumSelfTimes(profile);
  }
}

/** Sums a profile's samples by function. */
export function sumSelfTimes({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): SelfTime[] {
  const microseconds = new Map<number, number>();
  for (const [index, node] of samples.entries()) {
    microseconds.set(node, (microseconds.get(node) ?? 0) + (timeDeltas[index] ?? 0));
  }
  const sums = new Map<string, SelfTime>();
  for (const { id, callFrame } of nodes) {
    const part = partOf(callFrame);
    const name = callFrame.functionName === "" ? "(anonymous)" : callFrame.functionName;
    const ms = (microseconds.get(id) ?? 0) / 1000;
    if (callFrame.functionName === "(idle)" || part === "node:inspector" || ms === 0) continue;
    const key = `${part} ${name}`;
    sums.set(key, { part, name, ms: ms + (sums.get(key)?.ms ?? 0) });
  }
  return [...sums.values()].toSorted((a, b) => b.ms - a.ms);
}

/** The room, package or part of Node that a function belongs to. */
export function partOf({
  url,
  functionName,
}: {
  readonly url: string;
  readonly functionName: string;
}): string {
  const packageName = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (packageName !== undefined) return packageName;
  if (url.startsWith("node:")) return /^node:(?:internal\/)?[^/]+/.exec(url)?.[0] ?? "node";
  if (url.startsWith(ROOT)) return /^(?:shared\/)?[^/]+/.exec(url.slice(ROOT.length))?.[0] ?? "other";
  if (functionName === "(garbage collector)") return "garbage collection";
  if (functionName === "(program)") return "V8 and libuv, outside JavaScript";
  return url === "" ? "native functions" : "other";
}
