import type { AnswerOf, Call as AnyCall, ConsoleApi, HandlerOf, Route as AnyRoute } from "#shared/api";
import type { Archive } from "#shared/archive";
import type { Config } from "#shared/config";
import type { ApiKeys, RateLimit } from "#shared/http";
import type { CountFailure } from "#shared/http/limits";
import { SERVER_BOUNDS_DEFAULT } from "#shared/http/server";
import type { RecipeStore } from "#shared/store/cases";
import type { Logger, Metrics } from "#shared/telemetry";
import type { AttachedQueue } from "./attached/attached-queues.ts";
import type { PeopleAudit } from "./audit/audit-changes.ts";
import type { Caller, SessionStore } from "./api/guards/caller.ts";
import type { OpenIdProvider } from "./api/login/openid-provider.ts";
import type { Live, Measured } from "./live/measure.ts";
import type { Search } from "./search/search.ts";

/** Limits of one console process, all inclusive. Milliseconds, bytes and counts as the names say. */
export const CONSOLE_BOUNDS_DEFAULT = {
  ...SERVER_BOUNDS_DEFAULT,
  /** JSON body. A payload of 1 MiB as JSON text, every quote in it escaped, with its reason. */
  bodyBytesMax: 3 * 1024 * 1024,
  connectionsMax: 500,
  /** Time to send a whole request. */
  requestTimeoutMs: 30_000,
  /** Requests of one caller: this many at once. */
  rateBurst: 300,
  /** And this many a second from then on. */
  ratePerSecond: 100,
  /** Reveals of masked values, of one person in an hour. */
  revealsPerHour: 60,
  sessionLifeMs: 12 * 3_600_000,
  /** Sessions at once; the oldest of the key that has most goes for a new one. */
  sessionsMax: 500,
  /** Logins with one key in an hour. */
  loginsPerHour: 60,
  loginLifeMs: 15 * 60_000,
  streamsMax: 100,
  /** One event stream lives this long; the page then comes back. */
  streamMsMax: 30 * 60_000,
  /** Polling interval while a page watches. */
  tickMs: 1000,
};

export type ConsoleBounds = Readonly<Record<keyof typeof CONSOLE_BOUNDS_DEFAULT, number>>;

/** Parts of a console. Everything is passed in, so that tests can use their own. */
export interface ConsoleParts extends Measured {
  readonly config: Measured["config"] &
    Pick<Config, "apiKeys" | "people" | "dataDir" | "isRehearsal" | "traceUrl">;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly bounds: ConsoleBounds;
  /** By whom people may log in; null: by key or link alone. */
  readonly openId: OpenIdProvider | null;
  /** Words of what is in the archive; null: there is none. Default: null. */
  readonly archive?: Archive | null;
  /** BullMQ queues that run anyway. */
  readonly attached: readonly AttachedQueue[];
  /** Examines Redis, and tells the limits of this process. */
  readonly examine: () => Promise<AnswerOf<ConsoleApi["showDoctor"]>>;
  /** Compares every answer with its declaration, for tests. Default: no. */
  readonly checksAnswers?: boolean;
}

/** The parts that every operation works with. */
export interface Console extends ConsoleParts {
  readonly apiKeys: ApiKeys;
  readonly recipes: RecipeStore;
  /** Wrong keys and login tokens, by client address. */
  readonly countFailure: CountFailure;
  readonly sessions: SessionStore;
  /** Limit of one person's reveals of masked values. */
  readonly reveals: RateLimit;
  /** Of one key. */
  readonly logins: RateLimit;
  readonly audit: PeopleAudit;
  readonly live: Live;
  readonly search: Search;
  /** Aborted when the console begins to stop: streams then end. */
  readonly stopping: AbortSignal;
}

/** The console's additions to a call: the request is authorised. */
export interface Around {
  readonly console: Console;
  /** On operations that are open to anyone: somebody without a name and a role that may nothing. */
  readonly caller: Caller;
}

/** Carries out one operation as `shared/api` declares it; `operations/` has a file for each subject. */
export type Handler<Id extends keyof ConsoleApi> = HandlerOf<ConsoleApi[Id], Around>;

export type CallOf<Id extends keyof ConsoleApi> = Parameters<Handler<Id>>[0];

/** A call whose parts are no longer told apart by type. */
export type Call = AnyCall<Around>;

export type Route = AnyRoute<Around>;
