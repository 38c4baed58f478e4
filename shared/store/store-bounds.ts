import type { Config } from "#shared/config";

/** How much the store keeps of what nobody waits for any more. Nothing here touches a message that is still counted. */
export interface StoreBounds {
  /** Finished jobs that each queue keeps readable. Default 20,000. */
  readonly finishedJobsMax: number;
  /** Entries of each queue's event stream, about; for eyes only. Default 1,000. */
  readonly eventStreamLength: number;
  /** Log entries of one run; later ones are counted, not kept. Default 5,000. */
  readonly runLogLength: number;
  /** Lines of the ward's audit. Default 10,000. */
  readonly auditLength: number;
  /** Records of what people did. Default 1,000,000. */
  readonly peopleAuditLength: number;
}

export const STORE_BOUNDS_DEFAULT: StoreBounds = {
  finishedJobsMax: 20_000,
  eventStreamLength: 1000,
  runLogLength: 5000,
  auditLength: 10_000,
  peopleAuditLength: 1_000_000,
};

/** The bounds as configured. */
export function storeBoundsOf(config: Pick<Config, keyof StoreBounds>): StoreBounds {
  const { finishedJobsMax, eventStreamLength, runLogLength, auditLength, peopleAuditLength } = config;
  return { finishedJobsMax, eventStreamLength, runLogLength, auditLength, peopleAuditLength };
}
