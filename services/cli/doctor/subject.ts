import type { Config } from "#shared/config";
import type { Team } from "#shared/runtime";
import type { Finding, TrustProfile } from "./finding.ts";
import type { ServiceProcess } from "./service-processes.ts";

/** What is examined. */
export interface Subject {
  /** As configured, Redis and keys completed by what a running service was given. */
  readonly config: Config;
  readonly profile: TrustProfile;
  readonly teams: readonly Team[];
  /** Null where the system does not show processes. */
  readonly processes: readonly ServiceProcess[] | null;
}

/** One check. It reports problems as findings and throws nothing. */
export type Check = (subject: Subject) => readonly Finding[] | Promise<readonly Finding[]>;
