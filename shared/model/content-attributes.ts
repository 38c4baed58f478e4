import { ATTRIBUTES } from "#shared/telemetry";
import type { ModelAnswer, ModelCall, SpanContent } from "./model-client.ts";
import type { RequestedCall } from "./tool-calls.ts";

/** Characters of one text on a span. */
const TEXT_CHARS_MAX = 8192;

/** What a call sends, as the GenAI conventions have it on spans: JSON text. */
export function contentSent(call: ModelCall, content: SpanContent): Readonly<Record<string, string>> {
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

/** What a call was answered, as the GenAI conventions have it on spans: JSON text. */
export function contentAnswered(
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
