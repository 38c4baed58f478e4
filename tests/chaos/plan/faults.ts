import type { LinkMode } from "../tcp-proxy.ts";

/** Processes under test. Each of the two `agents` works for all three agents. */
export const SERVICE_NAMES = ["agents-1", "agents-2", "gateway", "surgeon"] as const;

export type ServiceName = (typeof SERVICE_NAMES)[number];

type AgentsName = Extract<ServiceName, `agents-${number}`>;

/** Servers of the Redis under test: the one that clients are led to, the masters of a cluster, or a shard each. */
export type NodeName = "redis" | "node-a" | "node-b" | "node-c";

export type NodeLinkName = `clients-${Exclude<NodeName, "redis">}`;

/** Connections through a proxy of ours, client first; `replica-primary` only where there is a replica. */
export type LinkName =
  | "client-gateway"
  | "agents-outside"
  | `${ServiceName}-redis`
  | NodeLinkName
  | "replica-primary";

/** The queues of the teams under test that faults strike. */
export const QUEUE_NAMES = [
  "chaos-intake",
  "chaos-appraise",
  "chaos-report",
  "chaos-act",
  "chaos-sum",
] as const;

type QueueName = (typeof QUEUE_NAMES)[number];

export type Fault = { readonly atMs: number; readonly durationMs: number } & (
  | { readonly kind: "kill" | "pause"; readonly target: ServiceName }
  /** Its way to Redis is slow for a while, then it dies: most likely between two steps that are a moment apart else. */
  | { readonly kind: "slow_kill"; readonly target: AgentsName }
  /** The event loop of an agents' process stands still. */
  | { readonly kind: "block"; readonly target: AgentsName }
  /** The clock of an agents' process is two hours off while it works. */
  | { readonly kind: "clock_ahead" | "clock_back"; readonly target: AgentsName }
  /** An agents' process dies and comes up with a clock that is two hours off: it must refuse to start. */
  | { readonly kind: "skewed_start"; readonly target: AgentsName }
  /** Ends cleanly, works as the next release for the duration, is killed and comes up as the release before. */
  | { readonly kind: "upgrade"; readonly target: ServiceName }
  /** `redis_kill`: away for a while; `redis_full`: refuses writes; `disk_full`: its append-only file cannot grow. */
  | { readonly kind: "redis_kill" | "redis_pause" | "redis_full" | "disk_full"; readonly target: NodeName }
  /** The replica is cut off for the duration, then the primary dies for good and the replica takes its place. */
  | { readonly kind: "failover"; readonly target: "redis" }
  /** A shard's slot of the cluster moves to the other node while everybody works. */
  | { readonly kind: "slot_move"; readonly target: QueueName }
  /** Messages arrive whose signature is none, another's, or one of another queue. */
  | { readonly kind: "forge"; readonly target: QueueName }
  /** The stored data of waiting jobs is destroyed. */
  | { readonly kind: "corrupt"; readonly target: QueueName }
  | { readonly kind: "link"; readonly target: LinkName; readonly mode: LinkMode }
  /** The model's endpoint answers nobody. */
  | { readonly kind: "model_outage"; readonly target: "model"; readonly how: ModelOutage }
);

export type FaultOf<Kind extends Fault["kind"]> = Extract<Fault, { readonly kind: Kind }>;

/** One word or three for a fault, as the report counts them. */
export function nameOf(fault: Fault): string {
  if (fault.kind === "link") return `link ${fault.mode} ${fault.target}`;
  if (fault.kind === "model_outage") return `model_outage ${fault.how}`;
  return `${fault.kind} ${fault.target}`;
}

/** Troubles of a model's endpoint with one call. */
export const MODEL_FAULTS = [
  "rate_limited",
  "rate_limited_bare",
  "overloaded",
  "server_error",
  "html",
  "hang",
  "drip",
  "truncated",
  "huge",
  "fenced",
  "wrong_schema",
] as const;

export type ModelFault = (typeof MODEL_FAULTS)[number];

/** Troubles of a model's endpoint with all calls. */
export const MODEL_OUTAGES = ["429", "500", "503", "reset", "hang"] as const;

export type ModelOutage = (typeof MODEL_OUTAGES)[number];

/** Effect of one fault. */
export interface Struck {
  /** True where something was harmed: a fault that nobody felt proves nothing. */
  readonly struck: boolean;
  /** Messages that were forged or destroyed, by message id. Default: none. */
  readonly victims?: readonly Victim[];
  /** A forbidden act of the process under test. Default: none. */
  readonly misdeed?: string;
}

/** A message that the suite has put into a queue, or destroyed there. */
export interface Victim {
  readonly messageId: string;
  /** Null: it was forged, and no run waits for it. */
  readonly runId: string | null;
}
