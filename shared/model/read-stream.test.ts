import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { mayBePaid } from "./errors.ts";
import { CALL, openEndpoint } from "./testing/index.ts";

/** Streams that break, stall and come in odd pieces, from a real server on loopback. */

const call = { ...CALL, input: "{}" };

type Respond = (response: ServerResponse) => void;

async function open(
  respond: Respond,
  limits: { silentMs?: number; wholeMs?: number; timeoutMs?: number } = {},
) {
  const closed: Promise<void>[] = [];
  const { silentMs = 60_000, wholeMs = 60_000, timeoutMs = 60_000 } = limits;
  const client = await openEndpoint(
    (response) => {
      closed.push(new Promise((resolve) => response.once("close", resolve)));
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      respond(response);
    },
    {
      timeoutMs,
      answerBytesMax: 20_000,
      streams: { by: { router: "on", worker: "on", surgeon: "on" }, silentMs, wholeMs },
    },
  );
  return { client, closed };
}

function chunk(delta: object, finish: string | null = null): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
}

const HALF = chunk({ content: '{"a":' });
const REST = chunk({ content: '"süß"}' }) + chunk({}, "stop");
const USAGE = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 9 } })}\n\n`;

async function failureOf(respond: Respond, limits = {}): Promise<unknown> {
  const { client } = await open(respond, limits);
  return client.ask(call).then(
    () => expect.unreachable("it was answered"),
    (error: unknown) => error,
  );
}

test.each([
  ["as documented", `${HALF}${REST}${USAGE}data: [DONE]\n\n`],
  ["with CRLF", `${HALF}${REST}${USAGE}data: [DONE]\n\n`.replaceAll("\n", "\r\n")],
  ["with comments and other fields", `: waiting\n\nevent: message\nid: 1\n${HALF}: still\n\n${REST}${USAGE}`],
])("reads a stream %s, a byte at a time", async (_, text) => {
  const { client } = await open((response) => {
    response.socket?.setNoDelay(true);
    const bytes = Buffer.from(text);
    const send = (at: number): void => {
      if (at === bytes.length) response.end();
      else response.write(bytes.subarray(at, at + 1), () => setImmediate(send, at + 1));
    };
    send(0);
  });
  const usage = { input_tokens: 100, output_tokens: 9 };
  expect(await client.ask(call)).toMatchObject({ text: '{"a":"süß"}', finish: "stop", usage });
});

const ERROR = { message: "secret", type: "server_error", code: null };
const limited = { ...ERROR, type: "requests", code: "rate_limit_exceeded" };
const event = (error: unknown): string => `data: ${JSON.stringify({ error })}\n\n`;

test.each([
  ["ends without a reason", HALF, "MODEL_UNAVAILABLE", true],
  ["is a page", "<html></html>", "MODEL_UNAVAILABLE", true],
  ["holds broken JSON", `${HALF}data: {"choices":[{\n\n`, "MODEL_UNAVAILABLE", true],
  ["fails in the middle", HALF + event(ERROR), "MODEL_UNAVAILABLE", true],
  ["is limited at once", event(limited), "MODEL_RATE_LIMITED", false],
  ["names a status", event({ message: "secret", code: 503 }), "MODEL_UNAVAILABLE", false],
  [
    "is too long for the model",
    event({ ...ERROR, code: "context_length_exceeded", type: null }),
    "MODEL_INPUT_REFUSED",
    false,
  ],
  [
    "fails in vLLM's words",
    'data: {"object":"error","message":"secret","code":500}\n\n',
    "MODEL_UNAVAILABLE",
    false,
  ],
  ["never ends a line", `data: ${"x".repeat(30_000)}`, "MODEL_ANSWER_TOO_LARGE", true],
  ["says too much", chunk({ content: "x".repeat(8_000) }).repeat(3), "MODEL_ANSWER_TOO_LARGE", true],
])("a stream that %s is an outage, and is charged where words came", async (_, text, code, isPaid) => {
  const error = await failureOf((response) => response.end(text));
  expect(error).toMatchObject({ code });
  expect(String(error)).not.toContain("secret");
  expect(mayBePaid(error)).toBe(isPaid);
});

test("a stream whose connection breaks in the middle is truncated", async () => {
  const error = await failureOf((response) => response.write(HALF, () => response.destroy()));
  expect(error).toMatchObject({ code: "MODEL_UNAVAILABLE", reason: "truncated" });
});

test("a model that speaks is not cut at the limit of whole answers; one that falls silent is", async () => {
  const { client } = await open(
    (response) => {
      let left = 12;
      const timer = setInterval(() => {
        response.write(chunk({ reasoning_content: "hm " }));
        if ((left -= 1) > 0) return;
        clearInterval(timer);
        response.end(HALF + REST);
      }, 100);
    },
    { timeoutMs: 1_000 },
  );
  expect(await client.ask(call)).toMatchObject({ finish: "stop" });
  const keepsAlive: Respond = (response) => {
    response.write(HALF);
    const timer = setInterval(() => response.write(": alive\n\n"), 10);
    response.once("close", () => clearInterval(timer));
  };
  const silent = await failureOf(keepsAlive, { silentMs: 50 });
  expect(silent).toMatchObject({ code: "MODEL_TIMEOUT" });
  expect(String(silent)).toContain("said nothing for 50 ms");
  expect(mayBePaid(silent)).toBe(true);
});

test("cancelling ends the stream at the endpoint", async () => {
  const { client, closed } = await open((response) => response.write(HALF));
  const controller = new AbortController();
  const asked = client.ask({ ...call, signal: controller.signal });
  await expect.poll(() => closed.length).toBe(1);
  controller.abort("no longer wanted");
  await expect(asked).rejects.toBe("no longer wanted");
  await closed[0];
});
