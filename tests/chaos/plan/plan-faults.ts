import { drawInteger, shuffle } from "../draw.ts";
import { DECKS } from "./chapters.ts";
import type { DeckName } from "./chapters.ts";
import { SERVICE_NAMES } from "./faults.ts";
import type { Fault } from "./faults.ts";

/** From this on a fault is an outage that everybody has to sit through. */
const OUTAGE_MS = 3500;

/** Long faults during which others strike as well. */
const LEAVES_OTHERS_AT_WORK: readonly Fault["kind"][] = ["upgrade", "model_outage"];

/** Time before a victim can feel the next fault, in ms: a process has to come up, clients reconnect. */
const RECOVERY_MS: Readonly<Record<Fault["kind"], number>> = {
  kill: 3500,
  slow_kill: 3500,
  pause: 1000,
  block: 1000,
  clock_ahead: 0,
  clock_back: 0,
  skewed_start: 3500,
  upgrade: 3500,
  redis_kill: 2500,
  redis_pause: 1000,
  redis_full: 1000,
  disk_full: 2500,
  failover: 5000,
  slot_move: 1000,
  forge: 0,
  corrupt: 0,
  link: 1000,
  model_outage: 4000,
};

/** Returns the victim of a fault: a process feels its own link to Redis, a server the links to it and its slots. */
export function victimOf({ kind, target }: Fault): string {
  if (kind === "slot_move") return "cluster";
  if (kind === "forge" || kind === "corrupt") return `queue ${target}`;
  if (target === "node-a" || target === "node-b" || target.startsWith("clients-node-")) return "cluster";
  if (target === "replica-primary") return "redis";
  return SERVICE_NAMES.find((name) => target === `${name}-redis`) ?? target;
}

export interface PlanOptions {
  readonly seed: number;
  readonly deck: DeckName;
  /** Faults begin within this time; the last may end later. */
  readonly lengthMs: number;
  /** Bounds of the time from one fault's begin to the next one's. */
  readonly gapMs: { readonly min: number; readonly max: number };
  /** Also outages of many seconds. */
  readonly isLong: boolean;
}

/** The whole plan of faults, by the seed: shuffled decks; no two of one victim overlap. Sorted by time. */
export function planFaults({ seed, deck: name, lengthMs, gapMs, isLong }: PlanOptions): Fault[] {
  const faults: Fault[] = [];
  const freeAtMs = new Map<string, number>();
  const { always, whenLong } = DECKS[name];
  const cards = [...always, ...(isLong ? whenLong : [])];
  let atMs = 0;
  for (let deck = 0; atMs < lengthMs; deck += 1) {
    for (const [index, { lasts, ...card }] of shuffle(cards, seed, "deck", deck).entries()) {
      atMs += drawInteger(gapMs, seed, "gap", deck, index);
      const durationMs = drawInteger(lasts, seed, "lasts", deck, index);
      const fault: Fault = { ...card, atMs, durationMs };
      const victim = victimOf(fault);
      const beginsAtMs = Math.max(atMs, freeAtMs.get(victim) ?? 0);
      if (beginsAtMs >= lengthMs) continue;
      freeAtMs.set(victim, beginsAtMs + durationMs + RECOVERY_MS[card.kind]);
      faults.push({ ...fault, atMs: beginsAtMs });
      // A long outage is let pass: on top of it, most other faults would strike nobody.
      if (durationMs >= OUTAGE_MS && !LEAVES_OTHERS_AT_WORK.includes(card.kind))
        atMs = Math.max(atMs, beginsAtMs + durationMs);
    }
  }
  return faults.toSorted((a, b) => a.atMs - b.atMs);
}
