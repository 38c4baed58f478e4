import { plainName, plainScalar } from "../tree.ts";
import type { Tree } from "../tree.ts";

const COLUMNS_MAX = 100;

/** Reads a text's only table, in Markdown or drawn, as objects named by its head; an empty cell is null. */
export function readTable(text: string): Tree | undefined {
  const lines = text.split("\n").map((line) => line.trim().replaceAll(/[│┃║]/g, "|"));
  const top = lines.findIndex(
    (line, at) => line.includes("|") && !isRule(line) && isRule(lines[at + 1] ?? ""),
  );
  if (top === -1) return undefined;
  const stop = lines.findIndex((line, at) => at > top && !line.includes("|") && !isRule(line));
  const [head = "", ...rows] = lines
    .slice(top, stop === -1 ? lines.length : stop)
    .filter((line) => !isRule(line));
  const after = stop === -1 ? [] : lines.slice(stop);
  if (after.some((line) => line.startsWith("|") || isRule(line))) return undefined;
  return toObjects({ head: cellsOf(head), rows: rows.map(cellsOf) });
}

/** A line below a table's head, or drawn around or between its rows: `| --- | :-: |`, `+----+`, `├──┼──┤`. */
function isRule(line: string): boolean {
  return (
    /^[-─━═:|+┼├┤┬┴└┘┌┐╔╗╚╝╠╣╬╦╩\s]+$/.test(line) && /[-─━═]{2}|:-|-:/.test(line) && /[|+┼┬┴╬╦╩]/.test(line)
  );
}

function cellsOf(line: string): string[] {
  const inner = line.replace(/^\|/, "").replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** Reads a whole text as comma, semicolon or tab separated values with a head and rows of one length. */
export function readSeparated(text: string): Tree | undefined {
  const [hint, ...others] = text.trim().split(/\r?\n/);
  // A spreadsheet's hint for the separator.
  const lines = /^"?sep=.{1,2}$/i.test(hint ?? "") ? others : [hint ?? "", ...others];
  if (lines.length < 2) return undefined;
  for (const mark of [",", ";", "\t", "|", /\s{2,}/]) {
    const rows = withoutIndex(lines.map((line) => valuesOf(line, mark)));
    const [head = [], ...body] = rows;
    const isWhole = head.length > 1 && head.every((name) => /^[\p{L}_][\p{L}\p{N}_ .-]*$/u.test(name));
    const tree = isWhole ? toObjects({ head, rows: body }) : undefined;
    if (tree !== undefined) return tree;
  }
  return undefined;
}

/** Drops a first column without a name that counts the rows. */
function withoutIndex(rows: readonly string[][]): readonly string[][] {
  const [head, ...body] = rows;
  const counts = body.every(([first], at) => first === String(at) || first === String(at + 1));
  if (head !== undefined && counts && body.every((row) => row.length === head.length + 1))
    return [head, ...body.map((row) => row.slice(1))];
  const isIndex =
    head?.[0] === "" && body.every(([first], at) => first === String(at) || first === String(at + 1));
  return isIndex ? rows.map((row) => row.slice(1)) : rows;
}

function valuesOf(line: string, mark: string | RegExp): string[] {
  if (typeof mark !== "string") return line.trim().split(mark);
  const values: string[] = [];
  let value = "";
  let isQuoted = false;
  for (const char of line) {
    if (char === '"') isQuoted = !isQuoted;
    if (char === mark && !isQuoted) {
      values.push(value);
      value = "";
    } else value += char;
  }
  return [...values, value].map((one) =>
    one.trim().replace(/^"([^]*)"$/, (_, inner: string) => inner.replaceAll('""', '"')),
  );
}

function toObjects({ head, rows }: { head: readonly string[]; rows: readonly string[][] }): Tree | undefined {
  const names = head.map(plainName);
  const isEven = rows.every((row) => row.length === names.length);
  if (!isEven || rows.length === 0 || names.length > COLUMNS_MAX || names.includes("")) return undefined;
  // A last row that adds up the others is no item.
  if (rows.at(-1)?.some((cell) => TOTAL.test(cell)) === true) return undefined;
  const items = rows.map((row): Tree => {
    const entries = names.map((key, column) => ({ key, value: cellValue(row[column] ?? "") }));
    return { kind: "object", entries };
  });
  return { kind: "array", items };
}

const TOTAL =
  /^\W*(?:(?:grand|sub)[ -]?)?(?:totals?|sum|summe|gesamt|somme|totale|suma|soma|totaal|итого|всего|合計|合计|总计|합계)\W*$/i;

/** Reads a cell: none is null, and a spreadsheet keeps digits as text by `="007"` or `'007`. */
function cellValue(text: string): Tree {
  const kept = /^="([^"]*)"$/.exec(text)?.[1] ?? /^'(\S[^']*)$/.exec(text)?.[1];
  if (kept !== undefined) return { kind: "string", text: kept, bare: false };
  return text === "" ? { kind: "literal", value: null } : plainScalar(text);
}
