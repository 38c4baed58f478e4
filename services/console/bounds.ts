/** Limits of one console process, all inclusive. Milliseconds, bytes and counts as the names say. */
export const CONSOLE_BOUNDS_DEFAULT = {
  /** JSON body. A payload of 1 MiB as JSON text, every quote in it escaped, with its reason. */
  bodyBytesMax: 3 * 1024 * 1024,
  connectionsMax: 500,
  anonymousPerAddressMax: 100,
  anonymousMs: 10_000,
  failuresBurst: 20,
  failuresPerSecond: 0.5,
  /** Silence on a connection after which it is closed. Above the heartbeat. */
  connectionTimeoutMs: 75_000,
  /** Time to send a whole request. */
  requestTimeoutMs: 30_000,
  /** Requests of one caller: this many at once. */
  rateBurst: 300,
  /** And this many a second from then on. */
  ratePerSecond: 100,
  /** Reveals of masked values, of one person in an hour. */
  revealsPerHour: 60,
  /** Life of a session. */
  sessionLifeMs: 12 * 3_600_000,
  /** Sessions at once; the oldest of the key that has most goes for a new one. */
  sessionsMax: 500,
  /** Logins with one key in an hour. */
  loginsPerHour: 60,
  /** Life of a login link. */
  loginLifeMs: 15 * 60_000,
  /** Event streams at once. */
  streamsMax: 100,
  /** One event stream lives this long; the page then comes back. */
  streamMsMax: 30 * 60_000,
  /** Polling interval while a page watches. */
  tickMs: 1000,
  /** Silence after which an event stream sends a comment. */
  heartbeatMs: 15_000,
  /** Pause between two corrections of the clock by that of Redis. */
  clockCheckEveryMs: 10_000,
};

export type ConsoleBounds = Readonly<Record<keyof typeof CONSOLE_BOUNDS_DEFAULT, number>>;
