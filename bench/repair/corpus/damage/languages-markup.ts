import { stringify } from "yaml";
import { isObject } from "#shared/schema";
import type { JsonObject, JsonValue } from "#shared/schema";
import type { StyleDamage } from "../damage.ts";
import { all, bareLine, flatMembers } from "./flat.ts";
import { isIdentifier } from "./notation.ts";

const isStructured = (value: JsonValue): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length > 0;

const yaml = (value: JsonValue, options: object = {}): string | undefined =>
  isStructured(value) ? stringify(value, { lineWidth: 0, ...options }).trimEnd() : undefined;

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Elements for members, `item` elements for items. Null has no form that everybody shares. */
function xml(value: JsonValue, indent = ""): string | undefined {
  if (value === null) return undefined;
  if (typeof value !== "object") return escaped(String(value));
  const members: [string, JsonValue][] = Array.isArray(value)
    ? value.map((item) => ["item", item])
    : Object.entries(value);
  const elements = members.map(([name, inner]) => {
    const text = isIdentifier(name) ? xml(inner, `${indent}  `) : undefined;
    return text === undefined ? undefined : `\n${indent}  <${name}>${text}</${name}>`;
  });
  return elements.length === 0 || elements.includes(undefined)
    ? undefined
    : `${elements.join("")}\n${indent}`;
}

/** TOML: tables after the scalars of their own table. */
function toml(value: JsonObject, path = ""): string | undefined {
  const scalars: (string | undefined)[] = [];
  const tables: (string | undefined)[] = [];
  for (const [name, inner] of Object.entries(value)) {
    const key = isIdentifier(name) ? name : JSON.stringify(name);
    const full = path === "" ? key : `${path}.${key}`;
    if (isObject(inner)) tables.push(withHead(`[${full}]`, toml(inner, full)));
    else if (Array.isArray(inner) && inner.length > 0 && inner.every(isObject))
      tables.push(...inner.map((item) => withHead(`[[${full}]]`, toml(item, full))));
    else if (inner === null || (Array.isArray(inner) && inner.some((item) => typeof item === "object")))
      return undefined;
    else scalars.push(`${key} = ${JSON.stringify(inner)}`);
  }
  return all([...scalars, ...tables])?.join("\n");
}

const withHead = (head: string, body: string | undefined): string | undefined =>
  body === undefined ? undefined : `\n${head}\n${body}`;

/** `path = value` for every scalar, with indices in brackets. */
function paths(value: JsonValue, path = ""): (string | undefined)[] {
  if (typeof value !== "object" || value === null) {
    const text = bareLine(value);
    return [text === undefined || /[;#=]/.test(text) ? undefined : `${path} = ${text}`];
  }
  if (Object.keys(value).length === 0) return [undefined];
  return Array.isArray(value)
    ? value.flatMap((item, index) => paths(item, `${path}[${index}]`))
    : Object.entries(value).flatMap(([name, inner]) =>
        isIdentifier(name) ? paths(inner, path === "" ? name : `${path}.${name}`) : [undefined],
      );
}

/** Protobuf's text format: repeated fields are written again. */
function protobuf(value: JsonObject, indent = ""): string | undefined {
  const fields = Object.entries(value).flatMap(([name, inner]): (string | undefined)[] => {
    const items = Array.isArray(inner) ? inner : [inner];
    if (items.length < (Array.isArray(inner) ? 2 : 1) || !isIdentifier(name)) return [undefined];
    return items.map((item) => {
      if (isObject(item)) {
        const body = protobuf(item, `${indent}  `);
        return body === undefined ? undefined : `${indent}${name} {\n${body}\n${indent}}`;
      }
      return item === null || Array.isArray(item) ? undefined : `${indent}${name}: ${JSON.stringify(item)}`;
    });
  });
  return all(fields)?.join("\n");
}

export const MARKUP: readonly StyleDamage[] = [
  { name: "YAML block", why: "a YAML library wrote it", write: ({ value }) => yaml(value) },
  {
    name: "YAML flow",
    why: "a YAML library wrote it",
    write: ({ value }) => yaml(value, { collectionStyle: "flow" }),
  },
  {
    name: "YAML with quotes",
    why: "a YAML library wrote it",
    write: ({ value }) => yaml(value, { defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN" }),
  },
  {
    name: "YAML document with marks and comments",
    why: "a YAML library wrote it; marks and comments are no data",
    write: ({ value }) => {
      const text = yaml(value);
      return text === undefined ? undefined : `---\n# extracted\n${text}\n...`;
    },
  },
  {
    name: "TOML",
    why: "each name and table is the contract's, and every text is quoted",
    write: ({ value }) => (isObject(value) ? toml(value)?.trim() : undefined),
  },
  {
    name: "INI",
    why: "each name is declared, and the value is the rest of the line",
    write: ({ value, contract }, draw) => {
      const mark = draw.pick(["=", " = "]);
      const lines = all(
        (flatMembers(value) ?? [undefined]).map((member) => {
          const text = member === undefined ? undefined : bareLine(member[1]);
          return member === undefined || text === undefined || /[;#]/.test(text)
            ? undefined
            : `${member[0]}${mark}${text}`;
        }),
      );
      return lines && [`[${contract.name}]`, ...lines].join("\n");
    },
  },
  {
    name: "paths with equals signs",
    why: "each path is the contract's, and the value is the rest of the line",
    write: ({ value }) =>
      isObject(value) && flatMembers(value) === undefined ? all(paths(value))?.join("\n") : undefined,
  },
  {
    name: "XML elements",
    why: "each element is named after a member, and items stand in elements of their own",
    write: ({ value, contract }, draw) => {
      const root = draw.pick(["answer", contract.name.replaceAll("-", "_"), "root"]);
      const text = isObject(value) ? xml(value) : undefined;
      return text === undefined
        ? undefined
        : `${draw.pick(["", '<?xml version="1.0" encoding="UTF-8"?>\n'])}<${root}>${text}</${root}>`;
    },
  },
  {
    name: "XML attributes",
    why: "each attribute is named after a member",
    write: ({ value, contract }) => {
      const members = flatMembers(value);
      if (members === undefined || members.some(([, one]) => one === null || /[\n\t]/.test(String(one))))
        return undefined;
      const attributes = members.map(
        ([name, one]) => `${name}="${escaped(String(one)).replaceAll('"', "&quot;")}"`,
      );
      return `<${contract.name.replaceAll("-", "_")} ${attributes.join(" ")} />`;
    },
  },
  {
    name: "JSON in an element",
    why: "the element holds one JSON text",
    write: ({ value }) =>
      isStructured(value) ? `<record><![CDATA[${JSON.stringify(value)}]]></record>` : undefined,
  },
  {
    name: "protobuf text format",
    why: "each field is declared, repeated ones are lists, and every text is quoted",
    write: ({ value }) => (isObject(value) ? protobuf(value) : undefined),
  },
];
