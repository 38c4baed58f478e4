import type { JsonValue } from "#shared/schema";

/** The element around a whole answer, and around each item of a list. */
export const ROOT_NAME = "answer";
export const ITEM_NAME = "item";
/** The element of a member whose name cannot be an element's. */
export const ENTRY_NAME = "entry";

const NAME = /^[A-Za-z_][\w.-]*$/;
/** Text that stands between tags as it is, and is read back as it was. */
const PLAIN = /^[^\s<>&\]](?:[^<>&\]\r\n]*[^\s<>&\]])?$/;

/** A JSON value as the XML that `readXmlAnswer` reads: what a model would write that keeps to the form. */
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
