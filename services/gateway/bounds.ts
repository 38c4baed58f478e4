import type { ConnectionBounds, FailureBounds } from "#shared/http";
import { AUDIT_GRACE_MS } from "#shared/store/upkeep";

/** What one gateway process takes on at most. All are inclusive. Milliseconds, bytes and counts as the names say. */
export interface GatewayBounds extends ConnectionBounds, FailureBounds {
  /** JSON body. Default 1 MiB; configured by `SUTURE_BODY_BYTES_MAX`. */
  readonly bodyBytesMax: number;
  /** One stored blob. Default 64 MiB. */
  readonly blobBytesMax: number;
  /** Silence on a connection after which it is closed. Above the longest wait and the heartbeat. Default 75,000. */
  readonly connectionTimeoutMs: number;
  /** Time to send the head of a request. Default 10,000. */
  readonly headersTimeoutMs: number;
  /** Time to send a whole request, a blob included. Default 120,000. */
  readonly requestTimeoutMs: number;
  /** How often slow requests are looked for. Default 2,000. */
  readonly connectionsCheckEveryMs: number;
  /** Requests of one API key: this many at once. Default 2,000. */
  readonly rateBurst: number;
  /** And this many a second from then on. Default 1,000. */
  readonly ratePerSecond: number;
  /** Requests that wait: long polls and event streams. Default 1,000. */
  readonly waitersMax: number;
  /** Runs whose push targets are called at once. Default 200. */
  readonly pushesMax: number;
  /** Longest wait of the Agent Protocol for one step. Default 25,000: clients and proxies give up at 30 or 60 s. */
  readonly stepWaitMsMax: number;
  /** One file uploaded by the Agent Protocol, which is held in memory. Default 8 MiB. */
  readonly artifactBytesMax: number;
  /** Files uploaded at once. Default 16. */
  readonly uploadsMax: number;
  /** Files uploaded to one task. Default 100. */
  readonly artifactsOfTaskMax: number;
  /** Longest `?wait=`, in seconds. Default 60. */
  readonly waitSecondsMax: number;
  /** Waiting requests look at the run by themselves this often: a notice may be lost. Default 2,000. */
  readonly recheckEveryMs: number;
  /** Silence after which an event stream sends a comment. Default 15,000. */
  readonly heartbeatEveryMs: number;
  /** One event stream lives this long; the client then resumes. Default one hour. */
  readonly streamMsMax: number;
  /** Events read from the run's log at a time. Default 200. */
  readonly eventsPage: number;
  /** First messages in delivery while their clients have their answer; beyond it the relay does it. Default 500. */
  readonly deliveriesMax: number;
  /** How often the relay looks for accepted tasks that were not delivered. Default 1,000. */
  readonly relayEveryMs: number;
  /** How often ended runs whose records have aged out are taken out of the lists. Default 5,000. */
  readonly retireEveryMs: number;
  /** Pause between two looks at runs for messages that nothing holds. Default 1,000. */
  readonly auditEveryMs: number;
  /** Runs looked at in one of them, about. Default 100. */
  readonly auditRunsMax: number;
  /** Time that a message may be missed for before it counts as lost. Default 10,000. */
  readonly auditGraceMs: number;
  /** Pause between two corrections of the clock by that of Redis. Default 10,000. */
  readonly clockCheckEveryMs: number;
  /** How often blobs that have reached their age are removed. Default one minute. */
  readonly retireBlobsEveryMs: number;
  /** How old the counts may be by which tenants share what there is. Default 200. */
  readonly fairEveryMs: number;
  /** How old an answer about fullness, queues and presences may be. Default 1,000. */
  readonly staleMsMax: number;
}

export const GATEWAY_BOUNDS_DEFAULT: GatewayBounds = {
  bodyBytesMax: 1024 * 1024,
  blobBytesMax: 64 * 1024 * 1024,
  connectionsMax: 2000,
  anonymousPerAddressMax: 100,
  anonymousMs: 10_000,
  failuresBurst: 20,
  failuresPerSecond: 0.5,
  connectionTimeoutMs: 75_000,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 120_000,
  connectionsCheckEveryMs: 2000,
  rateBurst: 2000,
  ratePerSecond: 1000,
  waitersMax: 1000,
  pushesMax: 200,
  stepWaitMsMax: 25_000,
  artifactBytesMax: 8 * 1024 * 1024,
  uploadsMax: 16,
  artifactsOfTaskMax: 100,
  waitSecondsMax: 60,
  recheckEveryMs: 2000,
  heartbeatEveryMs: 15_000,
  streamMsMax: 3_600_000,
  eventsPage: 200,
  deliveriesMax: 500,
  relayEveryMs: 1000,
  retireEveryMs: 5000,
  auditEveryMs: 1000,
  auditRunsMax: 100,
  auditGraceMs: AUDIT_GRACE_MS,
  clockCheckEveryMs: 10_000,
  retireBlobsEveryMs: 60_000,
  fairEveryMs: 200,
  staleMsMax: 1000,
};
