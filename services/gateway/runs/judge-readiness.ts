import type { Team } from "#shared/runtime";
import { describeDamage } from "#shared/store";
import type { QueueDamage } from "#shared/store";
import type { Gateway } from "../gateway.ts";
import { canReachStore } from "./reach-store.ts";
import type { JudgedPart, Readiness, ReadinessPart } from "./readiness.ts";

const STORE_UNREACHABLE: Readiness = {
  status: "store_unreachable",
  parts: [{ part: "store", state: "failed", detail: "Redis does not answer" }],
};

/**
 * Judges whether accepted work can be kept and done. Not ready: Redis, its replicas, memory, queues or ward refuse
 * work, or no team can do any. Degraded: some team cannot, or no surgeon is there.
 */
export async function judgeReadiness(gateway: Gateway): Promise<Readiness> {
  if (!(await canReachStore(gateway))) return STORE_UNREACHABLE;
  try {
    const [capacity, teams, surgeon] = await Promise.all([
      judgeCapacity(gateway),
      gateway.judgeTeams(),
      judgeSurgeon(gateway),
    ]);
    const store: JudgedPart = { ...judged("store", null), reason: null };
    const judgedParts = [store, ...capacity, ...teams, surgeon];
    const refused = judgedParts.find(({ state, reason }) => state === "failed" && reason !== null);
    const isDegraded = judgedParts.some(({ state }) => state === "failed");
    return {
      status: refused?.reason ?? (isDegraded ? "degraded" : "ready"),
      parts: judgedParts.map(({ part, state, detail }) => ({ part, state, detail })),
    };
  } catch {
    return STORE_UNREACHABLE;
  }
}

/** @param detail - What is wrong; null: nothing. */
function judged(part: string, detail: string | null): ReadinessPart {
  return { part, state: detail === null ? "ok" : "failed", detail: detail ?? "" };
}

async function judgeCapacity(gateway: Gateway): Promise<JudgedPart[]> {
  const [hasReplicas, isFull, waiting, isWardFull] = await Promise.all([
    gateway.store.confirmation.hasReplicas(),
    gateway.storeIsFull(),
    gateway.countWaiting(),
    gateway.wardIsFull(),
  ]);
  const isQueuesFull = waiting >= gateway.queueLimit;
  return [
    {
      ...judged("replicas", hasReplicas ? null : "fewer replicas are connected than needed"),
      reason: "replicas_missing",
    },
    { ...judged("memory", isFull ? "Redis holds as much as it may" : null), reason: "store_full" },
    { ...judged("queues", isQueuesFull ? `${waiting} runs wait` : null), reason: "queues_full" },
    { ...judged("ward", isWardFull ? "the ward takes no more cases" : null), reason: "ward_full" },
  ];
}

async function judgeSurgeon({ store }: Gateway): Promise<JudgedPart> {
  const isThere = (await store.registry.liveServices()).some(({ service }) => service === "surgeon");
  return { ...judged("surgeon", isThere ? null : "no surgeon has announced itself"), reason: null };
}

/**
 * Judges every team: its queues are whole, and processes work for its first agent. A team's fault refuses tasks only
 * when every team has one.
 */
export async function judgeTeams(
  gateway: Pick<Gateway, "teams" | "store" | "isReadyWithoutAgents">,
): Promise<readonly JudgedPart[]> {
  const live = await gateway.store.registry.live();
  const working = new Set(live.filter(({ state }) => state !== "held").map(({ agent }) => agent));
  const found = await Promise.all(gateway.teams.map((team) => judgeTeam(gateway, team, working)));
  const isNoneLeft = found.every(({ state }) => state === "failed");
  return isNoneLeft ? found : found.map((one) => ({ ...one, reason: null }));
}

async function judgeTeam(
  { store, isReadyWithoutAgents }: Pick<Gateway, "store" | "isReadyWithoutAgents">,
  team: Team,
  working: ReadonlySet<string>,
): Promise<JudgedPart> {
  const part = `team ${team.name}`;
  const damaged = await Promise.all([...team.agents.keys()].map((agent) => store.queues.findDamage(agent)));
  const damage = damaged.flat();
  if (damage.length > 0) return { ...judged(part, describeAll(damage)), reason: "queue_damaged" };
  const entry = team.entry.name;
  const isMissing = !isReadyWithoutAgents && !working.has(entry);
  return { ...judged(part, isMissing ? `no process works for ${entry}` : null), reason: "agents_missing" };
}

const DAMAGES_NAMED_MAX = 5;

/** Says in words which keys are damaged, the first five of them. */
export function describeAll(damage: readonly QueueDamage[]): string {
  return damage.slice(0, DAMAGES_NAMED_MAX).map(describeDamage).join("; ");
}
