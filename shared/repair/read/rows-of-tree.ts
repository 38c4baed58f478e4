import { folded } from "../align/match-words.ts";
import type { Entry, Tree } from "./tree.ts";

const HEADS = /^(?:col(?:umn)?s|fields|head(?:ers?)?|names|schema)$/;
const BODIES = /^(?:body|data|items|records|results|rows|tuples|values)$/;
/** Members of a column or a cell that are its name or its value. */
const NAMES: readonly string[] = ["name", "label", "field", "key", "title", "id"];
const CELLS: readonly string[] = ["c", "cells", "values", "row", "columns"];
const VALUES: readonly string[] = ["v", "value", "content", "text"];
/** Maximum wrappers around a table. */
const DEPTH_MAX = 4;

/**
 * Reads a table that is written as JSON as a list of objects: names and rows apart, rows below a row of names, a list
 * for each name, an indexed object for each name; also within wrappers. Undefined for anything whose rows differ in
 * length.
 */
export function rowsOfTree(tree: Tree, depth = 0): Tree | undefined {
  if (tree.kind === "array") return rowsBelowNames(tree.items);
  if (tree.kind !== "object") return undefined;
  const rows = namesAndRows(tree.entries) ?? listForEachName(tree.entries) ?? indexForEachName(tree.entries);
  if (rows !== undefined || depth >= DEPTH_MAX) return rows;
  const [inner, ...others] = tree.entries.filter(
    ({ value }) => value.kind === "object" || value.kind === "array",
  );
  return inner === undefined || others.length > 0 ? undefined : rowsOfTree(inner.value, depth + 1);
}

function rowsBelowNames(items: readonly Tree[]): Tree | undefined {
  const [head, ...rows] = items;
  return head?.kind === "array" ? toRows(head.items.map(nameOf), rows) : undefined;
}

function namesAndRows(entries: readonly Entry[]): Tree | undefined {
  const [head, ...heads] = entries.filter(
    ({ key, value }) => value.kind === "array" && HEADS.test(folded(key)),
  );
  const [body, ...bodies] = entries.filter(
    ({ key, value }) => value.kind === "array" && BODIES.test(folded(key)),
  );
  if (head?.value.kind !== "array" || body?.value.kind !== "array" || heads.length + bodies.length > 0)
    return undefined;
  return toRows(head.value.items.map(nameOf), body.value.items);
}

function toRows(names: readonly (string | undefined)[], rows: readonly Tree[]): Tree | undefined {
  if (
    rows.length === 0 ||
    names.length === 0 ||
    new Set(names).size !== names.length ||
    names.includes(undefined)
  )
    return undefined;
  const items = rows.flatMap((row): Tree[] => {
    const list = row.kind === "array" ? row : memberOf(row, CELLS);
    const cells = list?.kind === "array" ? list.items : [];
    return cells.length === names.length
      ? [
          {
            kind: "object",
            entries: cells.map((cell, at) => ({ key: names[at] ?? "", value: cellOf(cell) })),
          },
        ]
      : [];
  });
  return items.length === rows.length ? { kind: "array", items } : undefined;
}

function nameOf(head: Tree): string | undefined {
  const name = head.kind === "string" ? head : memberOf(head, NAMES);
  return name?.kind === "string" ? name.text : undefined;
}

/** A cell, or the value of one that is an object: `{"v": 3, "f": "3.00"}`. */
function cellOf(cell: Tree): Tree {
  return memberOf(cell, VALUES) ?? cell;
}

/** The member of an object that has the first of some names. */
function memberOf(tree: Tree, names: readonly string[]): Tree | undefined {
  const entries = tree.kind === "object" ? tree.entries : [];
  return names
    .map((name) => entries.find(({ key }) => key.toLowerCase() === name)?.value)
    .find((value) => value !== undefined);
}

function listForEachName(entries: readonly Entry[]): Tree | undefined {
  return fromColumns(entries, ({ value }) => (value.kind === "array" ? value.items : []));
}

/** `{"name": {"0": "Ann", "1": "Bo"}, "age": {"0": 3, "1": 4}}`. */
function indexForEachName(entries: readonly Entry[]): Tree | undefined {
  const indices = entries.map(({ value }) =>
    value.kind === "object" ? value.entries.map(({ key }) => key).join(",") : "",
  );
  const isIndexed = indices.every((one) => one === indices[0]) && /^\d+(?:,\d+)*$/.test(indices[0] ?? "");
  if (!isIndexed) return undefined;
  return fromColumns(entries, ({ value }) =>
    value.kind === "object" ? value.entries.map((entry) => entry.value) : [],
  );
}

function fromColumns(
  entries: readonly Entry[],
  cellsOf: (entry: Entry) => readonly Tree[],
): Tree | undefined {
  const columns = entries.map(cellsOf);
  const [first] = columns;
  if (first === undefined || columns.length < 2 || columns.some(({ length }) => length !== first.length))
    return undefined;
  const rows = first.map((_, at): Tree => ({
    kind: "array",
    items: columns.flatMap((cells) => cells[at] ?? []),
  }));
  return toRows(
    entries.map(({ key }) => key),
    rows,
  );
}
