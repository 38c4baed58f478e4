import { context, propagation, SpanKind, trace } from "@opentelemetry/api";
import type { Attributes, SpanContext, SpanStatus } from "@opentelemetry/api";
import { NodeSDK } from "@opentelemetry/sdk-node";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ModelAnswer } from "./model-client.ts";
import { traceCall } from "./trace-call.ts";

/** What the tests look at of an ended span. */
interface EndedSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  readonly status: SpanStatus;
  readonly events: readonly unknown[];
  spanContext(): SpanContext;
}

const ended: EndedSpan[] = [];
const processor = {
  onStart: (): void => undefined,
  onEnd: (span: EndedSpan): void => void ended.push(span),
  forceFlush: (): Promise<void> => Promise.resolve(),
  shutdown: (): Promise<void> => Promise.resolve(),
};

const answer: ModelAnswer = {
  text: "private words",
  model: "gpt-5-mini-2025-08-07",
  usage: { input_tokens: 7, output_tokens: 3 },
  cost: 0.1,
  finish: "stop",
  durationMs: 5,
};

const traced = {
  call: {
    tier: "worker",
    instructions: "private words",
    input: '"private words"',
    schemaName: "a",
    jsonSchema: {},
    signal: new AbortController().signal,
    agent: "triage@2",
    step: "route",
    tokensMax: 10,
  },
  model: "gpt-5-mini",
  endpoint: new URL("https://models.example.com/v1"),
  isRehearsal: false,
} as const;

describe("while tracing is on", () => {
  const sdk = new NodeSDK({ spanProcessors: [processor], autoDetectResources: false });

  beforeAll(() => sdk.start());
  beforeEach(() => void ended.splice(0));
  afterAll(async () => {
    await sdk.shutdown();
    // The SDK leaves itself registered.
    for (const api of [trace, context, propagation]) api.disable();
  });

  test("makes a client span of the GenAI conventions without content, and hands on the trace", async () => {
    let traceparent = "";
    await traceCall(traced, (headers) => {
      traceparent = headers["traceparent"] ?? "";
      return Promise.resolve(answer);
    });
    const span = ended.pop();
    expect(span?.name).toBe("chat gpt-5-mini");
    expect(span?.kind).toBe(SpanKind.CLIENT);
    expect(span?.attributes).toEqual({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "gpt-5-mini",
      "gen_ai.request.max_tokens": 10,
      "gen_ai.agent.name": "triage",
      "gen_ai.agent.version": "2",
      "server.address": "models.example.com",
      "server.port": 443,
      "gen_ai.response.model": "gpt-5-mini-2025-08-07",
      "gen_ai.response.finish_reasons": ["stop"],
      "gen_ai.usage.input_tokens": 7,
      "gen_ai.usage.output_tokens": 3,
    });
    expect(traceparent).toContain(span?.spanContext().spanId);
  });
});
