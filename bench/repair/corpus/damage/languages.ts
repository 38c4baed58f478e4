import { isObject } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import type { Draw } from "../../seeded.ts";
import type { StyleDamage } from "../damage.ts";
import { flatMembers } from "./flat.ts";
import { doubleQuoted, isIdentifier, pythonText, quoted, singleQuoted, write } from "./notation.ts";
import type { Notation } from "./notation.ts";
import { camelCase, pascalCase } from "./shape-names.ts";

const PYTHON: Notation = {
  text: pythonText,
  nil: "None",
  yes: "True",
  no: "False",
  list: ["[", "]"],
  object: ["{", "}"],
  member: (name, value) => `${pythonText(name)}: ${value}`,
};

const JAVASCRIPT: Notation = {
  ...PYTHON,
  text: singleQuoted,
  nil: "null",
  yes: "true",
  no: "false",
  member: (name, value) => `${isIdentifier(name) ? name : singleQuoted(name)}: ${value}`,
  isIndented: true,
};

const ROCKET: Notation = {
  ...JAVASCRIPT,
  isIndented: false,
  member: (name, value) => `${singleQuoted(name)} => ${value}`,
};

const NOTATIONS: Readonly<Record<string, Notation>> = {
  "Python dictionary": PYTHON,
  "Python tuples": { ...PYTHON, list: ["(", ",)"] },
  "JavaScript literal": JAVASCRIPT,
  "JavaScript template strings": {
    ...JAVASCRIPT,
    text: (text) => (/[`\\]|\$\{/.test(text) ? undefined : `\`${text}\``),
  },
  "Ruby symbols with rockets": {
    ...JAVASCRIPT,
    isIndented: false,
    text: (text) => (/#[{$@]/.test(text) ? undefined : doubleQuoted(text)),
    nil: "nil",
    member: (name, value) => `${isIdentifier(name) ? `:${name}` : `:${doubleQuoted(name)}`}=>${value}`,
  },
  "Ruby keywords": {
    ...JAVASCRIPT,
    isIndented: false,
    text: (text) => (/#[{$@]/.test(text) ? undefined : doubleQuoted(text)),
    nil: "nil",
    member: (name, value) => `${isIdentifier(name) ? name : doubleQuoted(name)}: ${value}`,
  },
  // Single-quoted text in PHP knows two escapes, so that text with line breaks stands as it is.
  "PHP short array": {
    ...ROCKET,
    text: (text) => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`,
    object: ["[", "]"],
    isIndented: true,
  },
  "PHP var_export": {
    ...ROCKET,
    text: (text) => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`,
    nil: "NULL",
    list: ["array (", ")"],
    object: ["array (", ")"],
    isIndented: true,
  },
  "Perl hash": {
    ...ROCKET,
    text: (text) => (/[$@]/.test(text) ? undefined : doubleQuoted(text)),
    nil: "undef",
    yes: "1",
    no: "0",
    isIndented: true,
  },
  "Lua table": {
    ...JAVASCRIPT,
    text: doubleQuoted,
    nil: "nil",
    list: ["{", "}"],
    member: (name, value) => `${isIdentifier(name) ? name : `[${doubleQuoted(name)}]`} = ${value}`,
  },
  "Go map": {
    ...JAVASCRIPT,
    text: doubleQuoted,
    nil: "nil",
    list: ["[]any{", "}"],
    object: ["map[string]any{", "}"],
    member: (name, value) => `${doubleQuoted(name)}: ${value}`,
  },
  "Swift dictionary": {
    ...JAVASCRIPT,
    isIndented: false,
    text: doubleQuoted,
    nil: "nil",
    object: ["[", "]"],
    member: (name, value) => `${doubleQuoted(name)}: ${value}`,
  },
  "Kotlin mapOf": {
    ...JAVASCRIPT,
    isIndented: false,
    text: (text) => (text.includes("$") ? undefined : doubleQuoted(text)),
    list: ["listOf(", ")"],
    object: ["mapOf(", ")"],
    member: (name, value) => `${doubleQuoted(name)} to ${value}`,
  },
  "Scala Map": {
    ...JAVASCRIPT,
    isIndented: false,
    text: doubleQuoted,
    list: ["List(", ")"],
    object: ["Map(", ")"],
    member: (name, value) => `${doubleQuoted(name)} -> ${value}`,
  },
  "Elixir map": {
    ...JAVASCRIPT,
    isIndented: false,
    text: (text) => (text.includes("#{") ? undefined : doubleQuoted(text)),
    nil: "nil",
    object: ["%{", "}"],
    member: (name, value) => `${doubleQuoted(name)} => ${value}`,
  },
  "Clojure map": {
    ...JAVASCRIPT,
    isIndented: false,
    text: doubleQuoted,
    nil: "nil",
    comma: "",
    list: ["[", "]"],
    member: (name, value) => `${isIdentifier(name) ? `:${name}` : doubleQuoted(name)} ${value}`,
  },
  "R list": {
    ...JAVASCRIPT,
    isIndented: false,
    text: doubleQuoted,
    nil: "NULL",
    yes: "TRUE",
    no: "FALSE",
    list: ["list(", ")"],
    object: ["list(", ")"],
    member: (name, value) => `${isIdentifier(name) ? name : `\`${name}\``} = ${value}`,
  },
  "Mongo shell": {
    ...JAVASCRIPT,
    text: (text) =>
      /^\d{4}-\d\d-\d\dT[\d:]+Z$/.test(text) ? `ISODate(${doubleQuoted(text)})` : doubleQuoted(text),
    member: (name, value) =>
      `${isIdentifier(name) ? name : doubleQuoted(name)}: ${/^-?\d{1,9}$/.test(value) ? `NumberInt(${value})` : value}`,
  },
  "digit separators": {
    ...JAVASCRIPT,
    member: (name, value) =>
      JAVASCRIPT.member(name, /^-?\d{4,}$/.test(value) ? value.replaceAll(/\B(?=(?:\d{3})+$)/g, "_") : value),
  },
  "Python constructors": {
    ...PYTHON,
    text: (text) => {
      const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
      return year === undefined
        ? pythonText(text)
        : `datetime.date(${year}, ${Number(month)}, ${Number(day)})`;
    },
    member: (name, value) =>
      `${pythonText(name)}: ${/^-?\d+\.\d+$/.test(value) ? `Decimal('${value}')` : value}`,
  },
  "numpy scalars": {
    ...PYTHON,
    yes: "np.True_",
    no: "np.False_",
    member: (name, value) =>
      `${pythonText(name)}: ${/^-?\d+(?:\.\d+)?$/.test(value) ? `np.${value.includes(".") ? "float64" : "int64"}(${value})` : value}`,
  },
};

interface Fields {
  readonly notation: Notation;
  /** Whether only scalars are written, because inner objects would have classes of their own. */
  readonly isFlat: boolean;
  readonly fields: (className: string) => Pick<Notation, "object" | "member">;
}

/** A value at the top as an object of the language. */
const record = (name: string, why: string, { notation, isFlat, fields }: Fields): StyleDamage => ({
  name,
  why,
  write: ({ value, contract }) =>
    isObject(value) && Object.keys(value).every(isIdentifier) && !(isFlat && flatMembers(value) === undefined)
      ? topOnly(value, notation, fields(pascalCase(contract.name)))
      : undefined,
});

function topOnly(
  value: Readonly<Record<string, JsonValue>>,
  notation: Notation,
  { object: [open, close], member }: Pick<Notation, "object" | "member">,
): string | undefined {
  const parts = Object.entries(value).map(([name, inner]) => {
    const text = write(inner, notation);
    return text === undefined ? undefined : member(name, text);
  });
  return parts.includes(undefined) ? undefined : `${open}${parts.join(", ")}${close}`;
}

/** A single scalar says nothing of the language it is written in. */
const isStructured = (value: JsonValue): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length > 0;

export const LANGUAGES: readonly StyleDamage[] = [
  ...Object.entries(NOTATIONS).map(([name, notation]): StyleDamage => ({
    name,
    why: "the language itself reads the text back as the value",
    write: ({ value }) => (isStructured(value) ? write(value, notation)?.replaceAll("(,)", "()") : undefined),
  })),
  record(
    "Python object representation",
    "class name and fields are the contract's, as dataclasses and pydantic print them",
    {
      notation: PYTHON,
      isFlat: false,
      fields: (name) => ({ object: [`${name}(`, ")"], member: (field, value) => `${field}=${value}` }),
    },
  ),
  record("Python call with keywords", "the keywords are the declared names", {
    notation: PYTHON,
    isFlat: false,
    fields: (name) => ({
      object: [`submit_${camelCase(name).toLowerCase()}(`, ")"],
      member: (field, value) => `${field}=${value}`,
    }),
  }),
  record("Java object representation", "names stand before equals signs and every text is quoted", {
    notation: JAVASCRIPT,
    isFlat: true,
    fields: (name) => ({ object: [`${name}{`, "}"], member: (field, value) => `${field}=${value}` }),
  }),
  record("Rust debug representation", "names stand before colons and every text is quoted", {
    notation: { ...JAVASCRIPT, text: doubleQuoted, nil: "None" },
    isFlat: true,
    fields: (name) => ({ object: [`${name} { `, " }"], member: (field, value) => `${field}: ${value}` }),
  }),
  {
    name: "JavaScript declaration",
    why: "the literal is all that the declaration holds",
    write: ({ value }, draw: Draw) => {
      const literal = isStructured(value)
        ? write(value, { ...JAVASCRIPT, text: (text) => quoted(text, '"') })
        : undefined;
      return (
        literal &&
        draw.pick([
          `const result = ${literal};`,
          `export default ${literal};`,
          `module.exports = ${literal};`,
          `let data = ${literal}`,
        ])
      );
    },
  },
  {
    name: "Python assignment",
    why: "the literal is all that the assignment holds",
    write: ({ value }) => (isStructured(value) ? `result = ${write(value, PYTHON) ?? ""}` : undefined),
  },
  {
    name: "JSON5 numbers",
    why: "JSON5 reads a missing zero and a plus sign so",
    write: ({ value }) => {
      const text = write(value, {
        ...JAVASCRIPT,
        text: doubleQuoted,
        member: (name, one) =>
          JAVASCRIPT.member(name, one.replace(/^0(?=\.\d)/, "").replace(/^(?=[1-9][\d.]*$)/, "+")),
      });
      return isStructured(value) ? text : undefined;
    },
  },
];
