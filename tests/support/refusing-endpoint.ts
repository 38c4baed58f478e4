import type { FoundLack, ModelAnswer, ModelCall } from "#shared/model";
import { CALL, openEndpoint, sendJson } from "#shared/model/testing";

/** What the endpoint answers to every request that it does not refuse. */
export const ANSWER = '{"route":"sales"}';

/** A refusal as it is sent; null for a request that is answered. */
type Refuse = (sent: string) => { readonly status: number; readonly body: unknown } | null;

/** A client of an endpoint that refuses what a test says. */
export interface Refusing {
  /** Asks with a schema, a temperature and a bound, each time about something else. */
  readonly ask: (more?: Partial<ModelCall>) => Promise<ModelAnswer>;
  /** Bodies of requests, as text. */
  readonly seen: string[];
  readonly found: FoundLack[];
}

export async function openRefusing(refuse: Refuse): Promise<Refusing> {
  const seen: string[] = [];
  const found: FoundLack[] = [];
  let asked = 0;
  const client = await openEndpoint(
    (response, text) => {
      seen.push(text);
      const refusal = refuse(text);
      const message = { role: "assistant", content: ANSWER };
      const answer = { choices: [{ index: 0, finish_reason: "stop", message }] };
      sendJson(response, refusal?.status ?? 200, refusal?.body ?? answer);
    },
    { models: { router: "m", worker: "m", surgeon: "m" }, onLack: (one) => found.push(one) },
  );
  const ask = (more: Partial<ModelCall> = {}) => {
    const input = JSON.stringify({ text: `Grüße ${(asked += 1)}` });
    return client.ask({ ...CALL, input, temperature: 0.5, tokensMax: 100, ...more });
  };
  return { ask, seen, found };
}
