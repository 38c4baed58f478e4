import type { Call as AnyCall, ConsoleApi, HandlerOf, Route as AnyRoute } from "#shared/api";
import type { ApiKey } from "#shared/config";
import type { ApiKeys, RateLimit } from "#shared/http";
import type { FailedAttempts } from "#shared/http/limits";
import type { Team } from "#shared/runtime";
import type { Store } from "#shared/store";
import type { RecipeStore } from "#shared/store/cases";
import type { Logger, Metrics } from "#shared/telemetry";
import type { AttachedQueues } from "./attached/attached-queues.ts";
import type { PeopleAudit } from "./audit/people-audit.ts";
import type { Caller, Role } from "./api/guards/caller.ts";
import type { SessionStore } from "./api/guards/sessions.ts";
import type { ConsoleBounds } from "./bounds.ts";
import type { Live } from "./live/live.ts";
import type { SurgeryLimitsView } from "./live/measure.ts";

/** What a console is made of. Everything is passed in, so that tests can use their own. */
export interface ConsoleParts {
  readonly store: Store;
  readonly teams: readonly Team[];
  readonly apiKeys: readonly ApiKey[];
  /** Persons by the names of their further API keys: for what takes two people. */
  readonly people: ReadonlyMap<string, string>;
  /** True in a rehearsal; the page marks it. */
  readonly isRehearsal: boolean;
  readonly surgeryLimits: SurgeryLimitsView;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** File in which the launcher leaves the token of a login link. */
  readonly loginFile: string;
  /** File in which sessions outlive this process; digests only. */
  readonly sessionsFile: string;
  readonly bounds: ConsoleBounds;
  /** BullMQ queues that run anyway. */
  readonly attached: AttachedQueues;
  /** Compares every answer with its declaration, for tests. Default: no. */
  readonly checksAnswers?: boolean;
}

/** What every operation works with. */
export interface Console extends Omit<ConsoleParts, "apiKeys"> {
  readonly apiKeys: ApiKeys;
  readonly recipes: RecipeStore;
  /** Wrong keys and login tokens, by client address. */
  readonly failures: FailedAttempts;
  readonly sessions: SessionStore;
  /** How often one person may reveal masked values. */
  readonly reveals: RateLimit;
  /** Of one key. */
  readonly logins: RateLimit;
  /** What people did. */
  readonly audit: PeopleAudit;
  readonly live: Live;
  /** Aborted when the console begins to stop: streams then end. */
  readonly stopping: AbortSignal;
}

/** What the console adds to a call: the request is authorised. */
export interface Around {
  readonly console: Console;
  /** On operations that are open to anyone: somebody without a name and a role that may nothing. */
  readonly caller: Caller;
}

/** Carries out one operation as `shared/api` declares it; `operations/` has a file for each subject. */
export type Handler<Id extends keyof ConsoleApi> = HandlerOf<ConsoleApi[Id], Around>;

/** A call whose parts are no longer told apart by type. */
export type Call = AnyCall<Around>;

/** One row of the table, with the least role that may call it; null: anyone. */
export interface Route extends AnyRoute<Around> {
  readonly role: Role | null;
}
