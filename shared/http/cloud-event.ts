/** Media type of one CloudEvent as structured JSON. */
export const CLOUD_EVENT_TYPE = "application/cloudevents+json; charset=utf-8";

/** Returns `source` of what happens in a cluster as a whole. @param prefix - Of its keys, `SUTURE_PREFIX`. */
export function sourceOfCluster(prefix: string): string {
  return `/suture/${prefix}`;
}

/** Returns `source` of the events of a run: its address at the gateway. */
export function sourceOfRun(runId: string): string {
  return `/v1/runs/${runId}`;
}

/**
 * Returns an event of ours as a CloudEvent 1.0 with JSON data. `source` and `id` together are unique: receivers use
 * them for deduplication. @param event.time - RFC 3339. @param event.subject - Null or absent: none.
 */
export function toCloudEvent(event: {
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject?: string | null;
  readonly time: string;
  readonly data: unknown;
}) {
  const { id, source, type, subject = null, time, data } = event;
  return {
    specversion: "1.0",
    id,
    source,
    type: `suture.${type}`,
    ...(subject === null ? {} : { subject }),
    time,
    datacontenttype: "application/json",
    data,
  };
}
