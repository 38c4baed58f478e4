import { createServer } from "node:http";
import { listenLocally } from "../support/listen-locally.ts";

/** An outside system that does whatever it is asked to, once for each request: a repeat shows. */
export interface Outside {
  readonly url: string;
  /** Every effect, by the idempotency key it came with. */
  readonly effects: { readonly task: string; readonly key: string }[];
}

export async function startOutside(): Promise<Outside> {
  const effects: { task: string; key: string }[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (part) => (text += String(part)));
    request.on("end", () => {
      const key = new URL(request.url ?? "", "http://localhost").searchParams.get("key");
      let at = effects.findIndex((one) => one.key === key);
      if (request.method === "POST") at = effects.push(JSON.parse(text)) - 1;
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ effect_id: at === -1 ? null : `effect-${at}` }));
    });
  });
  const port = await listenLocally(server);
  return { url: `http://127.0.0.1:${port}`, effects };
}
