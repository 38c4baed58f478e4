import { folded } from "../align/match-words.ts";
import type { Entry, Tree } from "./tree.ts";

const HEADS: ReadonlySet<string> = new Set("cols columns fields head header headers names schema".split(" "));
const BODIES: ReadonlySet<string> = new Set("body data items records results rows tuples values".split(" "));
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
  return head?.kind === "array" ? toRows(head, rows) : undefined;
}

function namesAndRows(entries: readonly Entry[]): Tree | undefined {
  const [head, ...heads] = entries.filter(
    ({ key, value }) => value.kind === "array" && HEADS.has(folded(key)),
  );
  const [body, ...bodies] = entries.filter(
    ({ key, value }) => value.kind === "array" && BODIES.has(folded(key)),
  );
  if (head === undefined || body?.value.kind !== "array" || heads.length + bodies.length > 0)
    return undefined;
  return toRows(head.value, body.value.items);
}

function toRows(head: Tree, rows: readonly Tree[]): Tree | undefined {
  if (head.kind !== "array" || rows.length === 0) return undefined;
  const names = head.items.flatMap((name) => nameOf(name) ?? []);
  if (names.length !== head.items.length || new Set(names).size !== names.length || names.length === 0)
    return undefined;
  const items = rows.flatMap((row): Tree[] => {
    const cells = row.kind === "array" ? row.items : memberOf(row, CELLS, "array")?.items;
    return cells?.length === names.length
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
  if (head.kind === "string") return head.text;
  return memberOf(head, NAMES, "string")?.text;
}

/** A cell, or the value of one that is an object: `{"v": 3, "f": "3.00"}`. */
function cellOf(cell: Tree): Tree {
  if (cell.kind !== "object") return cell;
  return cell.entries.find(({ key }) => VALUES.includes(key.toLowerCase()))?.value ?? cell;
}

function memberOf<Kind extends Tree["kind"]>(
  tree: Tree,
  names: readonly string[],
  kind: Kind,
): Extract<Tree, { kind: Kind }> | undefined {
  if (tree.kind !== "object") return undefined;
  for (const name of names) {
    const value = tree.entries.find(({ key }) => key.toLowerCase() === name)?.value;
    if (value !== undefined && isOf(value, kind)) return value;
  }
  return undefined;
}

function isOf<Kind extends Tree["kind"]>(tree: Tree, kind: Kind): tree is Extract<Tree, { kind: Kind }> {
  return tree.kind === kind;
}

function listForEachName(entries: readonly Entry[]): Tree | undefined {
  const columns = entries.map(({ key, value }) => ({
    key,
    cells: value.kind === "array" ? value.items : [],
  }));
  return fromColumns(columns);
}

/** `{"name": {"0": "Ann", "1": "Bo"}, "age": {"0": 3, "1": 4}}`. */
function indexForEachName(entries: readonly Entry[]): Tree | undefined {
  const indices = entries.map(({ value }) =>
    value.kind === "object" ? value.entries.map(({ key }) => key).join(",") : "",
  );
  const isIndexed = indices.every((one) => one === indices[0]) && /^\d+(?:,\d+)*$/.test(indices[0] ?? "");
  if (!isIndexed) return undefined;
  return fromColumns(
    entries.map(({ key, value }) => ({
      key,
      cells: value.kind === "object" ? value.entries.map((entry) => entry.value) : [],
    })),
  );
}

function fromColumns(
  columns: readonly { readonly key: string; readonly cells: readonly Tree[] }[],
): Tree | undefined {
  const [first] = columns;
  const length = first?.cells.length ?? 0;
  if (length === 0 || columns.length < 2 || columns.some(({ cells }) => cells.length !== length))
    return undefined;
  const items = first?.cells.map((_, at): Tree => ({
    kind: "object",
    entries: columns.flatMap(({ key, cells }) => {
      const value = cells[at];
      return value === undefined ? [] : [{ key, value }];
    }),
  }));
  return { kind: "array", items: items ?? [] };
}
