import { answerOf, openClient } from "../http/call-api.ts";
import type { Api, JsonOf } from "../http/call-api.ts";
import { storeFiles, storeThrough } from "../http/store-files.ts";
import { persist } from "../http/persist.ts";
import type { Sample } from "./read-samples.ts";

/** A sample and the run that it became. */
export interface Sent {
  readonly sample: Sample;
  readonly run_id: string;
}

export interface Traffic {
  readonly samples: readonly Sample[];
  readonly gateway: Api;
  readonly signal: AbortSignal;
  /** Called for every accepted task. */
  readonly onSent: (sent: Sent) => void;
}

const AT_ONCE = 6;
/** Time to live of messages that no agent can handle, in ms. */
const HOPELESS_TTL_MS = 20_000;

/** Sends every sample once: a repeat after a lost answer carries the same key and is the same run. */
export async function sendTraffic({ samples, gateway, signal, onSent }: Traffic): Promise<Sent[]> {
  const sent: Sent[] = [];
  const queue = [...samples];
  const work = async (): Promise<void> => {
    for (let sample = queue.shift(); sample !== undefined; sample = queue.shift()) {
      const ready = await withFiles(sample, { gateway, signal });
      const { run_id } = await persist(() => send(ready, { gateway, signal }), signal);
      sent.push({ sample, run_id });
      onSent({ sample, run_id });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return sent;
}

/** Files go first, so that the task can refer to them. */
async function withFiles(sample: Sample, to: Pick<Traffic, "gateway" | "signal">): Promise<Sample> {
  if (sample.kind !== "task") return sample;
  const store = storeThrough(to.gateway, to.signal);
  return { ...sample, input: await storeFiles(sample.input, { folder: sample.folder, store }) };
}

function send(sample: Sample, to: Pick<Traffic, "gateway" | "signal">): Promise<JsonOf<"submitTask">> {
  const client = openClient(to.gateway);
  const init = { headers: { "idempotency-key": `demo-${sample.team}-${sample.id}` }, signal: to.signal };
  if (sample.kind === "task") {
    const { team, input, locale } = sample;
    const user = { user_id: sample.user, ...(locale === null ? {} : { locale }) };
    return answerOf(client.POST("/v1/tasks", { ...init, body: { team, input, user } }));
  }
  const { target_agent, contract, data_payload, original_query } = sample;
  const user = { user_id: `customer-${sample.id}` };
  const ttl = sample.expect === "refused" ? { ttl_ms: HOPELESS_TTL_MS } : {};
  const sent = { target_agent, contract, data_payload, original_query, user };
  return answerOf(client.POST("/v1/handoffs", { ...init, body: { ...sent, on_invalid: "ward", ...ttl } }));
}
