import { pipeline, Readable } from "node:stream";
import type { Transform } from "node:stream";
import { constants, createBrotliCompress, createGzip } from "node:zlib";
import type { FastifyReply } from "fastify";
import { sleep } from "#shared/clock";

const HEARTBEAT = Symbol("heartbeat");

/** Looks back 256 KiB, and takes little time for it. */
const FLUSHED_BROTLI = {
  flush: constants.BROTLI_OPERATION_FLUSH,
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 },
};

/** Writes values as the data of server-sent events. */
export async function* toEvents(values: AsyncIterable<unknown>): AsyncGenerator<string, void> {
  for await (const value of values) yield `data: ${JSON.stringify(value)}\n\n`;
}

/**
 * Sends server-sent events, with a comment in every silence, as fast as the client takes them. Awaits the first before
 * the headers, so that a refusal is an ordinary answer.
 * @param stream.onError - Returns what to tell of an error, or throws. Default: it is thrown.
 * @param stream.compresses - For events that repeat each other: each costs its difference to those before, to a client
 * that takes compressed answers. Default: they are sent as they are.
 */
export async function streamEvents(
  reply: FastifyReply,
  heartbeatEveryMs: number,
  stream: {
    readonly events: AsyncGenerator<string, void>;
    readonly onError?: (error: unknown) => unknown;
    readonly compresses?: boolean;
  },
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
  reply
    .headers({ "cache-control": "no-store", "x-accel-buffering": "no" })
    .type("text/event-stream; charset=utf-8");
  const [encoding, compressor] = (stream.compresses === true && compressorFor(reply)) || [];
  if (compressor === undefined) return reply.send(text);
  return reply.header("content-encoding", encoding).send(pipeline(text, compressor, () => undefined));
}

/** Returns the best compression that the client takes, which keeps no event back; null for none. */
function compressorFor({ request }: FastifyReply): readonly [encoding: string, Transform] | null {
  const accepted = request.headers["accept-encoding"] ?? "";
  if (/\bbr\b/.test(accepted)) return ["br", createBrotliCompress(FLUSHED_BROTLI)];
  return /\bgzip\b/.test(accepted) ? ["gzip", createGzip({ flush: constants.Z_SYNC_FLUSH })] : null;
}

function rethrow(error: unknown): never {
  throw error;
}

async function* write(
  heartbeatEveryMs: number,
  stream: {
    readonly events: AsyncGenerator<string, void>;
    readonly onError: (error: unknown) => unknown;
    readonly first: IteratorResult<string, void>;
  },
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
