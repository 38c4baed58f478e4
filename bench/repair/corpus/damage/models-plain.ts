import { isObject } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import type { Draw } from "../../seeded.ts";
import type { StyleDamage } from "../damage.ts";
import { enumOf, settledPart } from "../sites.ts";
import { all, bareLine, flatMembers, flatRows } from "./flat.ts";
import type { Scalar } from "./flat.ts";
import { title } from "./shape-names.ts";

const lines = (value: JsonValue, line: (name: string, text: string) => string): string | undefined =>
  all(
    (flatMembers(value) ?? [undefined]).map((member) => {
      const text = member === undefined ? undefined : bareLine(member[1]);
      return member === undefined || text === undefined ? undefined : line(member[0], text);
    }),
  )?.join("\n");

/** A cell of a Markdown table: no character that Markdown takes for its own. */
function cell(value: Scalar | undefined): string | undefined {
  const text = value === undefined ? undefined : bareLine(value);
  return text === undefined || /[|\\*_`<>]/.test(text) ? undefined : text;
}

/** Bullets in bullets; undefined for lists of objects, whose items have no names. */
function bullets(value: JsonValue, indent = ""): string | undefined {
  const members: [string | undefined, JsonValue][] = Array.isArray(value)
    ? value.map((item) => [undefined, item])
    : Object.entries(isObject(value) ? value : {});
  const written = members.map(([name, inner]) => {
    if (typeof inner === "object" && inner !== null) {
      const below = name === undefined ? undefined : bullets(inner, `${indent}  `);
      return below === undefined || name === undefined ? undefined : `${indent}- ${name}:\n${below}`;
    }
    const text = bareLine(inner);
    return text === undefined ? undefined : `${indent}- ${name === undefined ? "" : `${name}: `}${text}`;
  });
  return written.length === 0 ? undefined : all(written)?.join("\n");
}

const tableRow = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

/** A single word or number that can be told from the prose around it. */
function bareAnswer(value: JsonValue): string | undefined {
  return typeof value === "boolean" ||
    typeof value === "number" ||
    (typeof value === "string" && /^\w+$/.test(value))
    ? String(value)
    : undefined;
}

const inProse = (
  name: string,
  why: string,
  how: (answer: string, draw: Draw) => string | undefined,
): StyleDamage => ({
  name,
  why,
  write: ({ value, contract: { part } }, draw) => {
    const answer = bareAnswer(value);
    const text = answer === undefined ? undefined : how(answer, draw);
    const isNamedTwice =
      text !== undefined &&
      enumOf(settledPart(value, part)).some((other) => other !== answer && text.includes(other));
    return isNamedTwice ? undefined : text;
  },
});

const bulleted = (name: string, mark: (index: number) => string): StyleDamage => ({
  name,
  why: "each line holds one item of the list that was asked for",
  write: ({ value }) => {
    if (!Array.isArray(value) || value.length < 2) return undefined;
    const items = all(value.map((item) => (typeof item === "string" ? bareLine(item) : undefined)));
    return items?.map((item, index) => `${mark(index)} ${item}`).join("\n");
  },
});

/** How models answer when they forget JSON. */
export const PLAIN: readonly StyleDamage[] = [
  {
    name: "name: value lines",
    why: "each line has a declared name, and the value is the rest of the line",
    write: ({ value }) => lines(value, (name, text) => `${name}: ${text}`),
  },
  {
    name: "Title: value lines",
    why: "each label spells a declared name, and the value is the rest of the line",
    write: ({ value }) => lines(value, (name, text) => `${title(name)}: ${text}`),
  },
  {
    name: "bold labels in bullets",
    why: "each bullet has a declared name, and the value is the rest of the line",
    write: ({ value }, draw) =>
      lines(value, (name, text) => draw.pick([`- **${name}**: ${text}`, `- **${name}:** ${text}`])),
  },
  {
    name: "bullets in bullets",
    why: "each bullet has a declared name or is an item, and indentation shows what it belongs to",
    write: ({ value }) => (isObject(value) && flatMembers(value) === undefined ? bullets(value) : undefined),
  },
  {
    name: "numbered labels",
    why: "each line has a declared name after its number, and the value is the rest of the line",
    write: ({ value }) => {
      let at = 0;
      return lines(value, (name, text) => `${(at += 1)}. ${name}: ${text}`);
    },
  },
  {
    name: "headings and lines",
    why: "each heading is a declared name, and one line follows",
    write: ({ value }) => lines(value, (name, text) => `## ${title(name)}\n${text}\n`),
  },
  {
    name: "Markdown table of members",
    why: "each row holds a declared name and its value",
    write: ({ value }, draw) => {
      const rows = all(
        (flatMembers(value) ?? [undefined]).map((member) => {
          const text = member === undefined ? undefined : cell(member[1]);
          return member === undefined || text === undefined ? undefined : tableRow([member[0], text]);
        }),
      );
      return (
        rows &&
        [
          tableRow(
            draw.pick([
              ["Field", "Value"],
              ["Key", "Value"],
              ["Property", "Value"],
            ]),
          ),
          "| --- | --- |",
          ...rows,
        ].join("\n")
      );
    },
  },
  {
    name: "Markdown table of rows",
    why: "the header holds the declared names, and each row is an item",
    write: ({ value }, draw) => {
      const flat = flatRows(value) ?? flatRows([value]);
      const rows = all(
        (flat?.rows ?? [undefined]).map((row) => (row === undefined ? undefined : all(row.map(cell)))),
      );
      if (flat === undefined || rows === undefined || flat.names.length < 2) return undefined;
      const rule = draw.pick(["---", ":---", ":-:"]);
      return [tableRow(flat.names), tableRow(flat.names.map(() => rule)), ...rows.map(tableRow)].join("\n");
    },
  },
  bulleted("dashes before items", () => "-"),
  bulleted("bullets before items", () => "•"),
  bulleted("numbers before items", (index) => `${index + 1}.`),
  {
    name: "items on lines of their own",
    why: "a list of texts was asked for, and each line is one",
    write: ({ value }) =>
      Array.isArray(value) && value.length > 2
        ? all(value.map((item) => (typeof item === "string" ? bareLine(item) : undefined)))?.join("\n")
        : undefined,
  },
  inProse("bold answer in prose", "the bold word is the only candidate", (answer, draw) =>
    draw.pick([
      `The answer is **${answer}**.`,
      `After reading the message, I would say **${answer}**, because of its tone.`,
      `**${answer}**`,
    ]),
  ),
  inProse("quoted answer in prose", "the quoted word is the only candidate", (answer, draw) =>
    draw.pick([`"${answer}" is the answer.`, `My answer is "${answer}".`, `The right value is '${answer}'`]),
  ),
  inProse("label and answer", "the label announces the answer", (answer, draw) =>
    draw.pick([
      `Answer: ${answer}`,
      `**Answer:** ${answer}`,
      `Result: **${answer}**`,
      `Final answer: ${answer}`,
    ]),
  ),
  inProse(
    "label, answer and prose",
    "the label announces the answer, and the prose names no other",
    (answer, draw) =>
      draw.pick([
        `Answer: ${answer}\n\nThe text makes this clear in its first sentence.`,
        `Answer: ${answer}\nExplanation: the author says so directly.`,
      ]),
  ),
  inProse(
    "answer and explanation",
    "the first line is the answer and nothing else",
    (answer) => `${answer}\n\nThe author leaves little doubt about it.`,
  ),
  inProse(
    "boxed answer",
    "the box marks the final answer",
    (answer) => `Therefore the final answer is $\\boxed{${answer}}$.`,
  ),
  inProse(
    "answer with a full stop",
    "the mark ends the sentence; a number could be cut there, so that none is",
    (answer) => (/\d/.test(answer) ? undefined : `${answer}.`),
  ),
];
