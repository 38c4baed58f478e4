import type OpenAI from "openai";
import { now } from "#shared/clock";
import type { Config, ModelStreams } from "#shared/config";
import { SutureError } from "#shared/errors";
import { openRooms } from "./answer-room.ts";
import type { RoomOptions } from "./answer-room.ts";
import { startTimeLimit } from "./call-limits.ts";
import type { TimeLimit } from "./call-limits.ts";
import {
  ModelImagesRefusedError,
  ModelRefusalError,
  ModelTimeoutError,
  ModelUnavailableError,
} from "./errors.ts";
import type { ModelAnswer, ModelCall, ModelClient } from "./model-client.ts";
import { Negotiation } from "./negotiate.ts";
import type { FoundLack } from "./negotiate.ts";
import { openApi } from "./open-api.ts";
import { charactersOf, costOf, PRICES_DEFAULT } from "./prices.ts";
import type { PriceTable } from "./prices.ts";
import { readUsage } from "./read-completion.ts";
import { postOnce } from "./read-stream.ts";
import type { RequestForm } from "./request-form.ts";
import { sendNegotiated } from "./send-negotiated.ts";
import type { Received } from "./send-negotiated.ts";
import { traceCall } from "./trace-call.ts";

export interface ModelClientOptions extends RoomOptions {
  /** Address of the OpenAI-compatible endpoint, `/v1` included. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Laid over `PRICES_DEFAULT`. Default: none. */
  readonly prices?: PriceTable;
  /** Per call, unless the call says otherwise. Default 60,000 ms. */
  readonly timeoutMs?: number;
  /** Bytes of one answer with all that the endpoint wraps around it, after decompression. Default 1 MiB. */
  readonly answerBytesMax?: number;
  /** True when the endpoint is the bundled rehearsal server: agent and step are then sent along. Default false. */
  readonly isRehearsal?: boolean;
  /** Tiers that receive their answers as streams, with the limits of these. Default: none. */
  readonly streams?: ModelStreams;
  /** Told once of each part of a request that the endpoint turns out not to take. Default: nobody is told. */
  readonly onLack?: (found: FoundLack) => void;
}

interface Asked {
  readonly model: string;
  readonly timeoutMs: number;
  readonly answerBytesMax: number;
  /** Fields of the request that was sent. Absent: none was. */
  readonly sent?: readonly string[];
}

/** Makes the client for one endpoint. Opens no connection; throws a TypeError when `baseUrl` is no URL. */
export function createModelClient(options: ModelClientOptions): ModelClient {
  const { answerBytesMax = 1_048_576, isRehearsal = false, models, streams = NO_STREAMS } = options;
  const endpoint = new URL(options.baseUrl);
  const prices = { ...PRICES_DEFAULT, ...options.prices };
  const closing = new AbortController();
  const roomFor = openRooms(options);
  const negotiation = new Negotiation(options.onLack ?? (() => undefined));
  let opened: Promise<OpenAI> | undefined;

  async function send(call: ModelCall, asked: Asked, limit: TimeLimit, headers: Record<string, string>) {
    const negotiated = negotiation.start(asked.model, call);
    const room = roomFor(call);
    const onSending = (form: RequestForm): void => call.onSending?.(room.costAtMost(call, form, prices));
    limit.signal.throwIfAborted();
    onSending(negotiated.form);
    const api = await (opened ??= openApi(options, answerBytesMax));
    const request = {
      signal: limit.signal,
      headers: { ...headers, ...(isRehearsal ? standInHeaders(call) : {}) },
      // The SDK's own limit comes second, so that ours always says why a call ended.
      timeout: asked.timeoutMs + 5_000,
    };
    const reading = { answerBytesMax, onSpeech: () => limit.heard(streams), request };
    return sendNegotiated({
      call,
      model: asked.model,
      negotiated,
      room,
      post: ({ body }) => postOnce(api, body, reading),
      streams: streams.by[call.tier],
      onSending,
      toThrown: (failure, fields) => toThrown(failure, { call, asked: { ...asked, sent: fields }, limit }),
    });
  }

  async function ask(call: ModelCall): Promise<ModelAnswer> {
    const startedAtMs = now();
    const asked = {
      model: call.model ?? models[call.tier],
      timeoutMs: call.timeoutMs ?? options.timeoutMs ?? 60_000,
      answerBytesMax,
    };
    const limit = startTimeLimit({
      caller: call.signal,
      closing: closing.signal,
      timeoutMs: asked.timeoutMs,
    });
    try {
      return await traceCall({ call, model: asked.model, endpoint, isRehearsal }, async (headers) => {
        const received = await send(call, asked, limit, headers).catch(async (error: unknown) => {
          // Thrown before anything was sent: it was aborted before, or the pictures are too many.
          throw error instanceof SutureError ? error : await toThrown(error, { call, asked, limit });
        });
        return toAnswer(received, { call, asked, prices, durationMs: Math.max(0, now() - startedAtMs) });
      });
    } finally {
      limit.stop();
    }
  }

  return {
    ask,
    rehearsal: isRehearsal,
    endpoint: options.baseUrl,
    modelFor: (tier) => models[tier],
    roomOf: (asked) => roomFor(asked).most,
    close: () => closing.abort(),
  };
}

const NO_STREAMS: ModelStreams = {
  by: { router: "off", worker: "off", surgeon: "off" },
  silentMs: 30_000,
  wholeMs: 600_000,
};

/** Tells the rehearsal server which stand-in answers. Encoded, because a step may have any name. */
function standInHeaders(call: ModelCall): Readonly<Record<string, string>> {
  return {
    "x-suture-agent": encodeURIComponent(call.agent),
    "x-suture-step": encodeURIComponent(call.step),
    ...(call.answersIn === "xml" ? { "x-suture-answers": "xml" } : {}),
  };
}

async function toThrown(
  error: unknown,
  { call, asked, limit }: { readonly call: ModelCall; readonly asked: Asked; readonly limit: TimeLimit },
): Promise<unknown> {
  if (limit.endedBy === "caller") return call.signal.reason;
  const { timeoutMs, silentMs } = limit;
  if (limit.endedBy === "time") return new ModelTimeoutError({ model: asked.model, timeoutMs });
  if (limit.endedBy === "silence") return new ModelTimeoutError({ model: asked.model, timeoutMs, silentMs });
  if (limit.endedBy === "closing") return new ModelUnavailableError({ model: asked.model, reason: "closed" });
  const isOurs = error instanceof ModelUnavailableError || error instanceof ModelImagesRefusedError;
  if (isOurs) return error;
  const { classifyError } = await import("./classify-error.ts");
  const hasImages = (call.images ?? []).length > 0;
  return classifyError(error, hasImages ? { ...asked, sent: [...(asked.sent ?? []), "images"] } : asked);
}

function toAnswer(
  { request, form, completion, thoughts, limit, higherLimit }: Received,
  about: {
    readonly call: ModelCall;
    readonly asked: Asked;
    readonly prices: PriceTable;
    readonly durationMs: number;
  },
): ModelAnswer {
  const usage = readUsage(completion.usage, {
    charactersIn: charactersOf(request),
    charactersOut: completion.text.length + thoughts,
    ...(limit === undefined ? {} : { tokensOutMax: limit }),
  });
  const answer = {
    ...(about.call.tools === undefined ? {} : { tools: { by: form.toolsBy, calls: completion.calls } }),
    model: completion.model ?? about.asked.model,
    usage,
    // Priced by the name asked for: an endpoint does not get to say what it costs.
    cost: costOf(about.asked.model, usage, about.prices),
    durationMs: about.durationMs,
  };
  if (completion.finish === "refusal") throw new ModelRefusalError(answer);
  const { text, finish } = completion;
  return { ...answer, text, finish, ...(higherLimit === undefined ? {} : { higherLimit }) };
}

/** Returns a client's options from the configuration: the configured endpoint, or the bundled stand-ins. */
export function modelSettings(config: Config): ModelClientOptions {
  const { isRehearsal } = config;
  const rehearsalUrl = `http://127.0.0.1:${config.rehearsalPort}/v1`;
  return {
    baseUrl: isRehearsal ? rehearsalUrl : (config.openaiBaseUrl ?? "https://api.openai.com/v1"),
    // A local endpoint that asks for no key still has to be sent one.
    apiKey: config.openaiApiKey?.reveal() ?? "none",
    models: { router: config.modelRouter, worker: config.modelWorker, surgeon: config.modelSurgeon },
    prices: config.modelPrices,
    reasoning: config.modelRoom.reasoning,
    answerTokensMax: config.modelRoom.tokensMax,
    streams: config.modelStreams,
    timeoutMs: config.modelTimeoutMs,
    isRehearsal,
  };
}
