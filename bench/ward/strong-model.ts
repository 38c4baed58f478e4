import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mendOrder } from "./broken-orders.ts";

export interface StrongModel {
  readonly url: string;
  readonly calls: () => number;
  close(): Promise<void>;
}

/** How long it thinks: what a strong model takes for such a message at the least, in ms. */
const THINKS_MS = 2000;

/** A real HTTP server that speaks chat completions, repairs any broken order, and names no recipe. */
export async function openStrongModel(): Promise<StrongModel> {
  let calls = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      calls += 1;
      const content = answer(Buffer.concat(chunks).toString());
      const choice = { index: 0, message: { role: "assistant", content }, finish_reason: "stop" };
      const usage = { prompt_tokens: 1500, completion_tokens: 300, total_tokens: 1800 };
      const body = { id: "x", object: "chat.completion", model: "gpt-5", choices: [choice], usage };
      setTimeout(() => {
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
      }, THINKS_MS);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on TCP has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    calls: () => calls,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(request: string): string {
  // What our own client sends, and the question that our own surgeon writes.
  const { messages } = JSON.parse(request) as { messages: { role: string; content: string }[] };
  const question = messages.find(({ role }) => role === "user")?.content ?? "{}";
  const { message } = JSON.parse(question) as { message: string };
  const payload = JSON.stringify(mendOrder(JSON.parse(message.split("\n").slice(1, -1).join("\n"))));
  return JSON.stringify({ verdict: "repaired", payload, reason: "names in another language", recipe: null });
}
