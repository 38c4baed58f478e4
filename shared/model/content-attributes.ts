import { ATTRIBUTES } from "#shared/telemetry";
import type { ModelAnswer, ModelCall, SpanContent } from "./model-client.ts";

/** Characters of one text on a span. */
const TEXT_CHARS_MAX = 8192;

/** What a call sends, as the GenAI conventions have it on spans: JSON text. */
export function contentSent(call: ModelCall, content: SpanContent): Readonly<Record<string, string>> {
  const { history = [], reask } = call;
  const messages = [
    ...history.map((turn) => toMessage(turn.role, content.other(turn.content))),
    toMessage("user", content.input(call.input)),
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
  { text, finish }: ModelAnswer,
  content: SpanContent,
): Readonly<Record<string, string>> {
  const message = { ...toMessage("assistant", content.answer(text)), finish_reason: finish };
  return { [ATTRIBUTES.outputMessages]: JSON.stringify([message]) };
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
