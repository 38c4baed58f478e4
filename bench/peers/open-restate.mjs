import { createServer } from "node:http2";
import { randomUUID } from "node:crypto";
import { createEndpointHandler, service } from "@restatedev/restate-sdk";
import { createPayload } from "../peer/payload.ts";
import { Ends } from "../peer/peer.ts";

/** One handler of three `ctx.run`; Restate's log has each result before the next begins. `prefix` is its admin URL. */
export async function open({ url, prefix: adminUrl }) {
  const ends = new Ends();
  const chain = service({
    name: "chain",
    handlers: {
      start: async (ctx, payload) => {
        const first = await ctx.run("first", () => payload);
        const second = await ctx.run("second", () => first);
        return ctx.run("third", () => second);
      },
    },
  });
  const server = createServer(createEndpointHandler({ services: [chain], logger: () => undefined }));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  await demandOk(
    await fetch(`${adminUrl}/deployments`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ uri: `http://127.0.0.1:${server.address().port}` }),
    }),
  );
  let failed;
  return {
    ends,
    async submit({ onEnd }) {
      if (failed !== undefined) throw failed;
      const runId = randomUUID();
      ends.expect(runId, onEnd);
      run(url, createPayload()).then(
        () => ends.end(runId),
        (error) => (failed = error),
      );
    },
    work: async () => undefined,
    close: async () => void server.close(),
  };
}

/** The ingress answers when the run has ended. */
async function run(url, payload) {
  const response = await fetch(`${url}/chain/start`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(payload),
  });
  await demandOk(response);
}

async function demandOk(response) {
  const text = await response.text();
  if (!response.ok) throw new Error(`Restate answered ${response.status}: ${text.slice(0, 300)}`);
}
