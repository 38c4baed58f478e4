import { DIALECT_EXAMPLES, DIALECT_VALUE } from "../repairs/dialect-examples.ts";
import { code, pageHead, table } from "./markdown.ts";

const EXAMPLE_CHARS_MAX = 110;

/** Renders every dialect of model APIs, chat templates and models, with an example. */
export function dialectsPage(): string {
  const sections = Object.entries(DIALECT_EXAMPLES).map(
    ([about, examples]) =>
      `## ${about}\n\n${table(
        ["dialect", "example"],
        examples.map(({ dialect, text }) => [dialect, code(shortened(text))]),
      )}`,
  );
  return [
    pageHead(
      "Dialects",
      "Every form in which an answer of a model may come and from which first aid takes the answer, without a setting. Each row is a test. " +
        "In the examples `{…}` stands for the answer; long ones are cut. What is read from the answer itself: [repairs](repairs.md).",
    ),
    ...sections,
  ].join("\n");
}

/** Writes the answer as `{…}`, escaped or not. */
function shortened(text: string): string {
  const answer = JSON.stringify(DIALECT_VALUE);
  const escaped = [
    answer,
    JSON.stringify(answer).slice(1, -1),
    JSON.stringify(JSON.stringify(answer)).slice(1, -1),
  ];
  const plain = escaped
    .reduce((rest, form) => rest.replaceAll(form, "{…}"), text)
    .replaceAll(/\s*\n\s*/g, " ↵ ");
  if (plain.length <= EXAMPLE_CHARS_MAX) return plain;
  const start = Math.max(0, Math.min(plain.indexOf("{…}") - 80, plain.length - EXAMPLE_CHARS_MAX));
  const end = start + EXAMPLE_CHARS_MAX;
  return `${start > 0 ? "…" : ""}${plain.slice(start, end)}${end < plain.length ? "…" : ""}`;
}
