import { decodeEntities } from "../entities.ts";
import { rowsOfTree } from "../rows-of-tree.ts";
import type { Tree } from "../tree.ts";
import { cellValue, toObjects } from "./read-table.ts";

/**
 * Reads a table in a language for documents or databases: HTML's rows, a wiki's `|-` and `||`, the tuples of an
 * `INSERT`. Two columns whose first are headings are one object.
 *
 * @param readFlow - Reads a text in JSON's own marks; undefined where it is none.
 */
export function readMarkupTable(
  text: string,
  readFlow: (text: string) => Tree | undefined,
): Tree | undefined {
  if (/<t[rdh][\s>]|<dt[\s>]/i.test(text)) return readHtml(text);
  if (/^\s*\{\|/.test(text)) return readWiki(text);
  return /^\s*INSERT\s/i.test(text) ? readInsert(text, readFlow) : undefined;
}

function readHtml(text: string): Tree | undefined {
  if ((text.match(/<table[\s>]/gi) ?? []).length > 1) return undefined;
  const described = [...text.matchAll(/<dt[^>]*>([^]*?)<\/dt>\s*<dd[^>]*>([^]*?)<\/dd>/gi)];
  if (described.length > 0)
    return toPairs(described.map(([, name = "", value = ""]) => [plain(name), plain(value)]));
  const rows = [...text.matchAll(/<tr[^>]*>([^]*?)<\/tr>/gi)].map(([, row = ""]) =>
    [...row.matchAll(/<(t[hd])[^>]*>([^]*?)<\/\1>/gi)].map(([, tag = "", cell = ""]) => ({
      isHead: tag.toLowerCase() === "th",
      text: plain(cell),
    })),
  );
  const [first, ...others] = rows.map((row) => row.map((cell) => cell.text));
  const isPaired = rows.every((row) => row.map(({ isHead }) => isHead).join() === "true,false");
  if (isPaired) return toPairs(rows.map(([name, value]) => [name?.text ?? "", value?.text ?? ""]));
  return first === undefined ? undefined : toObjects({ head: first, rows: others });
}

function plain(html: string): string {
  return decodeEntities(html.replaceAll(/<br\s*\/?>/gi, "\n").replaceAll(/<[^<>]{1,200}>/g, "")).trim();
}

function toPairs(pairs: readonly (readonly [string, string])[]): Tree {
  return { kind: "object", entries: pairs.map(([key, value]) => ({ key, value: cellValue(value) })) };
}

function readWiki(text: string): Tree | undefined {
  const [head = [], ...rows] = text
    .replace(/^\s*\{\|[^\n]*/, "")
    .replace(/\|\}\s*$/, "")
    .split(/^\|[-+].*$/m)
    .map((row) => row.split(/\|\||!!|^[|!]/m).slice(1))
    .filter((cells) => cells.length > 0)
    .map((cells) => cells.map((cell) => cell.trim()));
  return toObjects({ head, rows });
}

function readInsert(text: string, readFlow: (text: string) => Tree | undefined): Tree | undefined {
  const [, names = "", tuples] =
    /^\s*INSERT\s+INTO\s+\S+\s*\(([^()]{1,2000})\)\s*VALUES\b([^]+)$/i.exec(text.replace(/;\s{0,99}$/, "")) ??
    [];
  const tree = tuples === undefined ? undefined : readFlow(`[[${names.replaceAll(/[[\]]/g, "")}],${tuples}]`);
  return tree && rowsOfTree(tree);
}
