import { isSpanContextValid, trace } from "@opentelemetry/api";
import { pino, stdTimeFunctions } from "pino";
import type { DestinationStream, Logger as PinoLogger } from "pino";
import { describeForLog } from "./describe-for-log.ts";

/** One line of JSON for each call. Give ids as `run_id`, `message_id`, `agent`, `case_id`; an error as `err`. */
export type Logger = PinoLogger;

export interface LoggerOptions {
  /** Process or room that speaks, e.g. `gateway`. */
  readonly service: string;
  readonly level: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  /** Default: standard output. */
  readonly destination?: DestinationStream;
}

/**
 * Makes the logger of a process. Each line has `trace_id` and `span_id` of the active span, if there is one and the
 * call gives none. Secrets and payloads are hidden by the names of their keys, at any depth.
 */
export function createLogger({ service, level, destination }: LoggerOptions): Logger {
  const options = {
    level,
    base: { service },
    timestamp: stdTimeFunctions.isoTime,
    mixin: activeIds,
    mixinMergeStrategy: (call: object, ids: object) => ({ ...ids, ...call }),
    formatters: {
      level: (label: string) => ({ level: label }),
      bindings: describeForLog,
      log: describeForLog,
    },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

function activeIds(): object {
  const span = trace.getActiveSpan()?.spanContext();
  return span !== undefined && isSpanContextValid(span) ? { trace_id: span.traceId, span_id: span.spanId } : {};
}
