import type { JsonOf } from "../http/call-api.ts";
import { visible, visibleJson } from "./visible.ts";

type Step = JsonOf<"showRunStep">;
type Content = Step["input"];

/** Fields of a comparison that are named in a line. */
const FIELDS_SHOWN_MAX = 12;
const INDENT = "    ";

const STATES: Readonly<Record<Exclude<Content["state"], "whole" | "cut" | "partly_kept">, string>> = {
  none: "none",
  not_recorded: "not recorded",
  gone: "kept no more, or held by a case of the ward",
  unverified: "not shown: its receiver has not verified it",
  unreadable: "cannot be read",
  withheld: "not for this key",
};

/** Writes a step as lines of text: what it was, what it was given, what it gave, and what was used. */
export function formatStep(step: Step): string {
  const { kind, agent, name, to, input, output, instructions, problems, diff, conversation } = step;
  const title = [
    kind,
    agent ?? "",
    name ?? "",
    problems === null ? "" : "(asked again)",
    step.round === null ? "" : `round ${step.round}`,
    to === null ? "" : `to ${to.agent}`,
    step.outcome ?? "",
  ];
  const parts = [
    ["id", step.step_id],
    ["facts", factsOf(step)],
    ["failed", step.failure === null ? "" : `${step.failure.class} ${step.failure.code}`],
    ["told", instructions.state === "none" ? "" : contentText(instructions)],
    ["problems", problems ?? ""],
    ["input", input.state === "none" ? "" : contentText(input)],
    ["output", output.state === "none" ? "" : contentText(output)],
    ...(diff === null ? [] : diffParts(diff)),
    ["history", conversation === null || conversation.turns_sent === 0 ? "" : historyText(conversation)],
  ] as const;
  const lines = parts
    .filter(([, text]) => text !== "")
    .map(([label, text]) => `  ${label.padEnd(9)} ${text.replaceAll("\n", `\n${INDENT}`)}`);
  return visible([oneLine(title.filter((part) => part !== "").join(" ")), ...lines].join("\n"));
}

/** A name must not begin a line of its own. */
function oneLine(text: string): string {
  return text.replaceAll(/[\r\n\t]+/g, " ");
}

function factsOf({ hop, attempt, ms, tokens, cost, model, message_id }: Step): string {
  const facts = [
    hop === null ? "" : `hop ${hop}`,
    attempt === null ? "" : `attempt ${attempt}`,
    ms === null ? "" : `${Math.round(ms)} ms`,
    tokens === null || tokens === 0 ? "" : `${tokens} tokens`,
    cost === null || cost === 0 ? "" : `$${cost}`,
    model ?? "",
    `message ${message_id}`,
  ];
  return oneLine(facts.filter((fact) => fact !== "").join(", "));
}

function contentText({ state, value, text, chars, contract }: Content): string {
  const claim = contract === null ? "" : `${contract} `;
  switch (state) {
    case "whole":
      return `${claim}${typeof value === "string" ? visibleJson(value) : visibleJson(value, 2)}`;
    case "cut":
      return `${claim}${text ?? ""} … (${chars} characters; --step shows all)`;
    case "partly_kept":
      return `${text ?? ""} … (${chars} characters, of which no more was kept)`;
    default:
      return STATES[state];
  }
}

function diffParts(diff: NonNullable<Step["diff"]>): (readonly [string, string])[] {
  const used = diff.used.map(({ path, how, chars_sent, chars_used, in: places }) => {
    const part = how === "part" ? ` (${chars_used} of ${chars_sent} characters)` : "";
    return `${path || "/"}${part} in ${places.join(", ")}`;
  });
  const sizes = `${diff.chars_sent} characters sent, ${diff.chars_used} compared`;
  return [
    ["used", listed(used, "\n")],
    ["unused", listed(diff.unused, " ")],
    ["added", listed(diff.added, " ")],
    ["sizes", diff.is_partial ? `${sizes}; not all could be compared` : sizes],
  ];
}

function listed(items: readonly string[], between: string): string {
  const more = items.length - FIELDS_SHOWN_MAX;
  const shown = items.slice(0, FIELDS_SHOWN_MAX).map((item) => oneLine(item) || "/");
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(between);
}

function historyText({
  turns_sent,
  turns_used,
  chars_sent,
  chars_used,
}: NonNullable<Step["conversation"]>): string {
  return `${turns_sent} turns (${chars_sent} characters) in, ${turns_used} (${chars_used}) out`;
}
