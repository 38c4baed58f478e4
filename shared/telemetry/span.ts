import {
  ProxyTracerProvider,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  context,
  isSpanContextValid,
  trace,
} from "@opentelemetry/api";
import type { Attributes, Context, Link, Span, SpanContext } from "@opentelemetry/api";
import { SutureError } from "#shared/errors";
import { ATTRIBUTES } from "./attributes.ts";
import { formatTraceparent, newTraceparent, parseTraceparent } from "./traceparent.ts";

export interface SpanOptions {
  /** Default: `internal`. `producer` sends, `consumer` handles, `client` calls out, `server` is called. */
  readonly kind?: "internal" | "producer" | "consumer" | "client" | "server";
  /** Names from `attributes.ts`. No payload text. Set here rather than later: sampling reads them. */
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

/** Whether spans are recorded. If not, the hot path asks for none: its ids then come from the messages themselves. */
export function isTracing(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(TRACER) !== undefined;
}

/**
 * Starts a span; the caller ends it. With tracing off it records nothing and still has valid ids: those of its parent,
 * or new ones, so that every run has a trace id.
 */
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
