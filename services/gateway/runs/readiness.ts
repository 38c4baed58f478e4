/** Reasons for which tasks should not be sent here. */
export const UNREADY = [
  "store_unreachable",
  "replicas_missing",
  "store_full",
  "queues_full",
  "ward_full",
  "queue_damaged",
  "agents_missing",
] as const;

/** One thing that accepted work needs. */
export interface ReadinessPart {
  /** `store`, `replicas`, `memory`, `queues`, `ward`, `surgeon`, or `team` and its name. */
  readonly part: string;
  readonly state: "ok" | "failed";
  /** What is wrong; "" when nothing is. */
  readonly detail: string;
}

export interface Readiness {
  /** `degraded`: tasks are taken and some of them can be done; `parts` says what fails. */
  readonly status: "ready" | "degraded" | (typeof UNREADY)[number];
  readonly parts: readonly ReadinessPart[];
}

/** A part, and the status of a gateway in which it fails; null when work goes on without it. */
export interface JudgedPart extends ReadinessPart {
  readonly reason: (typeof UNREADY)[number] | null;
}
