import type { JsonValue } from "#shared/schema";

/** Element of a whole answer, and of each list item. */
export const ROOT_NAME = "answer";
export const ITEM_NAME = "item";
/** Element of a member whose name is no XML name. */
export const ENTRY_NAME = "entry";

const NAME = /^[A-Za-z_][\w.-]*$/;
/** Text that needs no CDATA or entities. */
const PLAIN = /^[^\s<>&\]](?:[^<>&\]\r\n]*[^\s<>&\]])?$/;

/** Writes a JSON value as XML that `readXmlAnswer` reads. */
export function writeXml(value: JsonValue): string {
  return element({ name: ROOT_NAME, value });
}

function element({
  name,
  value,
  attributes = "",
}: {
  readonly name: string;
  readonly value: JsonValue;
  readonly attributes?: string;
}): string {
  if (value === null) return `<${name}${attributes} nil="true"/>`;
  return `<${name}${attributes}>${contentOf(value)}</${name}>`;
}

function contentOf(value: Exclude<JsonValue, null>): string {
  if (typeof value === "string") return textOf(value);
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.map((item) => element({ name: ITEM_NAME, value: item })).join("");
  return Object.entries(value)
    .map(([key, inner]) => {
      const isName = NAME.test(key) && key !== ENTRY_NAME;
      return isName
        ? element({ name: key, value: inner })
        : element({ name: ENTRY_NAME, value: inner, attributes: ` name="${escaped(key)}"` });
    })
    .join("");
}

function textOf(text: string): string {
  if (text === "" || PLAIN.test(text)) return text;
  return `<![CDATA[${text.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
