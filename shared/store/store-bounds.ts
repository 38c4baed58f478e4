/** Limits of what the store keeps for reading only. They never affect messages that are still counted. */
export interface StoreBounds {
  /** Finished jobs kept per queue. Default 20,000. */
  readonly finishedJobsMax: number;
  /** Approximate length of each queue's event stream, for debugging only. Default 1,000. */
  readonly eventStreamLength: number;
  /** Log entries of one run; later ones are counted, not kept. Default 5,000. */
  readonly runLogLength: number;
  /** Lines of the ward's audit. Default 10,000. */
  readonly auditLength: number;
  /** Records of people's actions. Default 1,000,000. */
  readonly peopleAuditLength: number;
}

export const STORE_BOUNDS_DEFAULT: StoreBounds = {
  finishedJobsMax: 20_000,
  eventStreamLength: 1000,
  runLogLength: 5000,
  auditLength: 10_000,
  peopleAuditLength: 1_000_000,
};
