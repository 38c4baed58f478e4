import type { DeckName } from "./decks.ts";

/** How the Redis under test is laid out: one server, two masters of a cluster, or a primary with its replica. */
export type Topology = "standalone" | "cluster" | "replicated";

/** What tasks are made of: see `task.ts`. */
export type TaskMix = "usual" | "poison";

/** One kind of run of the suite: a deployment and its faults. */
export interface Chapter {
  readonly topology: Topology;
  /** What the processes under test are told of Redis. `durable` syncs each write to the disk. */
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
  /** A replica takes over without having everything, and an accept waits for it: every 202 must be there. */
  confirmed: { ...ORDINARY, topology: "replicated", durability: "replicated", deck: "failover", share: 2 },
} as const satisfies Readonly<Record<string, Chapter>>;

export type ChapterName = keyof typeof CHAPTERS;

// The keys of the table are its names.
export const CHAPTER_NAMES = Object.keys(CHAPTERS) as readonly ChapterName[];
