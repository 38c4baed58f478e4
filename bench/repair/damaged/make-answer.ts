import type { JsonSchema } from "#shared/json";
import { validate } from "#shared/schema";
import type { JsonObject, JsonValue } from "#shared/schema";
import type { Draw } from "../seeded.ts";

/** Texts that try readers in their own right; each is used where the schema allows it. */
const TEXTS: readonly string[] = [
  "The screen flickers, then turns black.",
  "Zoë O'Neil & Söhne",
  "Order arrived: two days late; box open",
  "see https://shop.example/a?b=c#d",
  "Bitte um Rückruf – danke!",
  "costs 12,50 € (not 15)",
  "first line\nsecond line",
  'she said "no, thanks" twice',
  "C:\\temp\\new",
  "use {curly} and [square] brackets",
  "日本語のテキスト 🙂",
  "ann.lee@mail.example",
  "Pat <pat@mail.example>",
  "A-1042-7",
  "ORD-20250117",
  "DE8937040044053201",
  "0042",
  "01067",
  "image/png",
  "a".repeat(32) + "0123456789abcdef".repeat(2),
  "s3://bucket/key-1",
  "2025-03-14",
  "2024-11-30",
  "2025-03-14T09:30:00Z",
  "refund of 20.00",
];

const NAMES: readonly string[] = ["pens", "Ink bottles", "A4-paper", "x_1"];

/** A value that satisfies the schema; undefined where none was found. */
export function makeAnswer(schema: JsonSchema, draw: Draw): JsonValue | undefined {
  for (let tries = 0; tries < 20; tries += 1) {
    const value = make({ schema, root: schema, depth: 0 }, draw);
    if (value !== undefined && validate(value, schema).length === 0) return value;
  }
  return undefined;
}

interface Wanted {
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
  readonly depth: number;
}

function make({ schema, root, depth }: Wanted, draw: Draw): JsonValue | undefined {
  const inner = (one: JsonSchema): JsonValue | undefined =>
    make({ schema: one, root, depth: depth + 1 }, draw);
  const ref = schema["$ref"];
  if (typeof ref === "string") return inner(at(root, ref));
  // What stands in a schema is JSON by definition.
  if ("const" in schema) return schema["const"] as JsonValue;
  if (Array.isArray(schema["enum"])) return draw.pick(schema["enum"] as JsonValue[]);
  const choices = (schema["anyOf"] ?? schema["oneOf"]) as JsonSchema[] | undefined;
  if (choices !== undefined) return inner(draw.pick(choices));
  if (schema["type"] === "object") return makeObject({ schema, root, depth }, draw);
  if (schema["type"] === "array") return makeArray({ schema, root, depth }, draw);
  if (schema["type"] === "boolean") return draw.next() < 0.5;
  if (schema["type"] === "null") return null;
  if (schema["type"] === "string")
    return draw.find(TEXTS.filter((text) => validate(text, { ...schema, $defs: {} }).length === 0));
  const least = typeof schema["minimum"] === "number" ? Math.max(schema["minimum"], -50) : 1;
  const most = typeof schema["maximum"] === "number" ? Math.min(schema["maximum"], 4000) : 4000;
  const drawn = least + draw.next() * (most - least);
  return schema["type"] === "integer" ? Math.floor(drawn) : Math.round(drawn * 100) / 100;
}

function makeObject({ schema, root, depth }: Wanted, draw: Draw): JsonValue {
  const value: JsonObject = {};
  const required = new Set(schema["required"] as string[] | undefined);
  for (const [key, one] of Object.entries((schema["properties"] ?? {}) as Record<string, JsonSchema>)) {
    if (!required.has(key) && (depth > 4 || draw.next() < 0.4)) continue;
    const made = make({ schema: one, root, depth: depth + 1 }, draw);
    if (made !== undefined) value[key] = made;
  }
  const others = schema["additionalProperties"];
  if (typeof others === "object" && schema["properties"] === undefined) {
    for (const key of NAMES.slice(draw.below(3)))
      value[key] = make({ schema: others as JsonSchema, root, depth: depth + 1 }, draw) ?? null;
  }
  return value;
}

function makeArray({ schema, root, depth }: Wanted, draw: Draw): JsonValue {
  const fixed = schema["prefixItems"] as JsonSchema[] | undefined;
  const items = (schema["items"] ?? {}) as JsonSchema;
  const many = depth > 5 ? 0 : Math.max(Number(schema["minItems"] ?? 0), draw.below(4));
  const wanted =
    fixed ?? Array.from({ length: Math.min(many, Number(schema["maxItems"] ?? 4)) }, () => items);
  return wanted.map((one) => make({ schema: one, root, depth: depth + 1 }, draw) ?? null);
}

/** What a reference inside the document names. */
export function at(root: JsonSchema, reference: string): JsonSchema {
  return reference
    .split("/")
    .slice(1)
    .reduce<JsonSchema>((schema, step) => (schema[step] ?? {}) as JsonSchema, root);
}
