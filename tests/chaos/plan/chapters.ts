import { MODEL_OUTAGES } from "./faults.ts";
import type { Fault, NodeName } from "./faults.ts";

/** One server; three masters with four shards; two servers that are a shard each; a primary and its replica. */
export type Topology = "standalone" | "cluster" | "shards" | "replicated";

/** Mix of kinds of tasks: see `task.ts`. */
export type TaskMix = "usual" | "poison";

/** One kind of run of the suite: a deployment and its faults. */
export interface Chapter {
  readonly topology: Topology;
  /** Setting of the processes under test about Redis. `durable` syncs each write to the disk. */
  readonly durability: "fast" | "durable" | "replicated";
  readonly deck: DeckName;
  readonly mix: TaskMix;
  /** `SUTURE_CRASHES_MAX`. Where faults kill, a plain task must come through however often it was at hand. */
  readonly crashesMax: number;
  /** Its part of a long run's time. */
  readonly share: number;
}

const ORDINARY = {
  topology: "standalone",
  durability: "fast",
  deck: "everyday",
  mix: "usual",
  crashesMax: 100,
} as const;

/** The chapters of a long run, in their order. */
export const CHAPTERS = {
  everyday: { ...ORDINARY, share: 4 },
  /** The same with `appendfsync always`: a full disk ends Redis instead of letting it answer. */
  durable: { ...ORDINARY, durability: "durable", share: 2 },
  /** Clocks of workers jump by two hours while they work, and are two hours off when they start. */
  clock: { ...ORDINARY, deck: "clock", share: 1 },
  /** Two releases at work side by side, the newer with another envelope and other contracts. */
  upgrade: { ...ORDINARY, deck: "upgrade", share: 2 },
  poison: { ...ORDINARY, deck: "poison", mix: "poison", crashesMax: 3, share: 2 },
  cluster: { ...ORDINARY, topology: "cluster", deck: "cluster", share: 3 },
  shards: { ...ORDINARY, topology: "shards", deck: "shards", share: 2 },
  /** A replica takes over without having everything, and an accept waits for it: every 202 must be there. */
  confirmed: { ...ORDINARY, topology: "replicated", durability: "replicated", deck: "failover", share: 2 },
} as const satisfies Readonly<Record<string, Chapter>>;

export type ChapterName = keyof typeof CHAPTERS;

// The keys of the table are its names.
export const CHAPTER_NAMES = Object.keys(CHAPTERS) as readonly ChapterName[];

/** Bounds of a duration, in ms. */
interface Span {
  readonly min: number;
  readonly max: number;
}

/** A fault without its time: what is dealt. */
type Card = Fault extends infer One
  ? One extends Fault
    ? Omit<One, "atMs" | "durationMs"> & { readonly lasts: Span }
    : never
  : never;

const AT_ONCE: Span = { min: 0, max: 0 };
const MOMENT: Span = { min: 300, max: 800 };
const WHILE: Span = { min: 1000, max: 2500 };
/** Once a run: agents that wait for a model, or for Redis, ask nothing outside. */
const UNTIL_ASKED: Span = { min: 3000, max: 6000 };
/** Longer than a lock lives, and shorter than a client waits. */
const ZOMBIE: Span = { min: 2500, max: 3200 };
/** A zombie of this length is certain; the process blocks itself for just as long, in ms. */
export const BLOCK_MS = 2600;
/** Long enough for a process to come up and be at work. */
const RELEASE: Span = { min: 5000, max: 9000 };

const AGENTS = ["agents-1", "agents-2"] as const;

/** The process ends, stands still, or is torn from the work in its hands. */
const SERVICE_CARDS: readonly Card[] = [
  { kind: "kill", target: "agents-1", lasts: AT_ONCE },
  { kind: "kill", target: "agents-2", lasts: AT_ONCE },
  { kind: "kill", target: "gateway", lasts: AT_ONCE },
  { kind: "kill", target: "surgeon", lasts: AT_ONCE },
  { kind: "slow_kill", target: "agents-1", lasts: { min: 1500, max: 2500 } },
  { kind: "slow_kill", target: "agents-2", lasts: { min: 1500, max: 2500 } },
  ...AGENTS.map((target) => ({ kind: "pause", target, lasts: ZOMBIE }) as const),
  { kind: "pause", target: "gateway", lasts: { min: 500, max: 1500 } },
  { kind: "pause", target: "surgeon", lasts: ZOMBIE },
  { kind: "block", target: "agents-1", lasts: { min: BLOCK_MS, max: BLOCK_MS } },
];

const REDIS_CARDS: readonly Card[] = [
  { kind: "redis_kill", target: "redis", lasts: { min: 300, max: 1200 } },
  { kind: "redis_pause", target: "redis", lasts: { min: 500, max: 1500 } },
  { kind: "redis_full", target: "redis", lasts: { min: 500, max: 1200 } },
  { kind: "disk_full", target: "redis", lasts: { min: 1500, max: 3000 } },
];

/** Executed, and nobody knows: on every link that there is. */
const REPLY_LOST_CARDS: readonly Card[] = (
  [
    "client-gateway",
    "gateway-redis",
    "agents-1-redis",
    "agents-2-redis",
    "surgeon-redis",
    "agents-outside",
  ] as const
).map((target) => {
  const lasts = target === "agents-outside" ? UNTIL_ASKED : MOMENT;
  return { kind: "link", target, mode: "lose_reply", lasts };
});

const LINK_CARDS: readonly Card[] = [
  ...REPLY_LOST_CARDS,
  { kind: "link", target: "agents-1-redis", mode: "swallow_replies", lasts: WHILE },
  { kind: "link", target: "agents-2-redis", mode: "swallow_requests", lasts: WHILE },
  { kind: "link", target: "agents-2-redis", mode: "cut_after", lasts: MOMENT },
  { kind: "link", target: "agents-outside", mode: "cut_after", lasts: UNTIL_ASKED },
  { kind: "link", target: "surgeon-redis", mode: "refuse", lasts: MOMENT },
  { kind: "link", target: "gateway-redis", mode: "delay", lasts: MOMENT },
];

const QUEUE_CARDS: readonly Card[] = [
  { kind: "forge", target: "chaos-intake", lasts: AT_ONCE },
  { kind: "forge", target: "chaos-appraise", lasts: AT_ONCE },
  { kind: "forge", target: "chaos-sum", lasts: AT_ONCE },
];

/** Seconds: far more than the deliveries that a message has, at the pace of this suite. */
const MODEL_OUTAGE: Span = { min: 3000, max: 6000 };
const MODEL_CARDS: readonly Card[] = MODEL_OUTAGES.map((how) => ({
  kind: "model_outage",
  target: "model",
  how,
  lasts: MODEL_OUTAGE,
}));

/** Faults that only a long run has time for. */
const LONG_CARDS: readonly Card[] = [
  { kind: "redis_kill", target: "redis", lasts: { min: 5000, max: 40_000 } },
  { kind: "redis_pause", target: "redis", lasts: { min: 3000, max: 15_000 } },
  { kind: "redis_full", target: "redis", lasts: { min: 3000, max: 15_000 } },
  { kind: "disk_full", target: "redis", lasts: { min: 3000, max: 15_000 } },
  { kind: "link", target: "gateway-redis", mode: "swallow_replies", lasts: { min: 3000, max: 10_000 } },
  { kind: "link", target: "agents-1-redis", mode: "refuse", lasts: { min: 3000, max: 10_000 } },
  { kind: "link", target: "surgeon-redis", mode: "swallow_replies", lasts: { min: 3000, max: 10_000 } },
  { kind: "pause", target: "agents-1", lasts: { min: 8000, max: 20_000 } },
  { kind: "model_outage", target: "model", how: "503", lasts: { min: 15_000, max: 40_000 } },
];

const CLOCK_CARDS: readonly Card[] = [
  { kind: "clock_ahead", target: "agents-1", lasts: { min: 2000, max: 6000 } },
  { kind: "clock_back", target: "agents-2", lasts: { min: 2000, max: 6000 } },
  { kind: "skewed_start", target: "agents-2", lasts: { min: 2500, max: 4000 } },
];

const UPGRADE_CARDS: readonly Card[] = (
  ["agents-1", "agents-2", "agents-1", "agents-2", "gateway"] as const
).map((target) => ({ kind: "upgrade", target, lasts: RELEASE }));

const POISON_CARDS: readonly Card[] = [
  ...QUEUE_CARDS,
  { kind: "corrupt", target: "chaos-intake", lasts: { min: 2000, max: 2000 } },
  { kind: "corrupt", target: "chaos-appraise", lasts: { min: 2000, max: 2000 } },
  { kind: "corrupt", target: "chaos-report", lasts: { min: 2000, max: 2000 } },
];

/** Troubles of one of several servers, and of every client's way to it. */
function nodeCards(target: Exclude<NodeName, "redis">): readonly Card[] {
  const link = `clients-${target}` as const;
  return [
    { kind: "redis_kill", target, lasts: { min: 300, max: 1500 } },
    { kind: "redis_pause", target, lasts: { min: 500, max: 2000 } },
    { kind: "redis_full", target, lasts: { min: 500, max: 1200 } },
    { kind: "link", target: link, mode: "lose_reply", lasts: MOMENT },
    { kind: "link", target: link, mode: "refuse", lasts: MOMENT },
    { kind: "link", target: link, mode: "swallow_replies", lasts: WHILE },
    { kind: "link", target: link, mode: "cut_after", lasts: MOMENT },
  ];
}

const SHARD_CARDS: readonly Card[] = [...nodeCards("node-a"), ...nodeCards("node-b")];

const CLUSTER_CARDS: readonly Card[] = [
  ...SHARD_CARDS,
  ...nodeCards("node-c"),
  { kind: "slot_move", target: "chaos-appraise", lasts: { min: 300, max: 600 } },
  { kind: "slot_move", target: "chaos-intake", lasts: { min: 300, max: 600 } },
  { kind: "slot_move", target: "chaos-sum", lasts: { min: 300, max: 600 } },
];

const FAILOVER_CARDS: readonly Card[] = [
  { kind: "failover", target: "redis", lasts: { min: 800, max: 2500 } },
  { kind: "failover", target: "redis", lasts: { min: 0, max: 200 } },
  { kind: "link", target: "replica-primary", mode: "refuse", lasts: { min: 1000, max: 3000 } },
  { kind: "link", target: "replica-primary", mode: "delay", lasts: { min: 1000, max: 3000 } },
  { kind: "kill", target: "agents-1", lasts: AT_ONCE },
  { kind: "pause", target: "agents-2", lasts: ZOMBIE },
  { kind: "kill", target: "gateway", lasts: AT_ONCE },
  { kind: "link", target: "gateway-redis", mode: "lose_reply", lasts: MOMENT },
  { kind: "link", target: "agents-1-redis", mode: "lose_reply", lasts: MOMENT },
];

/** Cards of one length of run; long ones also have outages of many seconds. */
interface Deck {
  readonly always: readonly Card[];
  readonly whenLong: readonly Card[];
}

const SOME_SERVICE_CARDS = SERVICE_CARDS.filter(({ kind }) => kind === "kill" || kind === "pause");

/** Decks by their names. */
export const DECKS = {
  everyday: {
    always: [...SERVICE_CARDS, ...REDIS_CARDS, ...LINK_CARDS, ...QUEUE_CARDS, ...MODEL_CARDS],
    whenLong: LONG_CARDS,
  },
  clock: { always: [...CLOCK_CARDS, ...SOME_SERVICE_CARDS], whenLong: [] },
  upgrade: { always: [...UPGRADE_CARDS, ...SOME_SERVICE_CARDS, ...REPLY_LOST_CARDS], whenLong: [] },
  poison: { always: POISON_CARDS, whenLong: [] },
  cluster: {
    always: [...CLUSTER_CARDS, ...SOME_SERVICE_CARDS, ...QUEUE_CARDS, ...MODEL_CARDS],
    whenLong: [],
  },
  shards: {
    always: [...SHARD_CARDS, ...SOME_SERVICE_CARDS, ...QUEUE_CARDS, ...MODEL_CARDS],
    whenLong: [{ kind: "redis_kill", target: "node-b", lasts: { min: 5000, max: 40_000 } }],
  },
  failover: { always: FAILOVER_CARDS, whenLong: [] },
} as const satisfies Readonly<Record<string, Deck>>;

export type DeckName = keyof typeof DECKS;
