import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Draw } from "../seeded.ts";

/** Makes a hostile or a large honest text of about `chars` characters. */
export type MakeText = (chars: number, draw: Draw) => string;

interface Frame {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

function repeated(unit: string, { before = "", after = "" }: Frame = {}): MakeText {
  return (chars) => {
    const times = Math.max(1, Math.floor((chars - before.length - after.length) / unit.length));
    return before + unit.repeat(times) + after;
  };
}

/** Repeats a unit that changes with its index. */
function counted(
  unit: (at: number, draw: Draw) => string,
  { before = "", after = "" }: Frame = {},
): MakeText {
  return (chars, draw) => {
    const parts = [before];
    for (let at = 0, length = before.length; length < chars; at += 1) {
      const part = unit(at, draw);
      parts.push(part);
      length += part.length;
    }
    return parts.join("") + after;
  };
}

/** A unit that is repeated between two ends, by the kind of damage and a name. */
const units = z
  .record(
    z.string(),
    z.record(
      z.string(),
      z.strictObject({ unit: z.string(), before: z.string().optional(), after: z.string().optional() }),
    ),
  )
  .parse(JSON.parse(readFileSync(new URL("../samples/hostile.json", import.meta.url), "utf8")));

const REPEATED = Object.fromEntries(
  Object.values(units).flatMap((kind) =>
    Object.entries(kind).map(([name, { unit, ...frame }]) => [name, repeated(unit, frame)] as const),
  ),
);

const IN_NAME = { before: '{"name": "', after: '",}' };
const IN_ROWS = { before: '{"rows": [', after: "],}" };

/** Units that change from one time to the next, and texts encoded in texts. */
const CHANGING: Readonly<Record<string, MakeText>> = {
  "a base64 text": counted((at) => ((at * 7919) % 46656).toString(36), IN_NAME),
  "messages of all the planes": counted((at) => String.fromCodePoint(0x1f300 + (at % 500)), IN_NAME),
  "objects by lines": counted((at) => `{"name": "n${at}", "count": "${at}"}\n`),
  "different objects in prose": counted((at) => `and {"name": "n${at}"} `),
  "numbers as texts": counted((at) => `"${at}",`, { before: "[", after: "]" }),
  "numbers in a nested text": counted((at) => `\\"${at}\\",`, { before: '"[', after: '\\"\\"]",' }),
  "rows of slips of all names": counted((at) => `{"filed_${at % 300}x_nmae": ${at}},`, IN_ROWS),
  "alternatives that differ": counted(
    (at) => `{"Kind": "k${at % 8}", "v${at % 8}": "1", "name": "x"},`,
    IN_ROWS,
  ),
  "names without end": counted((at) => `"nmae${at}x": 1,`, { before: "{", after: "}" }),
  "names that differ in case": counted((at) => `"${at % 2 === 0 ? "na" : "NA"}me${at}": 1,`, {
    before: "{",
    after: "}",
  }),
  pairs: counted((at) => `["k${at}", "${at}"],`, { before: "[", after: "]" }),
  "regular pieces": counted((_, draw) =>
    draw.pick(['{"', '":', "[", "]", "}", ",", "1", " ", '"', "\\", "\n"]),
  ),
  "texts encoded again and again": (chars) => {
    let text = '{"count": "1"}';
    while (text.length * 2 < chars) text = JSON.stringify({ inner: text });
    return `${text},`;
  },
  "a long text encoded again": (chars) => {
    let text = JSON.stringify({ name: "x".repeat(Math.floor(chars * 0.9)) });
    while (text.length < chars - 40) text = JSON.stringify({ inner: text });
    return `${text},`;
  },
  "names and values": counted((at) => `key_${at}: value\n`),
  "names in levels": counted((at) => `${" ".repeat(at % 40)}k${at}:\n`),
};

export const HOSTILE_TEXTS: Readonly<Record<string, MakeText>> = { ...REPEATED, ...CHANGING };

/** Large and honest: each has a right answer under the schema that its name tells in `HONEST_SCHEMAS`. */
export const HONEST_TEXTS: Readonly<Record<string, MakeText>> = {
  "valid rows": counted((at) => `{"name":"row ${at}","count":${at}},`, {
    before: '{"rows":[',
    after: '{"name":"end"}]}',
  }),
  "valid rows in a fence with a comma too many": counted(
    (at) => `  {"name": "row ${at}", "count": ${at}},\n`,
    {
      before: 'Here you are:\n```json\n{"rows": [\n',
      after: "]}\n```\n",
    },
  ),
  "rows with numbers as texts": counted(
    (at) => `{"name": "row ${at} of the long list of rows, in words enough for one", "count": "${at}"},`,
    {
      before: '{"rows": [',
      after: '{"name": "end"}]}',
    },
  ),
  "rows in single quotes": counted((at) => `{'name': 'row ${at}', 'count': ${at}},`, {
    before: "{'rows': [",
    after: "]}",
  }),
  "one valid long text": repeated("All work and no play. ", { before: '{"name": "', after: '"}' }),
  "one long text with raw lines": repeated('He said "so" and went.\n', { before: '{"name": "', after: '"}' }),
  "rows lacking their closers": counted((at) => `{"name": "row ${at}", "count": ${at}}, `, {
    before: '{"rows": [',
    after: '{"name": "end"}',
  }),
};
