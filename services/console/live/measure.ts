import { EventEmitter, once } from "node:events";
import { describeAgents } from "#shared/api";
import type { AnswerOf, ConsoleApi, Overview } from "#shared/api";
import { timestamp } from "#shared/clock";
import { TENANT_DEFAULT } from "#shared/config";
import type { Config } from "#shared/config";
import { FairLimit } from "#shared/http/limits";
import type { Team } from "#shared/runtime";
import { every } from "#shared/runtime/process";
import { WARD_QUEUE } from "#shared/store";
import type { Store } from "#shared/store";
import { balance, readAudit } from "#shared/store/upkeep";
import type { Logger } from "#shared/telemetry";
import { TooManyStreamsError } from "../errors.ts";

type Lane = Overview["queues"][number];

/** Parts of a console that are measured. */
export interface Measured {
  readonly store: Store;
  readonly teams: readonly Team[];
  readonly config: Pick<Config, `surgeonCostPer${"Case" | "Hour" | "Group"}`>;
}

/** Limits of the ladder's money: as this process is configured, and the surgeon with it. */
export function surgeryLimitsOf({ config }: Pick<Measured, "config">): Overview["surgery_limits"] {
  const { surgeonCostPerCase, surgeonCostPerHour, surgeonCostPerGroup } = config;
  return {
    cost_per_case: surgeonCostPerCase,
    cost_per_hour: surgeonCostPerHour,
    cost_per_group: surgeonCostPerGroup,
  };
}

export async function measure(console: Measured): Promise<Overview> {
  const { store, teams } = console;
  const [runs, audit, ward, queues, agents, costs] = await Promise.all([
    store.runs.counts(),
    readAudit(store),
    store.cases.counts(),
    measureQueues(console),
    store.registry.live(),
    measureCosts(console),
  ]);
  return {
    at: timestamp(),
    equation: balance(runs, audit),
    runs,
    ward,
    queues,
    agents: describeAgents(teams, agents),
    surgery_limits: costs.limits,
    surgery_held: costs.held,
  };
}

/** Every lane there is: two for each agent of the loaded teams, and the surgeon's. */
export function lanesOf(teams: readonly Team[]): Pick<Lane, "agent" | "lane">[] {
  const agents = [...new Set(teams.flatMap((team) => [...team.agents.keys()]))];
  const lanes = ["fresh", "retry"] as const;
  const own = agents.flatMap((agent) => lanes.map((lane) => ({ agent, lane })));
  return [...own, { agent: WARD_QUEUE, lane: "ward" }];
}

export function measureQueues({ store, teams }: Pick<Measured, "store" | "teams">): Promise<Lane[]> {
  return Promise.all(
    lanesOf(teams).map(async (one) => ({ ...one, ...(await store.queues.depth(one.agent, one.lane)) })),
  );
}

/** Cost of surgery, in USD. */
type Costs = AnswerOf<ConsoleApi["showCosts"]>;

const MICRO = 1_000_000;

export async function measureCosts(console: Pick<Measured, "store" | "config">): Promise<Costs> {
  const { costs } = console.store.cases;
  const limits = surgeryLimitsOf(console);
  const [micro, reached] = await Promise.all([costs.lastHours(), costs.heldThisHour()]);
  const hours = micro.map((one) => one / MICRO);
  const spent = hours.at(-1) ?? 0;
  const left = Math.max(0, limits.cost_per_hour - spent);
  // A limit that has been raised since holds nothing back.
  const isHeld = reached !== null && reached.limit_micro >= Math.round(limits.cost_per_hour * MICRO);
  const held = isHeld
    ? { since_ms: reached.since_ms, until_ms: reached.until_ms, refusals: reached.refusals }
    : null;
  return { hours, this_hour: spent, left_this_hour: left, limits, held };
}

/** One update of a watching page. */
interface Tick {
  readonly overview: Overview;
  /** The newest line of the ward's log, as JSON text: every change of every case writes one. */
  readonly lastLine: string;
}

interface LiveParts extends Measured {
  readonly logger: Logger;
  readonly bounds: { readonly tickMs: number; readonly streamsMax: number };
}

/** Looks at the store once a tick for all pages that watch, and never without one. Slow pages miss ticks. */
export class Live {
  private readonly parts: LiveParts;
  private readonly ticks = new EventEmitter().setMaxListeners(0);
  private latest: Tick | null = null;
  private readonly watchers: FairLimit;
  private stopLooking: (() => void) | null = null;

  constructor(parts: LiveParts) {
    this.parts = parts;
    this.watchers = new FairLimit(parts.bounds.streamsMax);
  }

  /** Begins to watch for a key or session. @returns A function that ends it, once. @throws {TooManyStreamsError} */
  enter(name: string): () => void {
    const leave = this.watchers.enter({ name, tenant: TENANT_DEFAULT });
    if (leave === null) throw new TooManyStreamsError();
    const { bounds, logger } = this.parts;
    this.stopLooking ??= every(bounds.tickMs, () => this.look(), logger);
    return () => {
      leave();
      if (this.watchers.count > 0) return;
      this.stopLooking?.();
      this.stopLooking = null;
      this.latest = null;
    };
  }

  /** The first tick after the one that was `seen`; null when the signal is aborted. */
  async next(seen: Tick | null, signal: AbortSignal): Promise<Tick | null> {
    if (this.latest === null || this.latest === seen)
      await once(this.ticks, "tick", { signal }).catch(() => undefined);
    return signal.aborted ? null : this.latest;
  }

  private async look(): Promise<void> {
    const [overview, newest] = await Promise.all([
      measure(this.parts),
      this.parts.store.cases.audit(null, 1),
    ]);
    this.latest = { overview, lastLine: JSON.stringify(newest) };
    this.ticks.emit("tick");
  }
}
