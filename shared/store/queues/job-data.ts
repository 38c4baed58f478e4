/** The stored form of a job: a sealed message, or the name of a case. Only `attempt` may change outside the seal. */
export type JobData = Readonly<Record<string, unknown>>;
