import { isObject, validate } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { schemaOf } from "../contract.ts";
import { written } from "../damage.ts";
import type { WholeDamage } from "../damage.ts";
import { isFreeText, isNumber, sitesOf, withValue } from "../sites.ts";

/** Texts that a careless reader takes for syntax, and must not. */
const TRICKY = [
  '{"a": 1}',
  "null",
  "```json\n{}\n```",
  " padded ",
  "007",
  "N/A",
  "true",
  "[1, 2",
  "<think>no</think>",
  "// no comment",
  "C:\\new\\table",
  "&quot;quoted&quot;",
  "100%25",
  "...",
  "'single'",
  '"double"',
  "a: b, c: d",
  "1,234.50",
  "€10",
  "trailing,",
  "line one\nline two",
  "tab\there",
  "<b>bold</b>",
  "**bold**",
  "“typographic”",
  "\u00A0no-break\u00A0",
  "e\u0301 combining",
  "👨‍👩‍👧 family",
  "",
] as const;

/** What JSON.parse reads and what fits its contract comes back as it is. */
export const UNDAMAGED: readonly WholeDamage[] = [
  {
    name: "sound answer",
    why: "it is valid JSON and fits",
    make: ({ value }, draw) => ({ text: written(value, draw), right: { value } }),
  },
  {
    name: "sound answer with tricky texts",
    why: "it is valid JSON and fits, and texts are data",
    make: ({ value, contract }, draw) => {
      const texts = sitesOf(value, contract.part).filter(isFreeText);
      if (texts.length === 0) return undefined;
      const changed = texts.reduce<JsonValue>(
        (whole, site) => (draw.next() < 0.5 ? withValue(whole, site.path, draw.pick(TRICKY)) : whole),
        value,
      );
      return { text: written(changed, draw), right: { value: changed } };
    },
  },
  {
    name: "sound answer with odd numbers",
    why: "it is valid JSON and fits, and each notation has one value",
    make: ({ value, contract }, draw) => {
      const site = draw.find(
        sitesOf(value, contract.part).filter((one) => isNumber(one) && one.part["type"] === "number"),
      );
      if (site === undefined) return undefined;
      const [text, number] = draw.pick([
        ["1.50e1", 15],
        ["0.10", 0.1],
        ["1E+1", 10],
        ["5.000", 5],
        ["30e-1", 3],
      ] as const);
      const right = withValue(value, site.path, number);
      if (validate(right, schemaOf(contract)).length > 0) return undefined;
      const marked = JSON.stringify(withValue(value, site.path, "@number"));
      return { text: marked.replace('"@number"', text), right: { value: right } };
    },
  },
  {
    name: "member repeated with the same value",
    why: "both say the same",
    make: ({ value }, draw) => {
      const scalars = isObject(value)
        ? Object.entries(value).filter(([, one]) => typeof one !== "object")
        : [];
      const repeated = draw.find(scalars);
      if (repeated === undefined) return undefined;
      const [name, one] = repeated.map((part) => JSON.stringify(part));
      return { text: JSON.stringify(value).replace(/\}$/, () => `,${name}:${one}}`), right: { value } };
    },
  },
];
