import type { JsonSchema } from "#shared/json";
import { firstAid } from "#shared/repair";
import { asSchema } from "#shared/schema";
import type { PolicyRow } from "../repairs/contracts.ts";
import { POLICY } from "../repairs/policy/policy.ts";
import { code, pageHead, table } from "./write-page.ts";
import { DIALECT_EXAMPLES, DIALECT_VALUE } from "../repairs/dialect-examples.ts";

const CELL_CHARS_MAX = 100;

/** Renders the policy of first aid: rule by rule what is read, what is refused, and why. */
export function repairsPage(): string {
  const sections = Object.entries(POLICY).map(
    ([about, rows]) =>
      `## ${about}\n\n${table(["rule", "text", "contract", "result", "why"], rows.map(cellsOf))}`,
  );
  return [
    pageHead(
      "Repairs",
      "What first aid makes of a damaged answer, rule by rule; each row is a test. First aid is what repairs a message or a model's answer " +
        "before any model is asked: deterministic, in bounded time, and never by guessing. Where it refuses, the surgeon's next procedure " +
        "takes over. Names in italics are the notes that come with a repaired value; a value without a note is as it was written. " +
        "`↵` stands for a line break. Contracts are closed and their members required, unless marked `?` or `…`.",
    ),
    ...sections,
  ].join("\n");
}

function cellsOf({ rule, text, schema, expected, why }: PolicyRow): string[] {
  const result = firstAid(text, schema);
  const outcome = "refusal" in expected ? `refused: ${expected.refusal}` : code(cut(json(expected.value)));
  const steps = result.ok ? new Set(result.notes.map(({ step }) => `*${step.replaceAll("_", " ")}*`)) : [];
  return [
    rule,
    code(cut(shown(text))),
    schema === undefined ? "" : code(notation(schema)),
    [outcome, ...steps].join(" "),
    why,
  ];
}

const json = (value: unknown): string => JSON.stringify(value, null, 1).replaceAll(/\s*\n\s*/g, " ");

function shown(text: string): string {
  return text.replaceAll("\n", "↵").replaceAll("\u001B", "␛");
}

function cut(text: string): string {
  return text.length > CELL_CHARS_MAX ? `${text.slice(0, CELL_CHARS_MAX)}…` : text;
}

/** Writes a contract shortly: `{city: text, zip?: integer}`. */
function notation(schema: JsonSchema): string {
  return `${kindOf(schema)}${remarkOf(schema)}`;
}

function kindOf(schema: JsonSchema): string {
  const { type, items, anyOf } = schema;
  if (Array.isArray(schema["enum"])) return schema["enum"].join(" or ");
  if ("const" in schema) return JSON.stringify(schema["const"]);
  if (Array.isArray(anyOf)) return anyOf.map((one) => notation(asSchema(one) ?? {})).join(" or ");
  if (type === "array") return `[${notation(asSchema(items) ?? {})}]`;
  if (type === "object") return `{${membersOf(schema).join(", ")}}`;
  return [type].flat().join(" or ").replaceAll("string", "text");
}

function membersOf(schema: JsonSchema): string[] {
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const members = Object.entries(asSchema(schema["properties"]) ?? {}).map(
    ([name, one]) => `${name}${required.includes(name) ? "" : "?"}: ${notation(asSchema(one) ?? {})}`,
  );
  return schema["additionalProperties"] === false ? members : [...members, "…"];
}

/** Rules of a contract besides its type. */
function remarkOf(schema: JsonSchema): string {
  const said = Object.entries(schema).flatMap(([key, value]) => {
    if (key === "description") return [`“${String(value)}”`];
    return KINDS.has(key) ? [] : [`${key}: ${json(value)}`];
  });
  return said.length === 0 ? "" : ` (${said.join(", ")})`;
}

const KINDS: ReadonlySet<string> = new Set([
  "type",
  "enum",
  "const",
  "anyOf",
  "items",
  "properties",
  "required",
  "additionalProperties",
]);

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
