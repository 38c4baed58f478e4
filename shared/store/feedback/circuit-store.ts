import { now, timestamp } from "#shared/clock";
import type { Keys } from "../keys.ts";
import { countMalformed, setCircuit, reportOutputs, WINDOW_STEP_MS } from "../scripts/circuits.ts";
import type { RedisClient } from "../script.ts";
import { producerKey } from "./producer-key.ts";
import type { ProducerOfOutput } from "./producer-key.ts";

/**
 * State of a producer's circuit breaker.
 * - `closed`: at first, after a successful trial, or by a person; leaves when the malformed share reaches the
 *   threshold.
 * - `open`: after that, after a failed trial, or by a person; leaves after the cooldown, or only by a person.
 * - `half_open`: after the cooldown; leaves when the trial is decided.
 */
export const CIRCUIT_STATES = ["closed", "open", "half_open"] as const;

export type CircuitState = (typeof CIRCUIT_STATES)[number];

export interface Circuit {
  /** Plain agent name. */
  readonly agent: string;
  readonly state: CircuitState;
  /** Rises by one with each change. */
  readonly generation: number;
  readonly changed_ms: number;
  /** When an open circuit goes on trial; null if it is not open, or waits for a person. */
  readonly until_ms: number | null;
  /** Who opened it by hand; null if it is automatic. */
  readonly held_by: string | null;
}

/** A circuit with the counts it was last judged by. */
export interface CircuitDetail extends Circuit {
  readonly outputs: number;
  readonly malformed: number;
  /** Reaction while it is open, as the last process of its team declared it. */
  readonly reaction: string;
}

/** Circuit settings, as the team declares them. */
export interface CircuitRule {
  /** Share of malformed outputs at which it opens, above 0 and at most 1. */
  readonly threshold: number;
  /** Minimum outputs in the window before the share is evaluated. */
  readonly outputsMin: number;
  readonly windowMs: number;
  /** Cooldown: time from opening to the trial, in ms. */
  readonly cooldownMs: number;
  /** Number of outputs that decide a trial. */
  readonly trialOutputs: number;
  /** Share of its outputs that a trial counts; below 1 if something else produces the rest meanwhile. */
  readonly countedShare: number;
  /** Shown to people. */
  readonly reaction: string;
}

/** Outputs of one agent since the last report, and the settings to judge them by. */
export interface CircuitReport {
  readonly agent: string;
  readonly rule: CircuitRule;
  /** Well-formed outputs. */
  readonly good: number;
  /** Generation of the circuit when they were counted. */
  readonly generation: number;
}

/** Maximum numbers of stored notices, producers and pairs. */
const NOTICES_MAX = 1000;
const PRODUCERS_MAX = 200;
const PAIRS_MAX = 1000;

const DAY_MS = 86_400_000;
/** Time to live of a circuit that no process reports, in ms. */
const CIRCUIT_LIFE_MS = 7 * DAY_MS;

/** Circuit breakers of producers, kept in Redis. Every change is one script, so that processes cannot disagree. */
export class CircuitStore {
  private readonly redis: RedisClient;
  private readonly keys: Keys;
  private readonly auditLength: number;

  constructor(parts: { redis: RedisClient; keys: Keys; auditLength: number }) {
    this.redis = parts.redis;
    this.keys = parts.keys;
    this.auditLength = parts.auditLength;
  }

  /**
   * Adds well-formed outputs, applies due state changes, and returns all circuits. One script.
   *
   * @param reported.outputs - Counts by producer key.
   * @param reported.handoffs - Counts by pair and result. Default: none.
   */
  async report(reported: {
    readonly by: string;
    readonly outputs: ReadonlyMap<string, number>;
    readonly handoffs?: ReadonlyMap<string, number>;
    readonly circuits: readonly CircuitReport[];
  }): Promise<Circuit[]> {
    const rows = await reportOutputs.run(this.redis, {
      circuits: this.keys.feedback("circuits"),
      ...this.change(reported.by, this.keys.feedback("audit")),
      producersMax: PRODUCERS_MAX,
      pairsMax: PAIRS_MAX,
      circuitLifeMs: CIRCUIT_LIFE_MS,
      outputs: [...reported.outputs].map(([producer, count]) => ({ producer, count })),
      reports: reported.circuits.map(({ agent, rule, good, generation }) => {
        return { ...rule, agent, good, generation, countedShare: String(rule.countedShare) };
      }),
      handoffs: [...(reported.handoffs ?? [])].map(([pair, count]) => ({ pair, count })),
    });
    return reported.circuits.map(({ agent }, i) => toCircuit(agent, rows[i]));
  }

  /**
   * Counts one malformed output.
   *
   * @param made.agent - Plain name of the agent that made it.
   * @param made.point - Point of the message that it came from, as `pointOf` returns.
   */
  async countMalformed(made: {
    readonly producer: ProducerOfOutput;
    readonly agent: string;
    readonly point: number;
  }): Promise<void> {
    await countMalformed.run(this.redis, {
      circuit: this.keys.circuit(made.agent),
      feedbackBase: this.keys.feedback(""),
      nowMs: now(),
      producersMax: PRODUCERS_MAX,
      producer: producerKey(made.producer),
      agent: made.agent,
      point: made.point,
    });
  }

  /**
   * Opens or closes a circuit by hand; an open one then stays open until somebody closes it.
   *
   * @param change.seen - The generation that the person saw. Default: the present one.
   * @returns `stale` if the circuit changed since, `absent` if no process has reported it.
   */
  async set(change: {
    readonly agent: string;
    readonly to: "open" | "closed";
    readonly by: string;
    readonly why: string;
    readonly seen?: number;
  }): Promise<"set" | "stale" | "absent"> {
    return setCircuit.run(this.redis, {
      circuit: this.keys.circuit(change.agent),
      ...this.change(change.by, this.keys.ward("audit")),
      agent: change.agent,
      to: change.to,
      why: change.why,
      seenGeneration: change.seen ?? null,
    });
  }

  /**
   * Returns an agent's counts since `sinceMs`, or since its circuit last changed: what it is judged by next. In steps
   * of 10 s.
   */
  async countedSince(agent: string, sinceMs: number): Promise<{ outputs: number; malformed: number }> {
    const fields = await this.redis.hgetall(this.keys.feedback(`circuit-window:${agent}`));
    let good = 0;
    let malformed = 0;
    for (const [field, text] of Object.entries(fields)) {
      const [side, step] = field.split(":");
      if ((Number(step) + 1) * WINDOW_STEP_MS <= sinceMs) continue;
      if (side === "g") good += Number(text);
      else malformed += Number(text);
    }
    return { outputs: good + malformed, malformed };
  }

  /** Returns every circuit that was reported in the last week, by name. */
  async list(): Promise<CircuitDetail[]> {
    const names = await this.redis.zrange(this.keys.feedback("circuits"), "0", "-1");
    const found = await Promise.all(names.toSorted().map((name) => this.find(name)));
    return found.filter((one) => one !== null);
  }

  async find(agent: string): Promise<CircuitDetail | null> {
    const fields = await this.redis.hgetall(this.keys.circuit(agent));
    if (fields["state"] === undefined) return null;
    const malformed = Number(fields["malformed"] ?? 0);
    return {
      ...toCircuit(agent, {
        state: fields["state"],
        generation: Number(fields["generation"] ?? 0),
        changedMs: Number(fields["changed_ms"] ?? 0),
        untilMs: Number(fields["until_ms"] ?? 0),
        heldBy: fields["held_by"] ?? null,
      }),
      outputs: Number(fields["good"] ?? 0) + malformed,
      malformed,
      reaction: fields["reaction"] ?? "",
    };
  }

  /** Arguments common to every change of a circuit. */
  private change(by: string, auditKey: string) {
    const nowMs = now();
    return {
      feedbackBase: this.keys.feedback(""),
      nowMs,
      nowText: timestamp(nowMs),
      by,
      noticesMax: NOTICES_MAX,
      auditKey,
      auditLength: this.auditLength,
    };
  }
}

interface CircuitRow {
  readonly state: string | null;
  readonly generation: number | null;
  readonly changedMs: number | null;
  readonly untilMs: number | null;
  readonly heldBy: string | null;
}

function toCircuit(agent: string, row?: CircuitRow): Circuit {
  const { state, generation, changedMs, untilMs, heldBy } = row ?? {};
  return {
    agent,
    state: CIRCUIT_STATES.find((one) => one === state) ?? "closed",
    generation: generation ?? 0,
    changed_ms: changedMs ?? 0,
    until_ms: (untilMs ?? 0) > 0 ? (untilMs ?? null) : null,
    held_by: heldBy === "" ? null : (heldBy ?? null),
  };
}
