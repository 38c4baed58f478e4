import { createFirst } from "#shared/envelope";
import type { Conversation, HistoryMessage } from "#shared/envelope";
import type { CompressionContext } from "../summaries.ts";
import { compressionStandIns } from "../stand-ins.ts";
import type { CountTokens } from "../tokens.ts";

/** Estimates tokens: monotonic, and 0 for an empty text. */
export const countRoughly: CountTokens = (text) => Math.ceil(text.length / 3.5);

const FIRST = createFirst({
  to: "intake@1",
  contract: "note@1",
  payload: {},
  traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
});

export interface AskedStep {
  readonly step: string;
  readonly input: unknown;
}

/** A handler's context in memory, answered by a compression's stand-ins or by `answer`. */
export function memoryContext(
  conversation: Partial<Conversation> & { readonly history: readonly HistoryMessage[] },
  answer?: (step: string, input: never) => unknown,
): CompressionContext & { readonly asked: AskedStep[] } {
  const asked: AskedStep[] = [];
  const standIns = compressionStandIns();
  return {
    asked,
    envelope: {
      ...FIRST,
      conversation: { tool_state: {}, metadata: {}, ...conversation, history: [...conversation.history] },
    },
    async model(step, request) {
      asked.push({ step, input: request.input });
      const given = answer ?? standIns[step];
      const value =
        answer === undefined
          ? standIns[step]?.(request.input as never)
          : answer(step, request.input as never);
      if (given === undefined) throw new Error(`nobody answers ${step}`);
      return request.answers.schema.parse(JSON.parse(JSON.stringify(value))) as never;
    },
    step: async (_, work) => work(new AbortController().signal),
    tokenCounter: () => Promise.resolve(countRoughly),
  };
}
