import {
  context,
  isSpanContextValid,
  ProxyTracerProvider,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from "@opentelemetry/api";
import type { Attributes, Context, Link, Span, SpanContext } from "@opentelemetry/api";
import { randomHex } from "#shared/clock";
import { SutureError } from "#shared/errors";

/** Names of span attributes and metrics, of GenAI conventions that will move. None carries payload text. */
export const ATTRIBUTES = {
  runId: "suture.run_id",
  system: "messaging.system",
  destination: "messaging.destination.name",
  messagingOperation: "messaging.operation.name",
  messagingType: "messaging.operation.type",
  messageId: "messaging.message.id",
  deliveries: "suture.deliveries",
  hops: "suture.hops",
  contract: "suture.contract",
  handoffType: "suture.handoff_type",
  /** From the sender's seal to the first step here, in ms: what a queue, a delay or the way itself took. */
  waitedMs: "suture.waited_ms",
  /** SHA-256 of the message's sealed text: with its id, what this step was given. */
  inputDigest: "suture.input.digest",
  /** Outputs of this step: ids of messages, or the run's result. Empty where there are none. */
  outputs: "suture.outputs",
  tokens: "suture.tokens",
  costUsd: "suture.cost_usd",
  team: "gen_ai.workflow.name",
  outcome: "suture.outcome",
  failureClass: "suture.failure_class",
  caseId: "suture.case_id",
  procedure: "suture.procedure",
  errorType: "error.type",
  operation: "gen_ai.operation.name",
  provider: "gen_ai.provider.name",
  agent: "gen_ai.agent.name",
  agentVersion: "gen_ai.agent.version",
  requestModel: "gen_ai.request.model",
  requestTokensMax: "gen_ai.request.max_tokens",
  requestTemperature: "gen_ai.request.temperature",
  responseModel: "gen_ai.response.model",
  finishReasons: "gen_ai.response.finish_reasons",
  inputTokens: "gen_ai.usage.input_tokens",
  outputTokens: "gen_ai.usage.output_tokens",
  systemInstructions: "gen_ai.system_instructions",
  inputMessages: "gen_ai.input.messages",
  outputMessages: "gen_ai.output.messages",
  cachedTokens: "gen_ai.usage.cache_read.input_tokens",
  reasoningTokens: "gen_ai.usage.reasoning.output_tokens",
  serverAddress: "server.address",
  serverPort: "server.port",
} as const;

/** Returns the attributes of a span that sends to a queue, or processes what came by one. */
export function messagingAttributes(name: "process" | "send", destination: string): Record<string, string> {
  return {
    [ATTRIBUTES.system]: "bullmq",
    [ATTRIBUTES.destination]: destination,
    [ATTRIBUTES.messagingType]: name,
    [ATTRIBUTES.messagingOperation]: name,
  };
}

/** Contents of a W3C `traceparent` header. Ids are lower-case hex: 32 and 16 characters, never all zero. */
interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  /** True where the sender recorded this trace, and so should we. */
  readonly isSampled: boolean;
}

const PATTERN = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const LENGTH_MAX = 512;

/** Reads a W3C `traceparent` of version 00 or later. @returns null for others: a bad one begins a new trace. */
export function parseTraceparent(text: string): TraceParent | null {
  const match = text.length > LENGTH_MAX ? null : PATTERN.exec(text);
  if (match === null) return null;
  const [, version = "", traceId = "", spanId = "", flags = "", rest] = match;
  if (version === "ff" || (version === "00" && rest !== undefined)) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Writes version 00. */
export function formatTraceparent({ traceId, spanId, isSampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}

/** A traceparent of a new trace, sampled; of the given trace if there is one. */
export function newTraceparent(traceId: string = randomHex(16)): string {
  return formatTraceparent({ traceId, spanId: randomHex(8), isSampled: true });
}

export interface SpanOptions {
  /** Default: `internal`. `producer` sends, `consumer` handles, `client` calls out, `server` is called. */
  readonly kind?: "internal" | "producer" | "consumer" | "client" | "server";
  /** Names from `ATTRIBUTES`. No payload text. Set here rather than later: sampling reads them. */
  readonly attributes?: Attributes;
  /** Traceparents of other traces that led here, as after a repair. Those that cannot be read do not count. */
  readonly links?: readonly string[];
  /** Traceparent of the cause; null starts a new trace. Default: the active span. */
  readonly parent?: string | null;
}

const KINDS = {
  internal: SpanKind.INTERNAL,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  client: SpanKind.CLIENT,
  server: SpanKind.SERVER,
} as const;

/** The instrumentation's name in every span of ours. */
const TRACER = "suture";

/** Returns true where spans are recorded. If not, the hot path asks for none: ids then come from the messages. */
export function isTracing(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(TRACER) !== undefined;
}

/** Starts a span; the caller ends it. With tracing off it records nothing, and has valid ids nevertheless. */
export function startSpan(name: string, options: SpanOptions = {}): Span {
  const span = trace.getTracer(TRACER).startSpan(
    name,
    {
      kind: KINDS[options.kind ?? "internal"],
      attributes: options.attributes ?? {},
      links: (options.links ?? []).flatMap(toLink),
    },
    parentContext(options.parent),
  );
  if (isSpanContextValid(span.spanContext())) return span;
  const own = toSpanContext(newTraceparent());
  return own === null ? span : trace.wrapSpanContext(own);
}

/**
 * Runs `work` inside a span and ends the span. If `work` throws, the span has status ERROR and `error.type`: the code
 * of a SutureError, else the class of the error. Foreign messages stay out: they may hold payload text.
 */
export async function withSpan<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<Result> | Result,
): Promise<Result> {
  const span = startSpan(name, options);
  try {
    return await context.with(trace.setSpan(context.active(), span), () => work(span));
  } catch (error) {
    markFailed(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Gives a span status ERROR for this error, without the text of foreign messages. */
export function markFailed(span: Span, error: unknown): void {
  const isOurs = error instanceof SutureError;
  const type = isOurs ? error.code : error instanceof Error ? error.name : "unknown";
  span.setAttribute(ATTRIBUTES.errorType, type);
  span.setStatus({ code: SpanStatusCode.ERROR, ...(isOurs ? { message: error.message } : {}) });
}

/** Links a span to another trace. A traceparent that cannot be read is passed over. */
export function linkSpan(span: Span, traceparent: string): void {
  for (const link of toLink(traceparent)) span.addLink(link);
}

/** The span as an envelope and HTTP carry it. */
export function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return formatTraceparent({
    traceId,
    spanId,
    isSampled: (traceFlags & TraceFlags.SAMPLED) > 0,
  });
}

function parentContext(parent: string | null | undefined): Context {
  if (parent === undefined) return context.active();
  const from = parent === null ? null : toSpanContext(parent);
  const bare = trace.deleteSpan(context.active());
  return from === null ? bare : trace.setSpanContext(bare, from);
}

function toLink(traceparent: string): Link[] {
  const from = toSpanContext(traceparent);
  return from === null ? [] : [{ context: from }];
}

function toSpanContext(traceparent: string): SpanContext | null {
  const parsed = parseTraceparent(traceparent);
  if (parsed === null) return null;
  const { traceId, spanId, isSampled } = parsed;
  return { traceId, spanId, traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true };
}
