import fc from "fast-check";
import type { JsonSchema } from "#shared/json";
import type { JsonObject } from "#shared/schema";
import { closed, integer, list, text } from "../contracts.ts";
import { describedObject, frame, names, objectOf, scalar, words } from "./arbitraries.ts";
import type { Described, FaultCase, FaultClass } from "./arbitraries.ts";

/** A contract with a nested object and members beside it, and its value. */
const levels = fc
  .record({
    keys: names(5, 7),
    all: fc.array(scalar, { minLength: 7, maxLength: 7 }),
    inside: fc.integer({ min: 1, max: 2 }),
    isOptional: fc.boolean(),
    free: fc.boolean(),
  })
  .map(({ keys, all, inside, isOptional, free }) => {
    const [holder = "x", ...others] = keys;
    const given = others.map((key, at): [string, Described] => [
      key,
      all[at] ?? { value: 0, schema: integer },
    ]);
    const innerMembers = given.slice(0, inside);
    const outerMembers = given.slice(inside);
    const [first] = outerMembers;
    // A declared member of any content, as notes are.
    if (free && first !== undefined) first[1] = { value: { k: 1 }, schema: { type: "object" } };
    const inner = describedObject(innerMembers);
    const whole = describedObject([[holder, inner], ...outerMembers]);
    const schema = isOptional ? { ...whole.schema, required: [holder] } : whole.schema;
    return {
      holder,
      inner,
      outer: Object.fromEntries(outerMembers.map(([key, { value }]) => [key, value])),
      value: whole.value,
      schema,
    };
  });

/** Objects one of whose levels is missing, has another name, or is one too many. */
const movedLevels: fc.Arbitrary<FaultCase> = fc
  .record({ given: levels, kind: fc.nat(4), order: fc.nat(6), frame })
  .map(({ given, kind, order, frame: framed }) => {
    const { holder, inner, outer, value, schema } = given;
    const flat: JsonObject = { ...inner.value, ...outer };
    const shapes: readonly JsonObject[] = [
      flat,
      { wrap: flat },
      { details: inner.value, ...outer },
      { [holder]: inner.value, more: outer },
      { [holder]: { ...inner.value, ...outer } },
    ];
    const shape = shapes[kind] ?? flat;
    const entries = Object.entries(shape);
    const turned = [...entries.slice(order % entries.length), ...entries.slice(0, order % entries.length)];
    return { text: framed(JSON.stringify(Object.fromEntries(turned))), schema, value };
  });

export const LEVELS: FaultClass = { cases: movedLevels, leastRead: 0.2 };

const RESPELLINGS: readonly ((name: string) => string)[] = [
  (name) => name.toUpperCase(),
  (name) => name[0]?.toUpperCase() + name.slice(1),
  (name) => name.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, "_").toLowerCase(),
  (name) => name.replaceAll(/_(\p{L})/gu, (_, letter: string) => letter.toUpperCase()),
  (name) => name.replaceAll("_", "-"),
  (name) => name.replaceAll("_", " "),
  (name) => name.replace("e", "é").replace("a", "ä"),
  (name) => `${name}_`,
  (name) => ` ${name} `,
  (name) => name.normalize("NFD").replace("o", "ö"),
  (name) => name.replaceAll("_", "."),
];

const DECLARED = ["amount", "unit_price", "totalCount", "postal_code", "orderId", "größe"];

/** Writes the names as a Markdown table's head and the values as its only row. */
function markdownTable(pairs: readonly (readonly [string, string | number])[]): string {
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [
    row(pairs.map(([key]) => key)),
    `|${"---|".repeat(pairs.length)}`,
    row(pairs.map(([, value]) => value)),
  ].join("\n");
}

/** How two members with one name are written. */
const TWO_MEMBERS: readonly ((pairs: readonly (readonly [string, number])[]) => string)[] = [
  (pairs) => `{${pairs.map(([key, value]) => `${JSON.stringify(key)}: ${value}`).join(", ")}}`,
  (pairs) => `{${pairs.map(([key, value]) => `${JSON.stringify(key)}: "${value}"`).join(", ")},}`,
  (pairs) => `Here: {${pairs.map(([key, value]) => `'${key}': ${value}`).join(", ")}}`,
  (pairs) => `[${pairs.map(([key, value]) => `[${JSON.stringify(key)}, ${value}]`).join(", ")}]`,
  (pairs) =>
    `[${pairs.map(([key, value]) => `{"name": ${JSON.stringify(key)}, "value": ${value}}`).join(", ")}]`,
  (pairs) => pairs.map(([key, value]) => `${key}: ${value}`).join("\n"),
  (pairs) => pairs.map(([key, value]) => `- **${key}**: ${value}`).join("\n"),
  (pairs) => pairs.map(([key, value]) => `${key} = ${value}`).join("\n"),
  markdownTable,
  (pairs) =>
    `| Field | Value |\n|---|---|\n${pairs.map(([key, value]) => `| ${key} | ${value} |`).join("\n")}`,
  (pairs) => `${pairs.map(([key]) => key).join(",")}\n${pairs.map(([, value]) => value).join(",")}`,
  (pairs) => `{"result": {${pairs.map(([key, value]) => `${JSON.stringify(key)}: ${value}`).join(", ")}}}`,
  (pairs) =>
    `<answer>${pairs.map(([key, value]) => `<${xmlName(key)}>${value}</${xmlName(key)}>`).join("")}</answer>`,
];

function xmlName(key: string): string {
  return key.trim().replaceAll(" ", "_");
}

/** One member twice, in two spellings, with two values. */
const twoSpellings: fc.Arbitrary<FaultCase> = fc
  .record({
    keys: fc.shuffledSubarray(DECLARED, { minLength: 1, maxLength: 3 }),
    respell: fc.array(fc.constantFrom(...RESPELLINGS), { minLength: 2, maxLength: 2 }),
    values: fc.uniqueArray(fc.integer({ min: 1, max: 999 }), { minLength: 4, maxLength: 4 }),
    isBothRespelled: fc.boolean(),
    isFirst: fc.boolean(),
    isDeep: fc.boolean(),
    alias: fc.boolean(),
    write: fc.constantFrom(...TWO_MEMBERS),
    frame,
  })
  .map(({ keys, respell, values, isBothRespelled, isFirst, isDeep, alias, write, frame: framed }) => {
    const [key = "amount"] = keys;
    const twin = alias ? "synonym" : (respell[0]?.(key) ?? key);
    const own = isBothRespelled ? (respell[1]?.(key) ?? key) : key;
    const others = keys.slice(1).map((name, at): [string, number] => [name, values[at + 2] ?? 1]);
    const pair: [string, number][] = [
      [own, values[0] ?? 1],
      [twin, values[1] ?? 2],
    ];
    const written = write(isFirst ? [...pair, ...others] : [...others, ...pair]);
    const one = closed(
      Object.fromEntries(
        keys.map((name) => [name, name === key ? { ...integer, "x-aliases": ["synonym"] } : integer]),
      ),
    );
    const isJson = written.startsWith('{"');
    const schema = isJson && isDeep ? closed({ lines: list(one) }) : one;
    return {
      text: framed(isJson && isDeep ? `{"lines": [${written}]}` : written),
      schema: written.includes("</") ? { ...schema, "x-accepts": ["xml"] } : schema,
      value: undefined,
    };
  });

export const SPELLINGS: FaultClass = { cases: twoSpellings, leastRead: 0 };

const OWN_NAMES = Object.getOwnPropertyNames(Object.prototype);

/** Names that every object of JavaScript has, as names that a contract declares: read like any others. */
const declaredPrototypes: fc.Arbitrary<FaultCase> = fc
  .record({
    keys: fc.shuffledSubarray(
      [...OWN_NAMES.filter((name) => name !== "__proto__"), "prototype", "length", "then", "name"],
      { minLength: 1, maxLength: 4 },
    ),
    left: fc.nat(1),
    all: fc.array(words, { minLength: 4, maxLength: 4 }),
    slip: fc.constantFrom("", ",", "\n"),
    isDeep: fc.boolean(),
    asked: fc.nat(2),
    frame,
  })
  .map(({ keys, left, all, slip, isDeep, asked, frame: framed }) => {
    const value: JsonObject = Object.fromEntries(keys.map((key, at) => [key, all[at] ?? "x"]));
    const given = Object.fromEntries(Object.entries(value).slice(left));
    const schema = closed(Object.fromEntries(keys.map((key) => [key, text])));
    const written = JSON.stringify(given).replace(/\}$/, `${left < keys.length ? slip : ""}}`);
    const isWhole = left === 0 || asked === 0;
    return {
      text: framed(isDeep ? `{"rows": [${written}]}` : written),
      schema: asked === 0 ? undefined : isDeep ? closed({ rows: list(schema) }) : schema,
      value: isWhole ? (isDeep ? { rows: [given] } : given) : undefined,
    };
  });

export const DECLARED_PROTOTYPES: FaultClass = { cases: declaredPrototypes, leastRead: 0.6 };

/** How a text says that `name` holds `{"qty": 1}` or 1. */
const HELD: readonly ((name: string) => string)[] = [
  (name) => `{"${name}": {"qty": 1}}`,
  (name) => `{'${name}': {'qty': 1},}`,
  (name) => `{"result": {"${name}": {"qty": 1}}}`,
  (name) => `[{"${name}": {"qty": 1}}]`,
  (name) => `{"${name}": [{"qty": 1}]}`,
  (name) => `{"${name}": "{\\"qty\\": 1}"}`,
  (name) => `{"name": "${name}", "value": {"qty": 1}}`,
  (name) => `{"${name}.qty": 1}`,
  (name) => `${name}.qty = 1`,
  (name) => `${name}:\n  qty: 1`,
  (name) => `<${name}><qty>1</qty></${name}>`,
  (name) => `<answer><${name}><qty>1</qty></${name}></answer>`,
  (name) => `| ${name}.qty |\n|---|\n| 1 |`,
  (name) => `${name}.qty\n1`,
  (name) => `${name}[qty]=1&a=2`,
  (name) => `[["${name}", {"qty": 1}]]`,
  (name) => `%{"${name}" => %{"qty" => 1}}`,
  (name) => `{"${name}": {"${name}": {"qty": 1}}}`,
  (name) => `{"constructor": {"${name}": {"qty": 1}}}`,
  (name) => `Reply: {"tool": "x", "arguments": {"${name}": {"qty": 1}}}`,
  (name) => `{"\\u005f${name.slice(1)}": {"qty": 1}}`,
];

/** A wrapper with the name of a prototype is none. */
const prototypeWrappers: fc.Arbitrary<FaultCase> = fc
  .record({
    hold: fc.constantFrom(...HELD),
    schema: fc.constantFrom<JsonSchema>(
      closed({ qty: integer }),
      closed({ item: closed({ qty: integer }) }),
      closed({ qty: { ...integer, "x-aliases": ["__proto__"] } }),
      { ...closed({ qty: integer }), "x-accepts": ["xml"] },
      list(closed({ qty: integer })),
      { type: "object", properties: { qty: integer }, required: ["qty"] },
    ),
    frame,
  })
  .map(({ hold, schema, frame: framed }) => ({ text: framed(hold("__proto__")), schema, value: undefined }));

export const PROTOTYPE_WRAPPERS: FaultClass = { cases: prototypeWrappers, leastRead: 0 };

/** How members that stand outside of a block are written. */
const OUTSIDE: readonly ((pairs: readonly (readonly [string, string | number])[]) => string)[] = [
  (pairs) => pairs.map(([key, value]) => `${key}: ${value}`).join("\n"),
  (pairs) => pairs.map(([key, value]) => `- ${key}: ${value}`).join("\n"),
  (pairs) => pairs.map(([key, value]) => `- **${key}**: ${value}`).join("\n"),
  (pairs) => pairs.map(([key, value]) => `**${key}:** ${value}`).join("\n"),
  (pairs) => pairs.map(([key, value]) => `${key} = ${value}`).join("\n"),
  (pairs) => pairs.map(([key, value]) => `${key}: ${value}`).join(", "),
  (pairs) => pairs.map(([key, value]) => `"${key}": ${JSON.stringify(value)}`).join(", "),
  (pairs) => pairs.map(([key, value]) => `"${key}": ${JSON.stringify(value)},`).join("\n"),
  markdownTable,
  (pairs) => `Summary:\n${pairs.map(([key, value]) => `${key}: ${value}`).join("\n")}`,
  (pairs) => pairs.map(([key, value]) => `The ${key} is ${value}.`).join(" "),
  (pairs) => pairs.map(([key, value]) => `${key} - ${value}`).join("\n"),
  (pairs) => pairs.map(([key, value]) => `${key}\t${value}`).join("\n"),
  (pairs) => pairs.map(([key, value]) => `• ${key} → ${value}`).join("\n"),
];

const BLOCKS: readonly ((json: string) => string)[] = [
  (json) => json,
  (json) => `\`\`\`json\n${json}\n\`\`\``,
  (json) => `notes:\n${json}`,
  (json) => `notes: ${json}`,
  (json) => `- notes:\n\`\`\`json\n${json}\n\`\`\``,
];

/** Members outside of a block that holds an inner object, or the rest of the members. */
const outerMembers: fc.Arbitrary<FaultCase> = fc
  .record({
    id: fc.integer({ min: 1, max: 999 }),
    name: words,
    inner: objectOf(scalar, [1, 2]),
    outside: fc.constantFrom(...OUTSIDE),
    block: fc.constantFrom(...BLOCKS),
    gap: fc.constantFrom("\n", "\n\n"),
    isBehind: fc.boolean(),
    isOptional: fc.boolean(),
    isFlat: fc.boolean(),
    isOpen: fc.boolean(),
  })
  .map(({ id, name, inner, outside, block, gap, isBehind, isOptional, isFlat, isOpen }) => {
    const members = outside([
      ["id", id],
      ["name", name],
    ]);
    const held = block(JSON.stringify(inner.value));
    const own = isFlat ? (inner.schema["properties"] as JsonSchema) : { notes: inner.schema };
    const contract = closed({ id: integer, name: text, ...own });
    const required = isOptional ? Object.keys(own) : Object.keys(contract["properties"] as JsonSchema);
    const { additionalProperties: _closed, ...open } = contract;
    return {
      text: isBehind ? `${held}${gap}${members}` : `${members}${gap}${held}`,
      schema: { ...(isOpen ? open : contract), required },
      value: isFlat ? { id, name, ...inner.value } : { id, name, notes: inner.value },
    };
  });

export const OUTER_MEMBERS: FaultClass = { cases: outerMembers, leastRead: 0.05 };
