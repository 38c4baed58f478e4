import type { JsonValue } from "#shared/schema";
import type { ShapeDamage, StyleDamage } from "../damage.ts";
import { all, flatMembers, flatRows } from "./flat.ts";
import type { FlatRows, Scalar } from "./flat.ts";
import { wordOf } from "../sites.ts";
import { changing } from "./shape-site.ts";
import { title } from "./shape-names.ts";

interface Sheet {
  readonly mark: string;
  readonly isAllQuoted?: boolean;
  readonly head?: (name: string) => string;
  /** A cell's text before it is quoted; undefined where the sheet cannot hold it. */
  readonly cell?: (value: Scalar) => string | undefined;
}

/** As spreadsheets print it. Empty cells could be null, empty text or nothing, so that none is written. */
const printed = (value: Scalar): string | undefined => {
  if (value === null || value === "") return undefined;
  return typeof value === "boolean" ? String(value).toUpperCase() : String(value);
};

function rowsOf(value: JsonValue): FlatRows | undefined {
  const flat = flatRows(Array.isArray(value) ? value : [value]);
  const isTable =
    flat !== undefined &&
    flat.names.length > 1 &&
    !flat.names.some((name) => /^(?:item_?)?\d+$/.test(name)) &&
    !flat.rows.some((row) => row.includes(undefined));
  return isTable ? flat : undefined;
}

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

function separated(
  value: JsonValue,
  { mark, isAllQuoted = false, head = (name) => name, cell = printed }: Sheet,
): string[] | undefined {
  const flat = rowsOf(value);
  const needsQuotes = (text: string): boolean =>
    isAllQuoted || text.includes(mark) || /["\n\r]|^[ ']|[ ]$/.test(text);
  const shown = (text: string): string => (needsQuotes(text) ? quote(text) : text);
  const rows = all(
    (flat?.rows ?? [undefined]).map((row) =>
      all((row ?? [undefined]).map((one) => (one === undefined ? undefined : cell(one)))),
    ),
  );
  return flat === undefined || rows === undefined
    ? undefined
    : [flat.names.map(head), ...rows].map((row) => row.map(shown).join(mark));
}

const sheet = (name: string, why: string, how: Sheet): StyleDamage => ({
  name,
  why,
  write: ({ value }) => separated(value, how)?.join("\n"),
});

const lineOnly = (value: Scalar): string | undefined => {
  const text = printed(value);
  return text === undefined || /[\t\n\r"|]| {2}|^ | $/.test(text) ? undefined : text;
};

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const german = (value: Scalar): string | undefined =>
  typeof value === "number" ? String(value).replace(".", ",") : printed(value);

export const SHEETS: readonly StyleDamage[] = [
  sheet("CSV", "the header holds the declared names, and cells are quoted by RFC 4180", { mark: "," }),
  sheet(
    "CSV with every cell quoted",
    "the header holds the declared names, and cells are quoted by RFC 4180",
    { mark: ",", isAllQuoted: true },
  ),
  sheet("CSV with titles in the header", "each title spells a declared name", { mark: ",", head: title }),
  sheet("TSV", "no cell holds a tab", { mark: "\t", cell: lineOnly }),
  sheet(
    "CSV with semicolons and decimal commas",
    "the separator is a semicolon, so that the comma in a number is a decimal mark",
    { mark: ";", cell: german },
  ),
  sheet("cells between bars", "no cell holds a bar", { mark: "|", cell: lineOnly }),
  {
    name: "CSV with a hint for the separator",
    why: "the first line names the separator, as spreadsheets read it",
    write: ({ value }) => {
      const lines = separated(value, { mark: ";" });
      return lines && ["sep=;", ...lines].join("\n");
    },
  },
  {
    name: "CSV with an index",
    why: "the first column has no name and counts the rows",
    write: ({ value }) => {
      const lines = Array.isArray(value) && value.length > 1 ? separated(value, { mark: "," }) : undefined;
      return lines?.map((line, index) => `${index === 0 ? "" : index - 1},${line}`).join("\n");
    },
  },
  {
    name: "CSV of names and values",
    why: "each line holds a declared name and its value",
    write: ({ value }) => {
      const lines = all(
        (flatMembers(value) ?? [undefined]).map((member) => {
          const text = member === undefined ? undefined : printed(member[1]);
          return member === undefined || text === undefined
            ? undefined
            : `${member[0]},${/[,"\n]/.test(text) ? quote(text) : text}`;
        }),
      );
      return lines && ["field,value", ...lines].join("\n");
    },
  },
  {
    name: "aligned columns",
    why: "columns are two blanks apart, and no cell holds two blanks",
    write: ({ value }) => {
      const flat = rowsOf(value);
      const rows = all(
        (flat?.rows ?? [undefined]).map((row) =>
          all((row ?? [undefined]).map((one) => (one === undefined ? undefined : lineOnly(one)))),
        ),
      );
      if (flat === undefined || rows === undefined) return undefined;
      const lines = [[...flat.names], ...rows];
      const widths = flat.names.map((_, column) =>
        Math.max(...lines.map((line) => (line[column] ?? "").length)),
      );
      return lines
        .map((line) =>
          line
            .map((text, column) => text.padEnd(widths[column] ?? 0))
            .join("  ")
            .trimEnd(),
        )
        .join("\n");
    },
  },
  {
    name: "HTML table",
    why: "the header cells hold the declared names, and each row is an item",
    write: ({ value }) => {
      const flat = rowsOf(value);
      const rows = all(
        (flat?.rows ?? [undefined]).map((row) =>
          all((row ?? [undefined]).map((one) => (one === undefined ? undefined : lineOnly(one)))),
        ),
      );
      if (flat === undefined || rows === undefined) return undefined;
      const row = (cells: readonly string[], tag: string): string =>
        `<tr>${cells.map((text) => `<${tag}>${escaped(text)}</${tag}>`).join("")}</tr>`;
      return `<table>\n${[row(flat.names, "th"), ...rows.map((cells) => row(cells, "td"))].join("\n")}\n</table>`;
    },
  },
];

const cellsOf = ({ names, rows }: FlatRows): JsonValue[][] => [
  [...names],
  ...rows.map((row) => row.map((one) => one ?? null)),
];

const reshaped = (
  name: string,
  why: string,
  how: (flat: FlatRows, share: number) => JsonValue,
): ShapeDamage => ({
  name,
  why,
  apply: ({ value }, draw) => {
    const flat = Array.isArray(value) ? rowsOf(value) : undefined;
    return flat === undefined ? undefined : how(flat, draw.next());
  },
});

/** How sheets and data frames come as JSON. */
export const FRAMES_OF_DATA: readonly ShapeDamage[] = [
  reshaped("rows of cells with a header", "the first row holds the declared names", (flat, share) =>
    share < 0.5 ? cellsOf(flat) : { range: "Sheet1!A1:F9", majorDimension: "ROWS", values: cellsOf(flat) },
  ),
  reshaped("columns and data", "columns are named, and each row has a cell for each", (flat) => ({
    columns: [...flat.names],
    index: flat.rows.map((_, index) => index),
    data: cellsOf(flat).slice(1),
  })),
  reshaped("a list for each column", "all columns are equally long", ({ names, rows }) =>
    Object.fromEntries(names.map((name, column) => [name, rows.map((row) => row[column] ?? null)])),
  ),
  reshaped(
    "an indexed column for each name",
    "all columns have the same indices from zero",
    ({ names, rows }) =>
      Object.fromEntries(
        names.map((name, column) => [
          name,
          Object.fromEntries(rows.map((row, index) => [String(index), row[column] ?? null])),
        ]),
      ),
  ),
  changing({
    name: "leading apostrophe",
    why: "spreadsheets mark text so, and no value of that form begins with one",
    where: ({ value, part }) =>
      typeof value === "number" ||
      (typeof part["pattern"] === "string" && part["pattern"].startsWith("^[0-9]")),
    to: ({ value }) => `'${wordOf(value)}`,
  }),
  changing({
    name: "text formula",
    why: "spreadsheets keep leading zeros so, and no value of that form begins with an equals sign",
    where: ({ value, part }) =>
      typeof value === "string" &&
      typeof part["pattern"] === "string" &&
      part["pattern"].startsWith("^[0-9]"),
    to: ({ value }) => `="${wordOf(value)}"`,
  }),
];
