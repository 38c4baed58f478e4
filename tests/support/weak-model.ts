import { isRecord } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import { leavesOf, validate } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import type { Behaviour, CompletionRequest } from "./model-endpoint.ts";

const DEPTH_MAX = 12;
const WORDS_MAX = 2000;
const QUOTES_MAX = 100;

/** A model that understands nothing: valid values of its question's words, and a repair that says something else. */
export function weakModel(random: () => number): Behaviour {
  // Asked again about a message, it says the same lie: its second reading agrees with the first.
  const told = new Map<string, Lie>();
  return ({ body }) => {
    const schema = body.response_format?.json_schema?.schema;
    if (schema === undefined) return "I think that this is fine, so I have done it.";
    const said = wordsOf(body);
    if (!isSurgeons(schema)) return JSON.stringify(make(schema, { root: schema, said, random, depth: 0 }));
    const question: unknown = JSON.parse(body.messages.find(({ role }) => role === "user")?.content ?? "{}");
    const { message, contract } = { message: "", contract: {}, ...(isRecord(question) ? question : {}) };
    const lie = told.get(message) ?? lieAbout({ message, contract, said, random });
    told.set(message, lie);
    const answer = {
      verdict: "repaired",
      reason: "The values are those of the message.",
      recipe: null,
      ...lie,
    };
    const wanted = isRecord(schema["properties"]) ? Object.keys(schema["properties"]) : [];
    return JSON.stringify(
      Object.fromEntries(Object.entries(answer).filter(([name]) => wanted.includes(name))),
    );
  };
}

/** The surgeon asks for a payload as a text, with quotations. */
function isSurgeons({ properties }: JsonSchema): boolean {
  return isRecord(properties) && "payload" in properties && "quotes" in properties;
}

interface Lie {
  readonly payload: string;
  readonly quotes: readonly { readonly path: string; readonly quote: string }[];
}

/** A payload that fits the contract, in the words of the question, and quotes the whole message for it. */
function lieAbout(asked: {
  readonly message: string;
  readonly contract: unknown;
  readonly said: readonly string[];
  readonly random: () => number;
}): Lie {
  const { message, contract, said, random } = asked;
  const root = isRecord(contract) && isRecord(contract["schema"]) ? contract["schema"] : {};
  const payload = make(root, { root, said, random, depth: 0 });
  const lines = message
    .split("\n")
    .slice(1, -1)
    .flatMap((line) => line.split(/(?<=[.!?])\s+/));
  const paths = leavesOf(payload).map(({ path }) => path);
  const count = Math.min(Math.max(lines.length, paths.length), QUOTES_MAX);
  const quotes = Array.from({ length: count }, (_, n) => ({
    path: paths[n % paths.length] ?? "",
    quote: lines[n % lines.length] ?? "",
  }));
  return { payload: JSON.stringify(payload), quotes };
}

function wordsOf({ messages }: CompletionRequest): string[] {
  const text = messages.map(({ role, content }) => (role === "user" ? content : "")).join(" ");
  return text
    .split(/[^\p{L}\p{N}@.+-]+/u)
    .filter((word) => word.length > 1)
    .slice(0, WORDS_MAX);
}

interface Making {
  readonly root: JsonSchema;
  readonly said: readonly string[];
  readonly random: () => number;
  readonly depth: number;
}

function pick<Item>(items: readonly Item[], random: () => number): Item | undefined {
  return items[Math.floor(random() * items.length)];
}

/** Returns a value that fits a schema, in so far as the schema says it in the usual words. */
function make(schema: JsonSchema, on: Making): JsonValue {
  const { random, root } = on;
  const below = { ...on, depth: on.depth + 1 };
  const reference = schema["$ref"];
  if (typeof reference === "string" && on.depth < DEPTH_MAX) return make(resolve(reference, root), below);
  if ("const" in schema) return schema["const"] as JsonValue;
  if (Array.isArray(schema["enum"])) return (pick(schema["enum"], random) ?? null) as JsonValue;
  const alternatives = [schema["anyOf"], schema["oneOf"]].find(Array.isArray);
  if (alternatives !== undefined) return make((pick(alternatives, random) ?? {}) as JsonSchema, below);
  const types = [schema["type"]].flat();
  switch (pick(types, random)) {
    case "object": {
      const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
      return Object.fromEntries(
        Object.entries(properties).map(([name, one]) => [name, make(one as JsonSchema, below)]),
      );
    }
    case "array": {
      const least = Number(schema["minItems"] ?? 0);
      const length = on.depth > DEPTH_MAX ? least : Math.max(least, Math.floor(random() * 3));
      const items = isRecord(schema["items"]) ? schema["items"] : {};
      return Array.from({ length }, () => make(items, below));
    }
    case "boolean":
      return random() < 0.5;
    case "integer":
    case "number":
      return makeNumber(schema, on);
    case "null":
      return null;
    default:
      return makeText(schema, on);
  }
}

function resolve(reference: string, root: JsonSchema): JsonSchema {
  const found = reference
    .replace(/^#\/?/, "")
    .split("/")
    .filter((step) => step !== "")
    .reduce<unknown>((at, step) => (isRecord(at) ? at[step] : undefined), root);
  return isRecord(found) ? found : {};
}

function makeNumber(schema: JsonSchema, { said, random }: Making): number {
  const isInteger = [schema["type"]].flat().includes("integer");
  const least = Number(schema["minimum"] ?? schema["exclusiveMinimum"] ?? 0);
  const most = Math.min(Number(schema["maximum"] ?? least + 1000), 1_000_000);
  const numbers = said.map(Number).filter((one) => one > least && one < most);
  const chosen = (random() < 0.7 ? pick(numbers, random) : undefined) ?? least + random() * (most - least);
  return isInteger ? Math.ceil(chosen) : chosen;
}

/** Words that fit as they stand come first: a number of an order that the question names somewhere is the best lie. */
function makeText(schema: JsonSchema, { said, random }: Making): string {
  const fits = (text: string): boolean => validate(text, schema).length === 0;
  const bare = { pattern: schema["pattern"], format: schema["format"] };
  const isBound = Object.values(bare).some((one) => one !== undefined);
  const fitting = isBound ? said.filter(fits) : [];
  const found = pick(fitting, random);
  if (found !== undefined) return found;
  const tries = [
    "2026-01-01",
    "2026-01-01T00:00:00Z",
    "a@b.example",
    "https://a.example/x",
    "A-1001",
    "en",
    "EUR",
  ];
  const known = isBound ? tries.find(fits) : undefined;
  if (known !== undefined) return known;
  const least = Number(schema["minLength"] ?? 1);
  const most = Number(schema["maxLength"] ?? 200);
  let text = "";
  while (text.length < Math.max(least, 12)) text += `${pick(said, random) ?? "nothing"} `;
  return text.trim().slice(0, most).padEnd(least, "x");
}
