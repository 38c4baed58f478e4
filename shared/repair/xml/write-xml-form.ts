import type { JsonSchema } from "#shared/json";
import { partOf } from "./schema-part.ts";
import type { SchemaPart } from "./schema-part.ts";
import { ENTRY_NAME, ITEM_NAME, ROOT_NAME } from "./write-xml.ts";

const DEPTH_MAX = 8;
const INDENT = "  ";
const NAME = /^[A-Za-z_][\w.-]*$/;

/**
 * Writes a model's instructions for an answer in XML: the elements with their contents, and the rules of
 * `readXmlAnswer`.
 */
export function writeXmlForm(schema: JsonSchema): string {
  const skeleton = lines({ name: ROOT_NAME, schema, root: schema, depth: 0, note: "" });
  return [
    "Answer with XML of this form and nothing else:",
    "",
    ...skeleton,
    "",
    `Repeat <${ITEM_NAME}> for each item of a list. Leave out what you do not know, if it may be left out.`,
    'Put code, and any text that has < or & or line breaks, between <![CDATA[ and ]]>. Write <name nil="true"/> for null.',
  ].join("\n");
}

interface ElementContext {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
  readonly depth: number;
  readonly note: string;
}

function lines({ name, schema, root, depth, note }: ElementContext): string[] {
  const part = partOf(schema, root);
  const pad = INDENT.repeat(depth);
  const notes = [note, part.description].filter((words) => words !== "").join("; ");
  const comment = notes === "" ? "" : ` <!-- ${notes.replaceAll("--", "- ")} -->`;
  const inner = depth >= DEPTH_MAX ? [] : innerLines(part, { root, depth: depth + 1 });
  if (inner.length === 0) return [`${pad}<${name}>${wordsFor(part)}</${closing(name)}>${comment}`];
  return [`${pad}<${name}>${comment}`, ...inner, `${pad}</${closing(name)}>`];
}

function innerLines(part: SchemaPart, at: Pick<ElementContext, "root" | "depth">): string[] {
  if (part.type === "array") return lines({ ...at, name: ITEM_NAME, schema: part.inner, note: "" });
  if (part.type !== "object") return [];
  if (part.properties.size === 0)
    return lines({ ...at, name: `${ENTRY_NAME} name="…"`, schema: part.inner, note: "" });
  return [...part.properties].flatMap(([key, schema]) =>
    lines({
      ...at,
      name: NAME.test(key) ? key : `${ENTRY_NAME} name="${key}"`,
      schema,
      note: part.required.has(key) ? "" : "may be left out",
    }),
  );
}

function closing(name: string): string {
  return name.split(" ", 1)[0] ?? name;
}

function wordsFor({ type, enumerated, isNullable }: SchemaPart): string {
  if (enumerated.length > 0) return enumerated.map(String).join(" | ");
  const word = {
    string: "text",
    number: "number",
    boolean: "true | false",
    null: "",
    any: "text",
    object: "",
    array: "",
  }[type];
  return isNullable ? `${word} or null` : word;
}
