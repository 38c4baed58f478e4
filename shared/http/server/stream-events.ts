import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { sleep } from "#shared/clock";

const HEARTBEAT = Symbol("heartbeat");

/** Writes values as the data of server-sent events. */
export async function* toEvents(values: AsyncIterable<unknown>): AsyncGenerator<string, void> {
  for await (const value of values) yield `data: ${JSON.stringify(value)}\n\n`;
}

/**
 * Sends server-sent events, with a comment in every silence, as fast as the client takes them. Awaits the first before
 * the headers, so that a refusal is an ordinary answer.
 * @param stream.onError - Returns what to tell of an error, or throws. Default: it is thrown.
 */
export async function streamEvents(
  reply: FastifyReply,
  heartbeatEveryMs: number,
  stream: { readonly events: AsyncGenerator<string, void>; readonly onError?: (error: unknown) => unknown },
): Promise<FastifyReply> {
  const { events, onError = rethrow } = stream;
  let first: IteratorResult<string, void>;
  try {
    first = await events.next();
  } catch (error) {
    return reply.send(onError(error));
  }
  const text = Readable.from(write(heartbeatEveryMs, { first, events, onError }), {
    objectMode: false,
  });
  // A stream that is destroyed before it was read runs no line of its generator.
  text.once("close", () => void events.return());
  return reply
    .headers({ "cache-control": "no-store", "x-accel-buffering": "no" })
    .type("text/event-stream; charset=utf-8")
    .send(text);
}

function rethrow(error: unknown): never {
  throw error;
}

async function* write(
  heartbeatEveryMs: number,
  stream: Required<Parameters<typeof streamEvents>[2]> & { readonly first: IteratorResult<string, void> },
): AsyncGenerator<string> {
  const { events, onError } = stream;
  let next = Promise.resolve(stream.first);
  try {
    for (;;) {
      const result = await orHeartbeat(next, heartbeatEveryMs);
      if (result === HEARTBEAT) {
        yield ": still here\n\n";
        continue;
      }
      if (result.done === true) return;
      yield result.value;
      next = events.next();
    }
  } catch (error) {
    yield `event: error\ndata: ${JSON.stringify(onError(error))}\n\n`;
  }
}

async function orHeartbeat<Value>(next: Promise<Value>, everyMs: number): Promise<Value | typeof HEARTBEAT> {
  const woken = new AbortController();
  const silence = sleep(everyMs, woken.signal).then(
    (): typeof HEARTBEAT => HEARTBEAT,
    (): typeof HEARTBEAT => HEARTBEAT,
  );
  try {
    return await Promise.race([next, silence]);
  } finally {
    woken.abort();
  }
}
