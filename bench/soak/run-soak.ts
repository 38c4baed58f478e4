import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import type { Store } from "#shared/store";
import type { RunCounts } from "#shared/store/runs";
import { auditRuns } from "#shared/store/upkeep";
import { findCases } from "#shared/ward";
import { judgePlateau } from "./judge.ts";
import type { Growth } from "./judge.ts";
import { takeSample } from "./sample.ts";
import type { Sample } from "./sample.ts";
import { openSoakSystem } from "./soak-system.ts";
import type { SoakSystem } from "./soak-system.ts";

export interface SoakOptions {
  readonly url: string;
  readonly prefix: string;
  readonly runs: number;
  /** How long ended runs and all that belongs to them is kept, in ms. The plateau is reached one retention in. */
  readonly retentionMs: number;
  readonly finishedJobsMax: number;
  readonly sampleEveryMs: number;
  /** Runs under way at a time, at most. */
  readonly outstanding: number;
  /** Runs begun a second, so that what is kept does not follow the machine's moods. */
  readonly perSecond: number;
  readonly say: (line: string) => void;
  /** Ends the soak with its reason. */
  readonly signal: AbortSignal;
}

export interface SoakReport {
  readonly runs: number;
  readonly retentionMs: number;
  readonly seconds: number;
  readonly counts: RunCounts;
  /** submitted = completed + failed + cancelled + expired + waiting, at every sample. */
  readonly balanced: boolean;
  /** Messages that a run waits for and nobody holds, counted in the middle and at the end. */
  readonly lost: number;
  readonly samples: readonly Sample[];
  readonly growth: readonly Growth[];
  /** Keys by kind one retention after the last run: what is left for ever. */
  readonly left: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

const PACE_MS = 10;
const CLEAN_UP_EVERY_MS = 500;

/**
 * Sends runs of every mood through a whole system while sampling what it holds, waits until all have ended, then one
 * retention longer, and judges: nothing lost, a plateau under load, and nothing of an ended run left in the end.
 */
export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const redis = new Redis(options.url);
  const system = await openSoakSystem({ ...options, retireEveryMs: Math.min(1000, options.retentionMs / 2) });
  const ended = new AbortController();
  const upkeep = repeat(CLEAN_UP_EVERY_MS, ended.signal, () => system.cleanUp());
  const startedMs = performance.now();
  try {
    const { samples, balanced } = await drive(system, redis, options);
    const seconds = (performance.now() - startedMs) / 1000;
    await untilEnded(system.store, options.signal);
    const { lost } = await auditRuns(system.store, (id) => hasCase(system.store, id));
    const counts = await system.store.runs.counts();
    options.say(`All ended after ${Math.round(seconds)} s; waiting for one retention.`);
    const left = await untilForgotten(redis, options);
    const growth = judgePlateau(samples);
    const report = { seconds, counts, balanced, lost: lost.length, samples, growth, left };
    const { runs, retentionMs } = options;
    return { runs, retentionMs, ...report, problems: findProblems(report, options) };
  } finally {
    ended.abort();
    await upkeep;
    await system.close();
    redis.disconnect();
  }
}

/** At a steady pace, as far as the system keeps up: its counters say how much is under way. */
async function drive(
  system: SoakSystem,
  redis: Redis,
  options: SoakOptions,
): Promise<{ samples: Sample[]; balanced: boolean }> {
  const samples: Sample[] = [];
  const startedMs = performance.now();
  let sampledMs = startedMs;
  let balanced = true;
  let begun = 0;
  while (begun < options.runs) {
    options.signal.throwIfAborted();
    const waiting = waitingOf(await system.store.runs.counts());
    const due = Math.floor(((performance.now() - startedMs) / 1000) * options.perSecond) - begun;
    const room = Math.max(0, Math.min(due, options.outstanding - waiting, options.runs - begun));
    await Promise.all(Array.from({ length: room }, (_, n) => system.submit(begun + n)));
    begun += room;
    if (performance.now() - sampledMs >= options.sampleEveryMs) {
      const seconds = (performance.now() - startedMs) / 1000;
      const sample = await takeSample(redis, options.prefix, { seconds, runs: begun });
      samples.push(sample);
      balanced &&= isBalanced(await system.store.runs.counts());
      options.say(describe(sample));
      sampledMs = performance.now();
    }
    await sleep(PACE_MS);
  }
  return { samples, balanced };
}

async function untilEnded(store: Store, signal: AbortSignal): Promise<void> {
  while (waitingOf(await store.runs.counts()) > 0) {
    signal.throwIfAborted();
    await sleep(100);
  }
}

/**
 * Kinds of keys that belong to no run: there is a fixed number of them, for each agent or each minute of two hours.
 * What people decided of a case is remembered by a number for 30 days, so that no decision counts twice.
 */
const FOR_EVER =
  /^(?:\{agent\}:queue:(?:meta|events|marker|completed|stalled-check|id|pc|limiter)|\{ward\}:.*|\{ward\}\/(?:audit|audit-seq|counts|producers|cost:\*|cost-held:\*|batch-leader|circuits|circuit:\*|circuit-window:\*|endpoint:\*|(?:rates|handoffs):[mh]:\*)|\{runs\}\/(?:counts|owners)|\{registry\}\/(?:agents|services|format)|\{recent\}\/case:\*)$/;

/** Upkeep needs a round or two after the last retention; what is still there then, stays. */
async function untilForgotten(redis: Redis, options: SoakOptions): Promise<Readonly<Record<string, number>>> {
  const rounds = Math.ceil((options.retentionMs * 3 + 30_000) / 500);
  let left: Readonly<Record<string, number>> = {};
  for (let round = 0; round < rounds; round += 1) {
    options.signal.throwIfAborted();
    await sleep(500);
    left = (await takeSample(redis, options.prefix, { seconds: 0, runs: 0 })).keysByKind;
    if (Object.keys(left).every((kind) => FOR_EVER.test(kind))) break;
  }
  return left;
}

function findProblems(
  report: Pick<SoakReport, "counts" | "balanced" | "lost" | "growth" | "left">,
  options: SoakOptions,
): string[] {
  const { submitted } = report.counts;
  const flat = report.growth.map(
    ({ what, growth, growthMax, isFlat }) =>
      [
        isFlat,
        `${what} rose by ${percent(growth)} in the last quarter, above ${percent(growthMax)}`,
      ] as const,
  );
  const remains = Object.entries(report.left).filter(([kind]) => !FOR_EVER.test(kind));
  const checks: readonly (readonly [boolean, string])[] = [
    [submitted === options.runs, `${submitted} runs were counted of ${options.runs}`],
    [report.balanced, "the conservation equation did not hold at every sample"],
    [report.lost === 0, `${report.lost} messages are lost`],
    [report.growth.length > 0, "the load was too short to tell of a plateau"],
    ...flat,
    [remains.length === 0, `left after the retention: ${JSON.stringify(Object.fromEntries(remains))}`],
  ];
  return checks.filter(([isGood]) => !isGood).map(([, problem]) => problem);
}

function waitingOf(counts: RunCounts): number {
  return counts.queued + counts.running + counts.in_ward + counts.quarantined;
}

function isBalanced(counts: RunCounts): boolean {
  const { submitted, completed, failed, cancelled, expired } = counts;
  return submitted === completed + failed + cancelled + expired + waitingOf(counts);
}

async function hasCase(store: Store, messageId: string): Promise<boolean> {
  const { cases } = await findCases(store, { filter: { text: messageId }, limit: 1 });
  return cases.length > 0;
}

async function repeat(everyMs: number, signal: AbortSignal, turn: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await turn();
    await sleep(everyMs, undefined, { signal }).catch(() => undefined);
  }
}

function describe({ seconds, runs, redisBytes, keys, members, heapBytes, rssBytes }: Sample): string {
  const mebi = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
  const redis = `Redis ${mebi(redisBytes)}, ${keys} keys, ${members} members`;
  return `${seconds.toFixed(0)} s, ${runs} runs: ${redis}, heap ${mebi(heapBytes)}, RSS ${mebi(rssBytes)}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
