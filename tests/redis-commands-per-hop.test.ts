import type { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { startTestSystem } from "#shared/testing";
import { startOwnRedis } from "./support/redis-servers.ts";

const Note = contract("note@1", z.object({ text: z.string() }));
const first = agent("first@1", {
  accepts: Note,
  to: { second: Note },
  handle: (note, ctx) => ctx.handoff("second", note),
});
const second = agent("second@1", {
  accepts: Note,
  to: { third: Note },
  handle: (note, ctx) => ctx.handoff("third", note),
});
const third = agent("third@1", { accepts: Note, handle: (_, ctx) => ctx.complete({ done: true }) });
const chain = team("chain", [first, second, third]);

const RUNS = 60;
/** Fetches in vain and what runs by the clock only add, the more the slower the machine is: the cheapest counts. */
const ROUNDS = 3;
const HOPS = 3;

/** Cost of the hot path now, with a small margin. A change that makes it cheaper should lower these. */
const ROUND_TRIPS_PER_HOP_MAX = { alone: 1.55, grouped: 0.4 } as const;
/** Calls that one script takes. */
const CALLS = { alone: 1, grouped: 16 } as const;
const COMMANDS_PER_HOP_MAX = 36;

interface Counted {
  /** Commands that clients sent and waited for, by name. */
  readonly roundTrips: Map<string, number>;
  /** Commands inside scripts, by name. */
  readonly inScripts: Map<string, number>;
}

/** Counts the commands of the test system's connections: each of theirs names a key of its prefix. */
async function countCommands(
  redis: Redis,
  prefix: string,
): Promise<{ counted: Counted; mark: () => Promise<void> }> {
  const monitor = await redis.monitor();
  onTestFinished(() => monitor.disconnect());
  const counted: Counted = { roundTrips: new Map(), inScripts: new Map() };
  let seen: (() => void) | undefined;
  const endMark = `${prefix}:end of the measured part`;
  monitor.on("monitor", (_time: string, [name = "", ...args]: string[], source: string) => {
    if (args.includes(endMark)) seen?.();
    if (!args.some((arg) => arg.startsWith(`${prefix}:`))) return;
    // By the clock, not by the hop: who is here, and what people have ordered.
    if (/:\{(?:registry|people)\}/.test(args[0] ?? "")) return;
    const counts = source === "lua" ? counted.inScripts : counted.roundTrips;
    counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
  });
  return {
    counted,
    // The feed lags behind: once it tells of the mark, it has told of all before.
    async mark() {
      const marked = new Promise<void>((resolve) => {
        seen = resolve;
      });
      await redis.get(endMark);
      await marked;
    },
  };
}

function perHop(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0) / (RUNS * HOPS);
}

describe("the price of a hop", () => {
  it.each(["alone", "grouped"] as const)("asks Redis no more often than it does today, %s", async (how) => {
    // A server that others use would tell of them too, even before it has said that it is going to.
    const { redis, url } = await startOwnRedis();
    const system = await startTestSystem(chain, {}, { store: { url, groupsWrites: how === "grouped" } });
    await system.run({ text: "scripts are known after this" });
    const { counted, mark } = await countCommands(redis, system.store.keys.prefix);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      counted.roundTrips.clear();
      counted.inScripts.clear();
      const ended = countEnds(system.store, RUNS);
      await Promise.all(
        Array.from({ length: RUNS }, (_, i) => system.submit({ text: `note ${round}.${i}` })),
      );
      await ended;
      await mark();
      const told = JSON.stringify([...counted.roundTrips, ...counted.inScripts]);
      const roundTrips = perHop(counted.roundTrips);
      rounds.push({ roundTrips, inScripts: perHop(counted.inScripts), told });
    }
    const [cheapest] = rounds.toSorted((a, b) => a.roundTrips - b.roundTrips);
    if (cheapest === undefined) throw new Error("no round was counted");
    const { roundTrips, inScripts, told } = cheapest;
    const commands = inScripts + roundTrips;
    expect(roundTrips, told).toBeLessThan(ROUND_TRIPS_PER_HOP_MAX[how]);
    expect(commands, told).toBeLessThan(COMMANDS_PER_HOP_MAX);
    // A hop cannot cost less than its commit and its run's acceptance: below that, something was not counted.
    expect(roundTrips, told).toBeGreaterThan((1 + 1 / HOPS) / CALLS[how]);
    expect(inScripts, told).toBeGreaterThan(roundTrips);
  });
});

/** Resolves after so many runs ended. Listens in this process: asking Redis would be counted. */
function countEnds(store: Awaited<ReturnType<typeof startTestSystem>>["store"], runs: number): Promise<void> {
  const commit = store.ledger.commit.bind(store.ledger);
  let left = runs;
  return new Promise((resolve) => {
    store.ledger.commit = async (hold, request, effects) => {
      const committed = await commit(hold, request, effects);
      left -= (request.effects?.changes ?? []).filter(({ event }) => event.type === "completed").length;
      if (left === 0) resolve();
      return committed;
    };
  });
}
