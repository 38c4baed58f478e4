import { folded } from "../align/match-words.ts";
import type { Entry, Tree } from "./tree.ts";

const HEADS: ReadonlySet<string> = new Set(["columns", "fields", "head", "header", "headers", "names"]);
const BODIES: ReadonlySet<string> = new Set(["data", "records", "rows", "values"]);
/** Members of a table that say nothing of its cells. */
const LABELS: ReadonlySet<string> = new Set([
  "count",
  "index",
  "indexnames",
  "columnnames",
  "name",
  "title",
  "total",
  "type",
]);

/**
 * Reads a table that is written as JSON as a list of objects: names and rows apart, rows below a row of names, a list
 * for each name, an indexed object for each name. Undefined for anything whose rows differ in length.
 */
export function rowsOfTree(tree: Tree): Tree | undefined {
  if (tree.kind === "array") return rowsBelowNames(tree.items);
  if (tree.kind !== "object") return undefined;
  return namesAndRows(tree.entries) ?? listForEachName(tree.entries) ?? indexForEachName(tree.entries);
}

function rowsBelowNames(items: readonly Tree[]): Tree | undefined {
  const [head, ...rows] = items;
  return head === undefined ? undefined : toRows(head, rows);
}

function namesAndRows(entries: readonly Entry[]): Tree | undefined {
  const [head, ...heads] = entries.filter(({ key }) => HEADS.has(folded(key)));
  const [body, ...bodies] = entries.filter(({ key }) => BODIES.has(folded(key)));
  const others = entries.filter((entry) => entry !== head && entry !== body);
  if (head === undefined || body?.value.kind !== "array" || heads.length + bodies.length > 0)
    return undefined;
  return others.every(({ key }) => LABELS.has(folded(key)))
    ? toRows(head.value, body.value.items)
    : undefined;
}

function toRows(head: Tree, rows: readonly Tree[]): Tree | undefined {
  if (head.kind !== "array" || rows.length === 0) return undefined;
  const names = head.items.flatMap((name) => (name.kind === "string" ? [name.text] : []));
  if (names.length !== head.items.length || new Set(names).size !== names.length || names.length === 0)
    return undefined;
  const items = rows.flatMap((row): Tree[] =>
    row.kind === "array" && row.items.length === names.length
      ? [{ kind: "object", entries: row.items.map((value, at) => ({ key: names[at] ?? "", value })) }]
      : [],
  );
  return items.length === rows.length ? { kind: "array", items } : undefined;
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
