import { getEventListeners, once } from "node:events";
import Fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { abortWithClient } from "./abort-with-client.ts";

/** A server whose `/` answers at once, and whose `/waits` answers when its signal is aborted. */
async function startWaiting(stopping: AbortSignal) {
  const signals: AbortSignal[] = [];
  const begun = new EventTarget();
  const app = Fastify();
  app.get("/", async (_request, reply) => {
    signals.push(abortWithClient(reply, stopping));
    return {};
  });
  app.get("/waits", async (_request, reply) => {
    const signal = abortWithClient(reply, stopping);
    signals.push(signal);
    begun.dispatchEvent(new Event("begun"));
    if (!signal.aborted) await once(signal, "abort");
    return {};
  });
  onTestFinished(() => app.close());
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  return { url, signals, hasBegun: once(begun, "begun") };
}

test("ends the work when the client is gone", async () => {
  const { url, signals, hasBegun } = await startWaiting(new AbortController().signal);
  const client = new AbortController();
  const reply = fetch(`${url}/waits`, { signal: client.signal });
  await hasBegun;
  expect(signals[0]?.aborted).toBe(false);
  client.abort();
  await expect(reply).rejects.toThrow();
  await expect.poll(() => signals[0]?.aborted).toBe(true);
});

test("leaves nothing on the signal of the service", async () => {
  const stopping = new AbortController();
  const { url, signals } = await startWaiting(stopping.signal);
  for (let i = 0; i < 5; i += 1) await (await fetch(url)).text();
  await expect.poll(() => signals.every((signal) => signal.aborted)).toBe(true);
  expect(getEventListeners(stopping.signal, "abort")).toEqual([]);
});
