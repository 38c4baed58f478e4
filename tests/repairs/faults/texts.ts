import fc from "fast-check";
import type { JsonObject } from "#shared/schema";
import { boolean, closed, integer, list, text } from "../contracts.ts";
import { frame, names, word, words } from "./arbitraries.ts";
import type { FaultCase, FaultClass } from "./arbitraries.ts";

/** Texts with escapes that JSON does not have, or has with another meaning: as JavaScript source, and as meant. */
const RAW: readonly string[] = [
  String.raw`\bID-\d+`,
  String.raw`^\d{3}\b`,
  String.raw`\frac{1}{2}`,
  String.raw`\beta + \alpha`,
  String.raw`\sum_{i=1}`,
  String.raw`\w+@\w+\.com`,
  String.raw`\(x\)`,
  String.raw`\forall x`,
  String.raw`(\s|\b)id`,
  String.raw`C:\Dir\Sub`,
  String.raw`\d+(?:\.\d+)?`,
  String.raw`\binom{n}{k}`,
  String.raw`\p{L}+`,
  String.raw`\*bold\*`,
  String.raw`\S+\b\S+`,
];

/** Texts that a reader of damaged texts, wrappers or markup could take for something else. */
const KEPT: readonly string[] = [
  "see [^1^] and [1]",
  "a &amp; b &quot;c&quot;",
  "> quoted",
  "# heading",
  "**bold**",
  "```js\ncode\n```",
  "<b>x</b>",
  "<think>no</think>",
  "-- \nAnn",
  "// no comment",
  "/* none */",
  "a, b, c",
  "Null",
  "None",
  "True",
  "007",
  "1.0",
  "1e5",
  "+4722334455",
  "-0",
  " padded ",
  "tab\tand\nline",
  "N/A",
  "…",
  "and so on...",
  "data: {x}",
  "{curly}",
  "[1, 2]",
  '{"a": 1}',
  "“curly”",
  "it’s",
  "a\u00A0b",
  "a\u200Bb",
  "e\u0301",
  "👩‍👩‍👧",
  "\u202Eabc",
  "x\u001B[0my",
  "<<x>>",
  "<|im_end|>",
  "100%",
  "key: value",
  "a=b&c=d",
  "ends with \\",
  "C:\\new\\table",
  "\\n is a line break",
  "\b\f",
  "undefined",
  "$10",
  "https://x.y/z?a=b#c",
];

/** What is wrong with the JSON besides. */
const DAMAGES: readonly ((json: string) => string)[] = [
  (json) => json,
  (json) => json.replace(/\}$/, ",}"),
  (json) => json.replace(/\}$/, ""),
  (json) => json.replace(/^\{"(\w+)":/, "{$1:"),
  (json) => json.replace(/^\{/, "{ // yes\n"),
  (json) => json.replace(/^\{/, "{\n"),
  (json) => `Here it is: ${json}`,
  (json) => `\`\`\`json\n${json}\n\`\`\``,
  (json) => json.replace(/,"zulu"/, ' "zulu"'),
  (json) => json.replace(/"zulu":"?/, "'zulu':$&").replace(/"zulu":/, ""),
  (json) => `[${json}`,
];

/** Texts as they are, in JSON with a fault elsewhere. */
const keptTexts: fc.Arbitrary<FaultCase> = fc
  .record({
    one: fc.constantFrom(...KEPT),
    before: fc.constantFrom("", "x "),
    after: fc.constantFrom("", " y"),
    isFirst: fc.boolean(),
    damage: fc.constantFrom(...DAMAGES),
    asked: fc.nat(2),
  })
  .map(({ one, before, after, isFirst, damage, asked }) => {
    const held = before + one + after;
    const value: JsonObject = isFirst ? { note: held, zulu: "last" } : { papa: 1, note: held, zulu: 3 };
    const json = damage(JSON.stringify(value));
    const schema = isFirst
      ? closed({ note: text, zulu: text })
      : closed({ papa: integer, note: text, zulu: integer });
    const isList = json.startsWith("[");
    return {
      text: json,
      schema: asked === 0 ? undefined : isList ? list(schema) : schema,
      value: isList ? [value] : value,
    };
  });

export const KEPT_TEXTS: FaultClass = { cases: keptTexts, leastRead: 0.8 };

/** Texts with escapes that stand for themselves, in JSON that nothing else, or something else, is wrong with. */
const rawEscapes: fc.Arbitrary<FaultCase> = fc
  .record({
    raw: fc.constantFrom(...RAW),
    before: fc.constantFrom("", "x ", "^"),
    after: fc.constantFrom("", " y", "$"),
    key: word,
    isAsked: fc.boolean(),
    slip: fc.constantFrom("", ","),
    frame,
  })
  .map(({ raw, before, after, key, isAsked, slip, frame: framed }) => {
    const held = before + raw + after;
    return {
      text: framed(`{"${key}": "${held}"${slip}}`),
      schema: isAsked ? closed({ [key]: text }) : undefined,
      value: { [key]: held },
    };
  })
  // JSON itself reads those.
  .filter(({ text: one }) => {
    try {
      JSON.parse(one.slice(one.indexOf("{"), one.lastIndexOf("}") + 1));
      return false;
    } catch {
      return true;
    }
  });

export const RAW_ESCAPES: FaultClass = { cases: rawEscapes, leastRead: 0.8 };

/** Bare values of a text member, kept as they are written. */
const WRITTEN = [
  "+4722334455",
  "007",
  "1.0",
  "1e5",
  "1.50",
  "0x1F",
  "1_000",
  "12.30.45",
  "-0",
  "1E3",
  ".5",
  "5.",
  "+1",
  "4.10",
  "12345678901234567890",
  "True",
  "FALSE",
  "10%",
  "1-2",
  "3/4",
];

const writtenBare: fc.Arbitrary<FaultCase> = fc
  .record({
    one: fc.constantFrom(...WRITTEN),
    other: words,
    place: fc.constantFrom<(one: string, other: string) => string>(
      (one, other) => `{"code": ${one}, "note": ${JSON.stringify(other)}}`,
      (one, other) => `{code: ${one}, note: ${JSON.stringify(other)}}`,
      (one, other) => `{"note": ${JSON.stringify(other)}, "code": ${one}}`,
      (one, other) => `code: ${one}\nnote: ${other}`,
      (one, other) => `- **code**: ${one}\n- **note**: ${other}`,
      (one, other) => `| code | note |\n|---|---|\n| ${one} | ${other} |`,
      (one, other) => `code,note\n${one},${other}`,
    ),
    frame,
  })
  .map(({ one, other, place, frame: framed }) => ({
    text: framed(place(one, other)),
    schema: closed({ code: text, note: text }),
    value: { code: one, note: other },
  }));

export const WRITTEN_BARE: FaultClass = { cases: writtenBare, leastRead: 0.6 };

/** Null in some language's spelling. */
const nulls: fc.Arbitrary<FaultCase> = fc
  .record({
    spelled: fc.constantFrom("Null", "NULL", "nil", "Nil", "None", "NONE", "undefined", "NaN", "nULL"),
    keys: names(2),
    isList: fc.boolean(),
    isAsked: fc.boolean(),
    frame,
  })
  .map(({ spelled, keys: [one = "x", other = "y"], isList, isAsked, frame: framed }) => {
    const schema = closed({ [one]: { type: ["string", "null"] }, [other]: boolean });
    return {
      text: framed(isList ? `[${spelled}, true]` : `{"${one}": ${spelled}, "${other}": true}`),
      schema: isAsked && !isList ? schema : undefined,
      value: isList ? [null, true] : { [one]: null, [other]: true },
    };
  });

export const NULLS: FaultClass = { cases: nulls, leastRead: 0.9 };

/** A code block as a text, which is not read: nothing that stands in it is the answer. */
const codeBlocks: fc.Arbitrary<FaultCase> = fc
  .record({
    language: fc.constantFrom(
      "",
      "js",
      "python",
      "c++",
      "objective-c",
      "c#",
      "jsx {1,3}",
      'ts title="a.ts"',
      "sh ",
      "{.python}",
      "python main.py",
      "diff-js",
    ),
    lines: fc.array(fc.constantFrom("a = 1", "print(x)", "# no", "if x:", "  y()", "}", "x\ty"), {
      minLength: 1,
      maxLength: 4,
    }),
    place: fc.constantFrom<(block: string) => string>(
      (block) => `{"code": ${block}, "zulu": 1}`,
      (block) => `{"zulu": 1, "code": ${block}}`,
      (block) => `{\n  zulu: 1,\n  code: ${block}\n}`,
    ),
    isAsked: fc.boolean(),
  })
  .filter(({ lines }) => lines.some((line) => !line.startsWith(" ")))
  .map(({ language, lines, place, isAsked }) => ({
    text: place(`\`\`\`${language}\n${lines.join("\n")}\n\`\`\``),
    schema: isAsked ? closed({ code: text, zulu: integer }) : undefined,
    value: { code: lines.join("\n"), zulu: 1 },
  }));

export const CODE_BLOCKS: FaultClass = { cases: codeBlocks, leastRead: 0 };
