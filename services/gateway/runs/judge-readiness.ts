import type { AnswerOf, GatewayApi } from "#shared/api";
import { canReachStore } from "#shared/store";
import { describeDamage } from "#shared/store/queues";
import type { QueueDamage } from "#shared/store/queues";
import type { Gateway } from "../gateway.ts";

type Readiness = AnswerOf<GatewayApi["showReadiness"]>;
/** `store`, `intake`, `replicas`, `memory`, `queues`, `ward`, `archive`, `surgeon`, or `team` and its name. */
type ReadinessPart = Readiness["parts"][number];

/** A part, and the status of a gateway in which it fails; null when work goes on without it. */
interface JudgedPart extends ReadinessPart {
  readonly reason: Exclude<Readiness["status"], "ready" | "degraded" | "stopping"> | null;
}

const STORE_UNREACHABLE: Readiness = {
  status: "store_unreachable",
  parts: [{ part: "store", state: "failed", detail: "Redis does not answer" }],
};

/** Not ready: Redis, replicas, memory, queues, ward or every team refuse. Degraded: a team, or no surgeon. */
export async function judgeReadiness(gateway: Gateway): Promise<Readiness> {
  // The first shard has what the installation has once; while another is away, new runs are placed in the rest.
  const [first = gateway.store, ...others] = gateway.store.shards;
  if (!(await canReachStore(first)) || gateway.placement.choose(null).length === 0) return STORE_UNREACHABLE;
  try {
    const [capacity, teams, surgeon] = await Promise.all([
      judgeCapacity(gateway),
      judgeTeams(gateway),
      judgeSurgeon(gateway),
    ]);
    const store: JudgedPart = { ...judged("store", null), reason: null };
    const away = others.filter(({ redis }) => redis.status !== "ready");
    const shards = away.map(({ keys }) => ({
      ...judged(`shard ${keys.shard}`, "Redis does not answer: its runs wait"),
      reason: null,
    }));
    const closed = gateway.intake.isClosed ? "a person has closed the gateways to new tasks" : null;
    const intake: JudgedPart = { ...judged("intake", closed), reason: null };
    const judgedParts = [store, intake, ...shards, ...capacity, ...judgeArchive(gateway), ...teams, surgeon];
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
    Promise.all(gateway.store.awake.map(({ confirmation }) => confirmation.hasReplicas())),
    gateway.storeIsFull(),
    gateway.countWaiting(),
    gateway.wardIsFull(),
  ]);
  const isQueuesFull = waiting >= gateway.queueLimit;
  return [
    {
      ...judged("replicas", hasReplicas.includes(false) ? "fewer replicas are connected than needed" : null),
      reason: "replicas_missing",
    },
    { ...judged("memory", isFull ? "Redis holds as much as it may" : null), reason: "store_full" },
    { ...judged("queues", isQueuesFull ? `${waiting} runs wait` : null), reason: "queues_full" },
    { ...judged("ward", isWardFull ? "the ward takes no more cases" : null), reason: "ward_full" },
  ];
}

/** By its last use, which is some seconds old at most: upkeep uses it in each round. */
function judgeArchive({ archive }: Gateway): JudgedPart[] {
  if (!archive) return [];
  const { failure } = archive.db;
  const detail = failure === null ? null : `PostgreSQL cannot be used (${failure}): runs stay in Redis`;
  return [{ ...judged("archive", detail), reason: null }];
}

async function judgeSurgeon({ store }: Gateway): Promise<JudgedPart> {
  const isThere = await store.registry.hasSurgeon();
  return { ...judged("surgeon", isThere ? null : "no surgeon has announced itself"), reason: null };
}

/** Judges every team: its queues, and the workers of its entry. Refuses tasks only when every team has a fault. */
async function judgeTeams(gateway: Gateway): Promise<readonly JudgedPart[]> {
  const { teams, store, isReadyWithoutAgents } = gateway;
  const [live, damage] = await Promise.all([store.registry.live(), gateway.queueDamage()]);
  const working = new Set(live.filter(({ state }) => state !== "held").map(({ agent }) => agent));
  const found = teams.map((team): JudgedPart => {
    const part = `team ${team.name}`;
    const damaged = [...team.agents.keys()].flatMap((agent) => damage.get(agent) ?? []);
    if (damaged.length > 0) return { ...judged(part, describeAll(damaged)), reason: "queue_damaged" };
    const entry = team.entry.name;
    const isMissing = !isReadyWithoutAgents && !working.has(entry);
    return { ...judged(part, isMissing ? `no process works for ${entry}` : null), reason: "agents_missing" };
  });
  const isNoneLeft = found.every(({ state }) => state === "failed");
  return isNoneLeft ? found : found.map((one) => ({ ...one, reason: null }));
}

/** Looks at every queue of every team. */
export async function findQueueDamage({
  teams,
  store,
}: Pick<Gateway, "teams" | "store">): Promise<ReadonlyMap<string, readonly QueueDamage[]>> {
  const agents = teams.flatMap((team) => [...team.agents.keys()]);
  const found = await Promise.all(
    agents.map(async (agent) => {
      const damage = await Promise.all(store.awake.map(({ queues }) => queues.findDamage(agent)));
      return [agent, damage.flat()] as const;
    }),
  );
  return new Map(found);
}

const DAMAGES_NAMED_MAX = 5;

/** Says in words which keys are damaged, the first five of them. */
export function describeAll(damage: readonly QueueDamage[]): string {
  return damage.slice(0, DAMAGES_NAMED_MAX).map(describeDamage).join("; ");
}
