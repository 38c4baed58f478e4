import type { JsonSchema } from "#shared/json";
import type { JsonValue } from "#shared/schema";
import { XmlText } from "../read/xml.ts";
import type { Tag } from "../read/xml.ts";
import { ENTRY_NAME, ITEM_NAME, partOf } from "./write-xml.ts";
import type { SchemaPart } from "./write-xml.ts";

export type XmlAnswer = { readonly ok: true; readonly value: JsonValue } | { readonly ok: false };

const DEPTH_MAX = 64;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Members for the text of an element with attributes. */
const WORDS_NAMES = ["text", "content", "value", "code", "description"];

/** The text is not an XML answer. */
class NotOfForm extends Error {}

/**
 * Reads an XML answer by its contract's schema; skips prose around it. The value has the schema's types and is not
 * validated. Linear. Invents nothing: an invalid number or an unclosed element is a refusal.
 */
export function readXmlAnswer(text: string, schema: JsonSchema): XmlAnswer {
  try {
    const source = new XmlText(text);
    const root = source.findFirstTag();
    if (root === null) return { ok: false };
    return { ok: true, value: new AnswerReader(source, schema).element(root, { schema, depth: 0 }) };
  } catch (error) {
    if (error instanceof NotOfForm || error instanceof RangeError) return { ok: false };
    throw error;
  }
}

interface ElementContext {
  readonly schema: JsonSchema;
  readonly depth: number;
}

class AnswerReader {
  private readonly source: XmlText;
  private readonly root: JsonSchema;

  constructor(source: XmlText, root: JsonSchema) {
    this.source = source;
    this.root = root;
  }

  /** Reads the value of an element after its opening tag, including its closing tag. */
  element(tag: Tag, { schema, depth }: ElementContext): JsonValue {
    if (depth > DEPTH_MAX) throw new NotOfForm();
    const part = partOf(schema, this.root);
    if (tag.attributes.get("nil") === "true") {
      if (!tag.isEmpty) this.source.textUntilClose(tag.name);
      return null;
    }
    switch (part.type) {
      case "object":
        return this.members(tag, { part, depth });
      case "array":
        return tag.isEmpty ? [] : this.items(tag, { part, depth });
      default:
        return toScalar(tag.isEmpty ? "" : this.source.textUntilClose(tag.name), part);
    }
  }

  private members(
    tag: Tag,
    { part, depth }: { readonly part: SchemaPart; readonly depth: number },
  ): JsonValue {
    const members = new Map<string, JsonValue[]>();
    const add = (name: string, value: JsonValue): void => {
      members.set(name, [...(members.get(name) ?? []), value]);
    };
    for (const [name, text] of tag.attributes) {
      const schema = part.properties.get(name);
      if (schema !== undefined) add(name, toScalar(text, partOf(schema, this.root)));
    }
    let words = "";
    for (;;) {
      const next = tag.isEmpty ? null : this.source.nextIn(tag.name);
      if (next === null) break;
      if (typeof next === "string") {
        words += next;
        continue;
      }
      const name = next.name === ENTRY_NAME ? (next.attributes.get("name") ?? next.name) : next.name;
      add(name, this.member(next, { schema: part.properties.get(name) ?? part.inner, depth: depth + 1 }));
    }
    this.addWords(members, { words: words.trim(), part });
    return Object.fromEntries(
      [...members].map(([name, values]) => [
        name,
        this.joined(values, part.properties.get(name) ?? part.inner),
      ]),
    );
  }

  /** Reads a list without an enclosing element: each element of its name is an item. */
  private member(tag: Tag, context: ElementContext): JsonValue {
    const part = partOf(context.schema, this.root);
    if (part.type !== "array" || tag.isEmpty) return this.element(tag, context);
    const inner = partOf(part.inner, this.root);
    const first = this.source.peekName();
    const isBareItem =
      first !== ITEM_NAME &&
      (inner.type === "object" ? first !== null && inner.properties.has(first) : first === null);
    const hasWords = isBareItem && (inner.type === "object" || !this.source.isClosedAtOnce(tag.name));
    return hasWords
      ? [this.element(tag, { schema: part.inner, depth: context.depth })]
      : this.element(tag, context);
  }

  private joined(values: readonly JsonValue[], schema: JsonSchema): JsonValue {
    const [first, ...others] = values;
    if (others.length === 0) return first ?? null;
    // A repeated name for a single value is ambiguous.
    if (partOf(schema, this.root).type !== "array") throw new NotOfForm();
    return values.flatMap((value) => (Array.isArray(value) ? value : [value]));
  }

  private items(tag: Tag, { part, depth }: { readonly part: SchemaPart; readonly depth: number }): JsonValue {
    const items: JsonValue[] = [];
    for (;;) {
      const next = this.source.nextIn(tag.name);
      if (next === null) return items;
      if (typeof next === "string") {
        if (next.trim() !== "") throw new NotOfForm();
        continue;
      }
      items.push(this.element(next, { schema: part.inner, depth: depth + 1 }));
    }
  }

  /** `<point priority="high">words</point>`: the text belongs to the member that is left for it. */
  private addWords(
    members: Map<string, JsonValue[]>,
    { words, part }: { readonly words: string; readonly part: SchemaPart },
  ): void {
    if (words === "") return;
    const free = [...part.properties].filter(
      ([name, schema]) => !members.has(name) && partOf(schema, this.root).type === "string",
    );
    const own = free.length === 1 ? free[0] : free.find(([name]) => WORDS_NAMES.includes(name));
    if (own === undefined) return;
    members.set(own[0], [words]);
  }
}

function toScalar(text: string, part: SchemaPart): JsonValue {
  const plain = text.trim();
  const listed = part.enumerated.find((one) => String(one) === plain);
  if (listed !== undefined) return listed;
  switch (part.type) {
    case "number":
      if (!NUMBER.test(plain) || !Number.isFinite(Number(plain))) throw new NotOfForm();
      return Number(plain);
    case "boolean":
      if (plain !== "true" && plain !== "false") throw new NotOfForm();
      return plain === "true";
    case "null":
      if (plain !== "" && plain !== "null") throw new NotOfForm();
      return null;
    case "string":
    case "any":
    case "object":
    case "array":
      return text;
    default:
      return part.type satisfies never;
  }
}
