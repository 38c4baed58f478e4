import type OpenAI from "openai";
import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources";
import { now } from "#shared/clock";
import { SutureError } from "#shared/errors";
import { ModelTimeoutError, ModelUnavailableError } from "../errors.ts";
import type { TokenUsage } from "../model-client.ts";
import { openApi } from "../open-api.ts";
import { costOf, PRICES_DEFAULT } from "../prices.ts";
import type { PriceTable } from "../prices.ts";
import { readCompletion } from "../read-completion.ts";
import type { Completion } from "../read-completion.ts";
import { postOnce } from "../read-stream.ts";
import { readThoughts } from "../read-thoughts.ts";
import { readUsage } from "../read-usage.ts";
import { charactersOf, costAtMost } from "../request-size.ts";

/** The agent and step of probes, which the rehearsal server answers by itself. */
export const PROBE = { agent: "doctor@1", step: "probe" } as const;

const ANSWER_BYTES_MAX = 1_048_576;

/** A request as it is sent, without the model's name. */
export type ProbeRequest = Omit<ChatCompletionCreateParamsNonStreaming, "model" | "stream">;

/** What came of one request, with its time in milliseconds and its cost in USD. */
export type Probed = { readonly durationMs: number; readonly cost: number } & (
  | {
      readonly ok: true;
      readonly completion: Completion;
      readonly usage: TokenUsage;
      /** The endpoint reported tokens. */
      readonly reportsUsage: boolean;
      /** Characters of thoughts. */
      readonly thoughts: number;
      /** Pieces in which a stream came; 0 for none. */
      readonly pieces: number;
    }
  | { readonly ok: false; readonly error: SutureError }
);

/** Sends single requests exactly as they are, and says what came of them. For diagnosis: nothing is negotiated. */
export interface EndpointProbe {
  send(
    request: ProbeRequest,
    options: { readonly model: string; readonly timeoutMs: number; readonly streams?: boolean },
  ): Promise<Probed>;
  /** USD that a request costs at most. */
  costAtMost(request: ProbeRequest, model: string): number;
}

export interface ProbeOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly prices?: PriceTable;
}

/** Makes a probe of one endpoint. Opens no connection. */
export function createProbe(options: ProbeOptions): EndpointProbe {
  const prices = { ...PRICES_DEFAULT, ...options.prices };
  let opened: Promise<OpenAI> | undefined;
  return {
    costAtMost: (request, model) => costAtMost({ body: { ...request, model } }, { model, prices }).cost,
    async send(request, { model, timeoutMs, streams = false }) {
      const startedMs = now();
      const body = { ...request, model };
      const signal = AbortSignal.timeout(timeoutMs);
      const headers = { "x-suture-agent": PROBE.agent, "x-suture-step": PROBE.step };
      try {
        const api = await (opened ??= openApi(options, ANSWER_BYTES_MAX));
        const received = await postOnce(api, body, {
          streams,
          answerBytesMax: ANSWER_BYTES_MAX,
          onSpeech: () => undefined,
          request: { signal, headers },
        });
        const durationMs = now() - startedMs;
        const completion = readCompletion(received.body, body.tools !== undefined);
        if (completion === null) throw new ModelUnavailableError({ model, reason: "not_a_completion" });
        const thoughts = readThoughts(received.body);
        const usage = readUsage(completion.usage, {
          charactersIn: charactersOf({ body }),
          charactersOut: completion.text.length + thoughts,
        });
        const reportsUsage = typeof completion.usage === "object" && completion.usage !== null;
        const cost = costOf(model, usage, prices);
        const { pieces } = received;
        return { ok: true, completion, usage, reportsUsage, thoughts, pieces, durationMs, cost };
      } catch (error) {
        const thrown = signal.aborted ? new ModelTimeoutError({ model, timeoutMs }) : error;
        return {
          ok: false,
          error: await toError(thrown, { model, body }),
          durationMs: now() - startedMs,
          cost: 0,
        };
      }
    },
  };
}

async function toError(
  error: unknown,
  { model, body }: { readonly model: string; readonly body: ProbeRequest },
): Promise<SutureError> {
  if (error instanceof SutureError) return error;
  const { classifyError } = await import("../classify-error.ts");
  const hasImages = body.messages.some(({ content }) => Array.isArray(content));
  const sent = [...Object.keys(body), ...(hasImages ? ["images"] : [])];
  return classifyError(error, { model, timeoutMs: 0, answerBytesMax: ANSWER_BYTES_MAX, sent });
}
