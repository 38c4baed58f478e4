import { drawInteger, shuffle } from "./draw.ts";
import type { LinkMode } from "./tcp-proxy.ts";

/** Processes under test. Each of the two `agents` works for all three agents. */
export const SERVICE_NAMES = ["agents-1", "agents-2", "gateway", "surgeon"] as const;

export type ServiceName = (typeof SERVICE_NAMES)[number];

/** Connections that go through a proxy of ours, client first. */
export const LINK_NAMES = [
  "client-gateway",
  "gateway-redis",
  "agents-1-redis",
  "agents-2-redis",
  "surgeon-redis",
  "agents-outside",
] as const;

export type LinkName = (typeof LINK_NAMES)[number];

export type Fault = { readonly atMs: number; readonly durationMs: number } & (
  | { readonly kind: "kill" | "pause"; readonly target: ServiceName }
  /** Its way to Redis is slow for a while, then it dies: most likely between two steps that are a moment apart else. */
  | { readonly kind: "slow_kill"; readonly target: "agents-1" | "agents-2" }
  /** The event loop of an agents' process stands still. */
  | { readonly kind: "block"; readonly target: "agents-1" | "agents-2" }
  /** The clock of an agents' process is two hours off while it works. */
  | { readonly kind: "clock_ahead" | "clock_back"; readonly target: "agents-1" | "agents-2" }
  /** `redis_kill`: away for the duration; `redis_full`: at its memory limit, so that it refuses writes. */
  | { readonly kind: "redis_kill" | "redis_pause" | "redis_full"; readonly target: "redis" }
  | { readonly kind: "link"; readonly target: LinkName; readonly mode: LinkMode }
);

/** A fault without its time: what is dealt. */
type Card = Fault extends infer One
  ? One extends Fault
    ? Omit<One, "atMs" | "durationMs"> & Span
    : never
  : never;

interface Span {
  /** Bounds of the duration, in ms. */
  readonly lasts: { readonly min: number; readonly max: number };
}

const MOMENT: Span["lasts"] = { min: 300, max: 800 };
/** Longer than a lock lives, and shorter than a client waits. */
const ZOMBIE = { min: 2500, max: 3200 };
/** A zombie of this length is certain; the process blocks itself for just as long. */
export const BLOCK_MS = 2600;

const CARDS: readonly Card[] = [
  { kind: "kill", target: "agents-1", lasts: { min: 0, max: 0 } },
  { kind: "kill", target: "agents-2", lasts: { min: 0, max: 0 } },
  { kind: "kill", target: "gateway", lasts: { min: 0, max: 0 } },
  { kind: "kill", target: "surgeon", lasts: { min: 0, max: 0 } },
  { kind: "slow_kill", target: "agents-1", lasts: { min: 1500, max: 2500 } },
  { kind: "slow_kill", target: "agents-2", lasts: { min: 1500, max: 2500 } },
  { kind: "pause", target: "agents-1", lasts: ZOMBIE },
  { kind: "pause", target: "agents-2", lasts: ZOMBIE },
  { kind: "pause", target: "gateway", lasts: { min: 500, max: 1500 } },
  { kind: "pause", target: "surgeon", lasts: ZOMBIE },
  { kind: "block", target: "agents-1", lasts: { min: BLOCK_MS, max: BLOCK_MS } },
  { kind: "redis_kill", target: "redis", lasts: { min: 300, max: 1200 } },
  { kind: "redis_pause", target: "redis", lasts: { min: 500, max: 1500 } },
  { kind: "redis_full", target: "redis", lasts: { min: 500, max: 1200 } },
  { kind: "link", target: "client-gateway", mode: "lose_reply", lasts: MOMENT },
  { kind: "link", target: "gateway-redis", mode: "lose_reply", lasts: MOMENT },
  { kind: "link", target: "agents-1-redis", mode: "swallow_replies", lasts: { min: 1000, max: 2500 } },
  { kind: "link", target: "agents-2-redis", mode: "swallow_requests", lasts: { min: 1000, max: 2500 } },
  { kind: "link", target: "agents-1-redis", mode: "lose_reply", lasts: MOMENT },
  { kind: "link", target: "agents-2-redis", mode: "cut_after", lasts: MOMENT },
  { kind: "link", target: "surgeon-redis", mode: "refuse", lasts: MOMENT },
  { kind: "link", target: "agents-outside", mode: "lose_reply", lasts: MOMENT },
  { kind: "link", target: "gateway-redis", mode: "delay", lasts: MOMENT },
];

/** What only a long run has time for. */
const LONG_CARDS: readonly Card[] = [
  { kind: "redis_kill", target: "redis", lasts: { min: 5000, max: 40_000 } },
  { kind: "redis_pause", target: "redis", lasts: { min: 3000, max: 15_000 } },
  { kind: "redis_full", target: "redis", lasts: { min: 3000, max: 15_000 } },
  { kind: "link", target: "gateway-redis", mode: "swallow_replies", lasts: { min: 3000, max: 10_000 } },
  { kind: "link", target: "agents-1-redis", mode: "refuse", lasts: { min: 3000, max: 10_000 } },
  { kind: "link", target: "surgeon-redis", mode: "swallow_replies", lasts: { min: 3000, max: 10_000 } },
  { kind: "pause", target: "agents-1", lasts: { min: 8000, max: 20_000 } },
];

/** From this on a fault is an outage that everybody has to sit through. */
const OUTAGE_MS = 3500;

/** Asked for by name alone: see the README for what is known to go wrong. */
const CLOCK_CARDS: readonly Card[] = [
  { kind: "clock_ahead", target: "agents-1", lasts: { min: 2000, max: 6000 } },
  { kind: "clock_back", target: "agents-2", lasts: { min: 2000, max: 6000 } },
];

/** What a victim needs before it can feel the next fault: a process to come up, clients to reconnect. */
const RECOVERY_MS: Readonly<Record<Fault["kind"], number>> = {
  kill: 3500,
  slow_kill: 3500,
  pause: 1000,
  block: 1000,
  clock_ahead: 0,
  clock_back: 0,
  redis_kill: 2500,
  redis_pause: 1000,
  redis_full: 1000,
  link: 1000,
};

/** Who feels it: a process feels the faults of its own link to Redis, which strike nobody while it is down. */
function victimOf(target: Fault["target"]): string {
  return SERVICE_NAMES.find((name) => target === `${name}-redis`) ?? target;
}

export interface PlanOptions {
  readonly seed: number;
  /** Faults begin within this time; the last may end later. */
  readonly lengthMs: number;
  /** Bounds of the time from one fault's begin to the next one's. */
  readonly gapMs: { readonly min: number; readonly max: number };
  /** Also outages of many seconds. */
  readonly isLong: boolean;
  /** Also clocks that are two hours off. Default false. */
  readonly hasClockFaults?: boolean;
}

/**
 * The whole plan of faults, decided by the seed: decks of every card, each dealt in another order. Faults overlap; two
 * of one victim do not. Sorted by time.
 */
export function planFaults({ seed, lengthMs, gapMs, isLong, hasClockFaults = false }: PlanOptions): Fault[] {
  const faults: Fault[] = [];
  const freeAtMs = new Map<string, number>();
  const cards = [...CARDS, ...(isLong ? LONG_CARDS : []), ...(hasClockFaults ? CLOCK_CARDS : [])];
  let atMs = 0;
  for (let deck = 0; atMs < lengthMs; deck += 1) {
    for (const [index, { lasts, ...card }] of shuffle(cards, seed, "deck", deck).entries()) {
      atMs += drawInteger(gapMs, seed, "gap", deck, index);
      const durationMs = drawInteger(lasts, seed, "lasts", deck, index);
      const victim = victimOf(card.target);
      const beginsAtMs = Math.max(atMs, freeAtMs.get(victim) ?? 0);
      if (beginsAtMs >= lengthMs) continue;
      freeAtMs.set(victim, beginsAtMs + durationMs + RECOVERY_MS[card.kind]);
      faults.push({ ...card, atMs: beginsAtMs, durationMs });
      // What goes on for long is let pass: on top of it, most other faults would strike nobody.
      if (durationMs >= OUTAGE_MS) atMs = Math.max(atMs, beginsAtMs + durationMs);
    }
  }
  return faults.toSorted((a, b) => a.atMs - b.atMs);
}

/** One word or three for a fault, as the report counts them. */
export function nameOf(fault: Fault): string {
  return fault.kind === "link" ? `link ${fault.mode} ${fault.target}` : `${fault.kind} ${fault.target}`;
}
