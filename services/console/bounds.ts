import type { ConnectionBounds, FailureBounds } from "#shared/http";

/** Limits of one console process, all inclusive. Units are in the names. */
export interface ConsoleBounds extends ConnectionBounds, FailureBounds {
  /** JSON body. Default 3 MiB: a payload of 1 MiB as JSON text, every quote in it escaped, with its reason. */
  readonly bodyBytesMax: number;
  /** Silence on a connection after which it is closed. Above the heartbeat. Default 75,000. */
  readonly connectionTimeoutMs: number;
  /** Time to send a whole request. Default 30,000. */
  readonly requestTimeoutMs: number;
  /** Requests of one caller: this many at once. Default 300. */
  readonly rateBurst: number;
  /** And this many a second from then on. Default 100. */
  readonly ratePerSecond: number;
  /** Reveals of masked values, of one person in an hour. Default 60. */
  readonly revealsPerHour: number;
  /** Life of a session. Default 12 hours. */
  readonly sessionLifeMs: number;
  /** Sessions at once; the oldest of the key that has most goes for a new one. Default 500. */
  readonly sessionsMax: number;
  /** Logins with one key in an hour. Default 60. */
  readonly loginsPerHour: number;
  /** Life of a login link. Default 15 minutes. */
  readonly loginLifeMs: number;
  /** Event streams at once. Default 100. */
  readonly streamsMax: number;
  /** One event stream lives this long; the page then comes back. Default 30 minutes. */
  readonly streamMsMax: number;
  /** Polling interval while a page watches. Default 1,000. */
  readonly tickMs: number;
  /** Silence after which an event stream sends a comment. Default 15,000. */
  readonly heartbeatMs: number;
  /** Pause between two corrections of the clock by that of Redis. Default 10,000. */
  readonly clockCheckEveryMs: number;
}

export const CONSOLE_BOUNDS_DEFAULT: ConsoleBounds = {
  bodyBytesMax: 3 * 1024 * 1024,
  connectionsMax: 500,
  anonymousPerAddressMax: 100,
  anonymousMs: 10_000,
  failuresBurst: 20,
  failuresPerSecond: 0.5,
  connectionTimeoutMs: 75_000,
  requestTimeoutMs: 30_000,
  rateBurst: 300,
  ratePerSecond: 100,
  revealsPerHour: 60,
  sessionLifeMs: 12 * 3_600_000,
  sessionsMax: 500,
  loginsPerHour: 60,
  loginLifeMs: 15 * 60_000,
  streamsMax: 100,
  streamMsMax: 30 * 60_000,
  tickMs: 1000,
  heartbeatMs: 15_000,
  clockCheckEveryMs: 10_000,
};
