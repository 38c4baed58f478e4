import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { hasSubscribers } from "node:diagnostics_channel";
import { SutureError } from "#shared/errors";
import { ATTRIBUTES } from "#shared/telemetry";
import type { ModelAnswer, ModelCall, SpanContent } from "./model-client.ts";
import type { RequestedCall } from "./tool-calls.ts";

interface TracedCall {
  readonly call: ModelCall;
  readonly model: string;
  readonly endpoint: URL;
  readonly isRehearsal: boolean;
}

/** Runs a call in a GenAI span and hands it trace headers, empty without an SDK; content as the call allows. */
export function traceCall(
  traced: TracedCall,
  work: (headers: Readonly<Record<string, string>>) => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  const options = { kind: SpanKind.CLIENT, attributes: startAttributes(traced) };
  return trace.getTracer("suture.model").startActiveSpan(`chat ${traced.model}`, options, async (span) => {
    const headers: Record<string, string> = {};
    // An instrumented fetch adds the header itself; sent twice, it would count as none.
    if (!hasSubscribers("undici:request:create")) propagation.inject(context.active(), headers);
    // A span that is not sampled is not worth the reading.
    const content = span.isRecording() ? traced.call.content : undefined;
    if (content !== undefined) span.setAttributes(contentSent(traced.call, content));
    try {
      const answer = await work(headers);
      span.setAttributes({
        [ATTRIBUTES.responseModel]: answer.model,
        [ATTRIBUTES.finishReasons]: [answer.finish],
        [ATTRIBUTES.inputTokens]: answer.usage.input_tokens,
        [ATTRIBUTES.outputTokens]: answer.usage.output_tokens,
        ...(content === undefined ? {} : contentAnswered(answer, content)),
        ...given(ATTRIBUTES.cachedTokens, answer.usage.cached_tokens),
        ...given(ATTRIBUTES.reasoningTokens, answer.usage.reasoning_tokens),
      });
      return answer;
    } catch (error) {
      const type = error instanceof SutureError ? error.code : "cancelled";
      span.setAttribute(ATTRIBUTES.errorType, type);
      span.setStatus({ code: SpanStatusCode.ERROR, message: type });
      throw error;
    } finally {
      span.end();
    }
  });
}

function given(name: string, tokens: number | undefined): Record<string, number> {
  return tokens === undefined ? {} : { [name]: tokens };
}

/** Set when the span is made, because that is when samplers look. */
function startAttributes({
  call,
  model,
  endpoint,
  isRehearsal,
}: TracedCall): Record<string, string | number> {
  const at = call.agent.lastIndexOf("@");
  return {
    [ATTRIBUTES.operation]: "chat",
    [ATTRIBUTES.provider]: isRehearsal ? "suture.rehearsal" : "openai",
    [ATTRIBUTES.requestModel]: model,
    [ATTRIBUTES.agent]: at === -1 ? call.agent : call.agent.slice(0, at),
    [ATTRIBUTES.agentVersion]: at === -1 ? "" : call.agent.slice(at + 1),
    [ATTRIBUTES.serverAddress]: endpoint.hostname,
    [ATTRIBUTES.serverPort]: Number(endpoint.port) || (endpoint.protocol === "https:" ? 443 : 80),
    ...(call.tokensMax === undefined ? {} : { [ATTRIBUTES.requestTokensMax]: call.tokensMax }),
    ...(call.temperature === undefined ? {} : { [ATTRIBUTES.requestTemperature]: call.temperature }),
  };
}

const TEXT_CHARS_MAX = 8192;

/** Returns the attributes of a span for the content that a call sends, by the GenAI conventions: JSON text. */
function contentSent(call: ModelCall, content: SpanContent): Readonly<Record<string, string>> {
  const { history = [], exchange = [], reask } = call;
  const messages = [
    ...history.map((turn) => toMessage(turn.role, content.other(turn.content))),
    toMessage("user", content.input(call.input)),
    ...exchange.flatMap(({ text, calls }) => [
      toCalls(text, calls, content),
      {
        role: "tool",
        parts: calls.map(({ name, result }) => ({
          type: "tool_call_response",
          name: content.other(name),
          response: toPart(content.other(result)).content,
        })),
      },
    ]),
    ...(reask === undefined
      ? []
      : [
          toMessage("assistant", content.answer(reask.previousAnswer)),
          toMessage("user", content.other(reask.problems)),
        ]),
  ];
  return {
    [ATTRIBUTES.systemInstructions]: JSON.stringify([toPart(content.instructions(call.instructions))]),
    [ATTRIBUTES.inputMessages]: JSON.stringify(messages),
  };
}

/** Returns the attributes of a span for a call's answer, by the GenAI conventions: JSON text. */
function contentAnswered(
  { text, finish, tools }: ModelAnswer,
  content: SpanContent,
): Readonly<Record<string, string>> {
  const calls = tools?.calls ?? [];
  const said =
    calls.length === 0 ? toMessage("assistant", content.answer(text)) : toCalls(text, calls, content);
  const message = { ...said, finish_reason: finish };
  return { [ATTRIBUTES.outputMessages]: JSON.stringify([message]) };
}

function toCalls(text: string, calls: readonly RequestedCall[], content: SpanContent) {
  const asked = calls.map((call) => ({
    type: "tool_call",
    name: content.other(call.name),
    arguments: toPart(content.other(call.arguments)).content,
  }));
  return { role: "assistant", parts: [...(text === "" ? [] : [toPart(content.other(text))]), ...asked] };
}

function toMessage(role: "user" | "assistant", text: string) {
  return { role, parts: [toPart(text)] };
}

/** Cut after it was redacted: half of a secret is not known for one. */
function toPart(text: string): { readonly type: "text"; readonly content: string } {
  const content =
    text.length <= TEXT_CHARS_MAX
      ? text
      : `${text.slice(0, TEXT_CHARS_MAX).toWellFormed()}… (${text.length} characters)`;
  return { type: "text", content };
}
