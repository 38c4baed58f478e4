import fc from "fast-check";
import type { JsonSchema } from "#shared/json";
import type { JsonObject, JsonValue } from "#shared/schema";
import { boolean, closed, integer, list, number, text } from "../contracts.ts";

/** A value with the schema that describes it. */
export interface Described {
  readonly value: JsonValue;
  readonly schema: JsonSchema;
}

/** An object with the contract that describes it. */
interface DescribedObject extends Described {
  readonly value: JsonObject;
}

/** Words that mean something to a reader of values. */
const SPOKEN = /^(?:true|false|null|none|nan|nil|undef|na|no|yes|on|off|empty|missing|unknown)$/i;

const LETTERS = "abcdefghiklmnoprstuvwyzäéñøß名時данныеαβ".split("");

/** A word without marks, in some script. */
export const word: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(..."ABCDEGHKLMOPRSTWÅÉ".split("")),
    fc.array(fc.constantFrom(...LETTERS), { minLength: 2, maxLength: 8 }),
  )
  .map(([first, rest]) => first + rest.join(""))
  .filter((one) => !SPOKEN.test(one));

/** One to four words. */
export const words: fc.Arbitrary<string> = fc
  .array(word, { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(" "));

const STEMS =
  "alpha bravo delta echo golf hotel kilo lima mike oscar papa romeo sierra tango victor zulu".split(" ");
const SUFFIXES = ["", "", "_text", "Text", "-part", "2", "größe", "名"];

/** Names of which no two are spelled alike, and none means anything to a reader of values. */
export function names(least: number, most = least): fc.Arbitrary<string[]> {
  return fc
    .tuple(
      fc.shuffledSubarray(STEMS, { minLength: least, maxLength: most }),
      fc.array(fc.constantFrom(...SUFFIXES), { minLength: most, maxLength: most }),
    )
    .map(([stems, suffixes]) => stems.map((stem, at) => stem + (suffixes[at] ?? "")));
}

export const scalar: fc.Arbitrary<Described> = fc.oneof(
  words.map((value) => ({ value, schema: text })),
  fc.integer({ min: -9999, max: 99_999 }).map((value) => ({ value, schema: integer })),
  fc.integer({ min: 1, max: 99_999 }).map((value) => ({ value: value + 0.5, schema: number })),
  fc.boolean().map((value) => ({ value, schema: boolean })),
);

/** An object with a closed contract whose members are all required. */
export function objectOf(
  members: fc.Arbitrary<Described>,
  [least, most]: readonly [number, number] = [1, 4],
): fc.Arbitrary<DescribedObject> {
  return fc
    .tuple(names(least, most), fc.array(members, { minLength: most, maxLength: most }))
    .map(([keys, all]) =>
      describedObject(keys.map((key, at) => [key, all[at] ?? { value: 0, schema: integer }])),
    );
}

export function describedObject(members: readonly (readonly [string, Described])[]): DescribedObject {
  return {
    value: Object.fromEntries(members.map(([key, { value }]) => [key, value])),
    schema: closed(Object.fromEntries(members.map(([key, { schema }]) => [key, schema]))),
  };
}

/** A list whose items have one shape. */
function listOf(items: fc.Arbitrary<Described>, length: number): fc.Arbitrary<Described> {
  return fc
    .array(items, { minLength: length, maxLength: length })
    .map((all) => ({ value: all.map(({ value }) => value), schema: list(all[0]?.schema ?? text) }));
}

const rows = names(1, 3).chain((keys) =>
  fc
    .array(fc.array(words, { minLength: keys.length, maxLength: keys.length }), {
      minLength: 1,
      maxLength: 3,
    })
    .map((all): Described => ({
      value: all.map((cells) => Object.fromEntries(keys.map((key, at) => [key, cells[at] ?? ""]))),
      schema: list(closed(Object.fromEntries(keys.map((key) => [key, text])))),
    })),
);

/** An object with scalars, lists of words, objects and lists of objects in it. */
export const nested: fc.Arbitrary<DescribedObject> = objectOf(
  fc.oneof(
    { weight: 4, arbitrary: scalar },
    {
      weight: 1,
      arbitrary: listOf(
        words.map((value) => ({ value, schema: text })),
        2,
      ),
    },
    { weight: 1, arbitrary: objectOf(scalar, [1, 3]) },
    { weight: 1, arbitrary: rows },
  ),
  [1, 5],
);

const LEADS = [
  "Here is the answer:",
  "Reply:",
  "Voici la réponse :",
  "Hier ist die Antwort:",
  "Aquí está la respuesta:",
  "以下が結果です:",
  "Вот ответ:",
];

/** What stands around a value: nothing, prose, a fence. */
export const frame: fc.Arbitrary<(text: string) => string> = fc
  .tuple(fc.constantFrom(...LEADS), fc.nat(7))
  .map(([lead, kind]) => (inner) => {
    if (kind === 1) return `${lead} ${inner}`;
    if (kind === 2) return `${lead}\n\n${inner}\n`;
    if (kind === 3) return `${inner}\n\nAnything else?`;
    if (kind === 4) return `\`\`\`json\n${inner}\n\`\`\``;
    if (kind === 5) return `${lead}\n\`\`\`\n${inner}\n\`\`\`\nThat is all.`;
    if (kind === 6) return `\uFEFF  ${inner}\r\n`;
    return inner;
  });

/** A text of a class that was once read wrongly. A refusal is always right. */
export interface FaultCase {
  readonly text: string;
  readonly schema: JsonSchema | undefined;
  /** The only right value; undefined where only a refusal is right. */
  readonly value: JsonValue | undefined;
}

/** A class of texts, and the least share of them that must be read. */
export interface FaultClass {
  readonly cases: fc.Arbitrary<FaultCase>;
  readonly leastRead: number;
}
