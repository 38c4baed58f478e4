import { SERVER_BOUNDS_DEFAULT } from "#shared/http/server";
import { AUDIT_GRACE_MS } from "#shared/store/upkeep";

/** Bounds of one gateway process. All are inclusive. Milliseconds, bytes and counts as the names say. */
export const GATEWAY_BOUNDS_DEFAULT = {
  ...SERVER_BOUNDS_DEFAULT,
  /** JSON body. Configured by `SUTURE_BODY_BYTES_MAX`. */
  bodyBytesMax: 1024 * 1024,
  /** One stored blob. */
  blobBytesMax: 64 * 1024 * 1024,
  connectionsMax: 2000,
  /** Time to send the head of a request. */
  headersTimeoutMs: 10_000,
  /** Time to send a whole request, a blob included. */
  requestTimeoutMs: 120_000,
  /** Interval at which slow requests are looked for. */
  connectionsCheckEveryMs: 2000,
  /** Requests of one API key: this many at once. */
  rateBurst: 2000,
  /** And this many a second from then on. */
  ratePerSecond: 1000,
  /** Requests that wait: long polls and event streams. */
  waitersMax: 1000,
  /** Runs whose webhooks are called at once. */
  pushesMax: 200,
  /** Longest wait of the Agent Protocol for one step: clients and proxies give up at 30 or 60 s. */
  stepWaitMsMax: 25_000,
  /** Longest `?wait=`, in seconds. */
  waitSecondsMax: 60,
  /** Waiting requests look at the run by themselves this often: a notice may be lost. */
  recheckEveryMs: 2000,
  /** One event stream lives this long; the client then resumes. */
  streamMsMax: 3_600_000,
  /** Events read from the run's log at a time. */
  eventsPage: 200,
  /** Interval at which due webhooks of runs are looked for. */
  webhookEveryMs: 1000,
  /** Interval at which ended runs whose records have aged out are taken out of the lists. */
  retireEveryMs: 5000,
  /** Pause between two rounds in which ended runs move to the archive. */
  archiveEveryMs: 5000,
  /** Pause between two looks at runs for messages that nothing holds. */
  auditEveryMs: 1000,
  /** Runs looked at in one of them, about. */
  auditRunsMax: 100,
  /** Time that a message may be missed for before it counts as lost. */
  auditGraceMs: AUDIT_GRACE_MS,
  /** Interval at which blobs that have reached their age are removed. */
  retireBlobsEveryMs: 60_000,
  /** Maximum age of the counts by which tenants share what there is. */
  fairEveryMs: 200,
  /** Maximum age of an answer about fullness, queues and presences. */
  staleMsMax: 1000,
};

export type GatewayBounds = Readonly<Record<keyof typeof GATEWAY_BOUNDS_DEFAULT, number>>;
