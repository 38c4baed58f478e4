import { z } from "zod";
import { callApi } from "../http/call-api.ts";
import type { Api, ApiRequest } from "../http/call-api.ts";
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

const startedSchema = z.object({ run_id: z.string() });

/** Sends every sample once: a repeat after a lost answer carries the same key and is the same run. */
export async function sendTraffic({ samples, gateway, signal, onSent }: Traffic): Promise<Sent[]> {
  const sent: Sent[] = [];
  const queue = [...samples];
  const work = async (): Promise<void> => {
    for (let sample = queue.shift(); sample !== undefined; sample = queue.shift()) {
      const request = { ...toRequest(await withFiles(sample, { gateway, signal })), signal };
      const { run_id } = startedSchema.parse(await persist(() => callApi(gateway, request), signal));
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

function toRequest(sample: Sample): ApiRequest {
  const headers = { "idempotency-key": `demo-${sample.team}-${sample.id}` };
  if (sample.kind === "task") {
    const { team, input, locale } = sample;
    const user = { user_id: sample.user };
    const body = { team, input, user: locale === null ? user : { ...user, locale } };
    return { method: "POST", path: "/v1/tasks", headers, body };
  }
  const { target_agent, contract, data_payload, original_query } = sample;
  const user = { user_id: `customer-${sample.id}` };
  const ttl = sample.expect === "refused" ? { ttl_ms: HOPELESS_TTL_MS } : {};
  const body = { target_agent, contract, data_payload, original_query, user, on_invalid: "ward", ...ttl };
  return { method: "POST", path: "/v1/handoffs", headers, body };
}
