import type { Draw } from "../seeded.ts";

/** Makes a hostile or a large honest text of about `chars` characters. */
export type MakeText = (chars: number, draw: Draw) => string;

function repeated(unit: string, { before = "", after = "" } = {}): MakeText {
  return (chars) => {
    const times = Math.max(1, Math.floor((chars - before.length - after.length) / unit.length));
    return before + unit.repeat(times) + after;
  };
}

/** Repeats what differs from one time to the next. */
function counted(unit: (at: number, draw: Draw) => string, { before = "", after = "" } = {}): MakeText {
  return (chars, draw) => {
    const parts = [before];
    for (let at = 0, length = before.length; length < chars; at += 1) {
      const part = unit(at, draw);
      parts.push(part);
      length += part.length;
    }
    return parts.join("") + after;
  };
}

const IN_NAME = { before: '{"name": "', after: '",}' };
const IN_ROWS = { before: '{"rows": [', after: "],}" };

/** Openers and closers that never match, in every mixture. */
const BRACKETS: Readonly<Record<string, MakeText>> = {
  "open braces": repeated("{"),
  "open brackets": repeated("["),
  "open parentheses": repeated("("),
  "braces apart": repeated("{ x "),
  "brackets apart": repeated("[x "),
  "calls in calls": repeated("f("),
  closers: repeated("}"),
  "closers in an object": repeated("]", { before: '{"name": "a"' }),
  "wrong closers": repeated("[}"),
  "a name and a brace": repeated('{"a":'),
  "a name and a bracket": repeated('{"rows":['),
  "empty objects": repeated("{}"),
  "empty lists in a list": repeated("[],", { before: "[" }),
  "braces in an open string": repeated("x}", { before: '{"name": "' }),
  "openers in an open string": repeated("{[", { before: '{"name": "' }),
  "sixty levels, many times": repeated(`${'{"inner":'.repeat(60)}{}${"}".repeat(60)},`, IN_ROWS),
  "open levels before blanks": repeated(" ", { before: `${'{"inner":'.repeat(90)}{"name": "x"` }),
  "levels at the bound": repeated(`${"[".repeat(120)}${"]".repeat(120)} `),
  "levels of names at the bound": repeated(`${'{"inner":'.repeat(99)}1${"}".repeat(99)} `),
};

/** Marks that open, close or escape a string. */
const STRINGS: Readonly<Record<string, MakeText>> = {
  "double quotes": repeated('"'),
  "double quotes in a string": repeated('"', IN_NAME),
  "single quotes": repeated("'"),
  "quotes apart": repeated('" '),
  "quotes apart in a string": repeated('" ', IN_NAME),
  "quotes before commas": repeated('",', IN_NAME),
  "quotes before lines": repeated('"\n', IN_NAME),
  "words in quotes": repeated('said "so" and ', IN_NAME),
  "commas and words in quotes": repeated(', "so" x', IN_NAME),
  "typographic quotes": repeated("“a” „b“ ", IN_NAME),
  "commas before marks in a list": repeated(', "x" y', { before: '["', after: '"]' }),
  "triple quotes": repeated('"""', { before: '{"name": ' }),
  "triple quotes without partners": repeated('\'- ["+ """"', { before: '\\"`1e999', after: ", :" }),
  "triple quotes in text": repeated('""" x', { before: '{"name": """', after: '"""}' }),
  "backticks in text": repeated("``` x", { before: '{"name": ```', after: "```}" }),
  "doubled quotes": repeated('""a', { before: '{"name": ""', after: '""}' }),
  backslashes: repeated("\\"),
  "backslashes in a string": repeated("\\", IN_NAME),
  "pairs of backslashes": repeated("\\\\", IN_NAME),
  "escaped marks": repeated('\\"', IN_NAME),
  "escaped marks before names": repeated('\\", "a": ', IN_NAME),
  "bad escapes": repeated("\\q", IN_NAME),
  "half escapes": repeated("\\u00", IN_NAME),
  "a path": repeated("\\temp", { before: '{"name": "C:', after: '"}' }),
  "concatenated strings": repeated('"x" + ', { before: '{"name": ', after: '"y"}' }),
  "strings side by side": repeated('"x" "y" ', { before: "[", after: "]" }),
  "strings without ends": repeated('"x, ', { before: "[" }),
  "names without ends": repeated('"a: 1, ', { before: "{" }),
  "members without end quotes": repeated('"name": "x, ', { before: "{" }),
  "blanks after a mark": repeated(" ", { before: '{"name": "x"', after: '"}' }),
  "marks and blanks": repeated(`"${" ".repeat(200)}`, IN_NAME),
  "lines in a string": repeated("\n", IN_NAME),
  "blanks in a string": repeated(" ", IN_NAME),
  "commas in a string": repeated(", ", { before: '{"name": "x" y', after: '"}' }),
  "lines of marks": repeated('\n"', { before: '["a', after: '"]' }),
};

/** Fences, comments, tags and marks of thought. */
const MARKS: Readonly<Record<string, MakeText>> = {
  fences: repeated("```"),
  "fences on lines": repeated("```\n"),
  "fences of json": repeated("```json\n{\n"),
  "fences with openers": repeated("```json\n{}\n```\n"),
  "tildes and fences": repeated("~~~\nx\n"),
  "comments of a line": repeated("// x\n"),
  "comments in an object": repeated("/* x */", { before: "{", after: '"name": 1}' }),
  "open comments": repeated("/*", { before: "{" }),
  slashes: repeated("/", { before: "{" }),
  hashes: repeated("#\n", { before: "{" }),
  "comments of blanks": repeated(" ", { before: '{"name": 1 // ', after: "\n,}" }),
  ellipses: repeated("...", { before: "[" }),
  "ellipses in a list": repeated("1, ..., ", { before: "[" }),
  thoughts: repeated("<think>"),
  "thoughts ended": repeated("</think>\n"),
  "thoughts in lines": repeated("x <think> y </think>\n"),
  "blanks before thoughts": repeated(`${" ".repeat(70)}<think>x</think>`),
  tags: repeated("<a>"),
  "tags closed": repeated("<a></a>", { before: "<r>", after: "</r>" }),
  "tags without names": repeated("<"),
  "attributes of a tag": repeated(' a="b"', { before: "<a" }),
  "blanks in a tag": repeated(" ", { before: "<a", after: ">" }),
  "open sections": repeated("<![CDATA["),
  "sections in text": repeated("<![CDATA[x]]>", { before: "<r>", after: "</r>" }),
  entities: repeated("&amp;", { before: "<r><name>", after: "</name></r>" }),
};

/** Long runs of one thing. */
const RUNS: Readonly<Record<string, MakeText>> = {
  letters: repeated("a"),
  blanks: repeated(" "),
  "lines only": repeated("\n"),
  zeros: repeated("\0"),
  commas: repeated(","),
  "commas in an object": repeated(",", { before: '{"name": "a"' }),
  "blanks and commas": repeated(" ,", { before: "[1", after: "]" }),
  colons: repeated(":"),
  "colons in an object": repeated(":", { before: '{"name"' }),
  minuses: repeated("-"),
  "minuses and digits": repeated("-1"),
  "one number": repeated("9", { before: '{"count": ', after: ",}" }),
  "one number of points": repeated("1.", { before: '{"count": ', after: ",}" }),
  "one number of underscores": repeated("1_", { before: '{"count": ', after: "1,}" }),
  "one number as text": repeated("9", { before: '{"count": "', after: '"}' }),
  "one number in groups": repeated(",999", { before: '{"count": "1', after: '"}' }),
  "bare words": repeated("word ", { before: '{"name": ', after: "}" }),
  "bare words and commas": repeated("word, ", { before: '{"name": ', after: "}" }),
  "bare words and blanks": repeated(`word${" ".repeat(60)},`, { before: '{"name": ', after: "}" }),
  "one long name": repeated("k", { before: '{"', after: '": 1,}' }),
  "one long name in bare letters": repeated("k", { before: "{", after: ": 1,}" }),
  "one long name of words": repeated("kW_", { before: '{"', after: '": 1,}' }),
  "lone surrogates": repeated("\uD83D", IN_NAME),
  "surrogates before marks": repeated('\uDE00"', IN_NAME),
  "byte order marks": repeated("\uFEFF"),
  "byte order marks between": repeated("\uFEFF1,", { before: "[", after: "]" }),
  accents: repeated("é", IN_NAME),
  "marks of accents": repeated("\u0301", { before: '{"n', after: 'ame": 1,}' }),
  ligatures: repeated("\uFDFA", { before: '{"count": "', after: '"}' }),
  "a base64 text": counted((at) => ((at * 7919) % 46656).toString(36), IN_NAME),
  dates: repeated("2025-01-01 ", { before: '{"name": "', after: '"}' }),
  "letters of all the planes": counted((at) => String.fromCodePoint(0x1f300 + (at % 500)), IN_NAME),
};

/** Many values, side by side or in a list. */
const MANY: Readonly<Record<string, MakeText>> = {
  "spans in prose": repeated('see {"name": "x"} and '),
  "broken spans in prose": repeated("see {note: this} and {that} "),
  "notes in prose": repeated("as said [1] and [2, 3] there, "),
  "code in prose": repeated("if (a[i]) { b(c); }\n"),
  "formulas in prose": repeated("\\frac{a}{b_{i}} + "),
  "objects side by side": repeated('{"count": 1}'),
  "objects by lines": counted((at) => `{"name": "n${at}", "count": "${at}"}\n`),
  "different objects in prose": counted((at) => `and {"name": "n${at}"} `),
  numbers: repeated("1, ", { before: "[" }),
  "numbers without commas": repeated("1 2 3 ", { before: "[", after: "]" }),
  "numbers as texts": counted((at) => `"${at}",`, { before: "[", after: "]" }),
  "texts that are nearly dates": repeated(
    '"1 2 3 4 5 at 10:10:10.1 at 12:12 am 10:10 of May of May of 20 +01:0 (X)", ',
    {
      before: "[",
    },
  ),
  "numbers in a nested text": counted((at) => `\\"${at}\\",`, { before: '"[', after: '\\"\\"]",' }),
  "texts of sentences": repeated('"approved, but not really the case" ,', { before: "[", after: "]" }),
  "rows to coerce": repeated('{"Name": "x", "count": "1"},', IN_ROWS),
  "rows of slips": repeated('{"nmae": "x", "cuont": "1"},', IN_ROWS),
  "rows of slips of all names": counted((at) => `{"filed_${at % 300}x_nmae": ${at}},`, IN_ROWS),
  "rows that do not fit": repeated('{"zzz": 1, "yyy": [2]},', IN_ROWS),
  "rows with one wrong at the end": repeated('{"name": "x", "count": 1},', {
    before: '{"rows": [',
    after: '{"count": "wrong"}]}',
  }),
  "alternatives that differ": counted(
    (at) => `{"Kind": "k${at % 8}", "v${at % 8}": "1", "name": "x"},`,
    IN_ROWS,
  ),
  "alternatives in levels": repeated(`${'{"inner":'.repeat(12)}{"count": "x"}${"}".repeat(12)},`, IN_ROWS),
  "envelopes in rows": repeated('{"result": {"data": {"name": "x", "count": "1"}}},', IN_ROWS),
  "names without end": counted((at) => `"nmae${at}x": 1,`, { before: "{", after: "}" }),
  "names that are one": repeated('"name": "a", ', { before: "{", after: "}" }),
  "names that differ in case": counted((at) => `"${at % 2 === 0 ? "na" : "NA"}me${at}": 1,`, {
    before: "{",
    after: "}",
  }),
  pairs: counted((at) => `["k${at}", "${at}"],`, { before: "[", after: "]" }),
  "members closed early": repeated('}, "a": 1', { before: '{"name": "x"' }),
  "members without braces": repeated('"a": 1, '),
  "sets of values": repeated("{1, 2},", IN_ROWS),
  "python values": repeated("(None, True, b'x', 0x1F, 1_000,),", IN_ROWS),
  "regular pieces": counted((_, draw) =>
    draw.pick(['{"', '":', "[", "]", "}", ",", "1", " ", '"', "\\", "\n"]),
  ),
};

/** JSON in texts of JSON. */
const NESTED: Readonly<Record<string, MakeText>> = {
  "rows of nested texts": repeated('{"rows": "[{\\"count\\": \\"1\\"}]"},', IN_ROWS),
  "rows of nested levels": repeated('{"inner": "{\\"inner\\": \\"{\\\\\\"count\\\\\\": 1}\\"}"},', IN_ROWS),
  "a text of escaped marks": repeated('{\\"a\\": ', { before: 'Result: "', after: '"' }),
  "texts encoded again and again": (chars) => {
    let text = '{"count": "1"}';
    while (text.length * 2 < chars) text = JSON.stringify({ inner: text });
    return `${text},`;
  },
  "a long text encoded again": (chars) => {
    let text = JSON.stringify({ name: "x".repeat(Math.floor(chars * 0.9)) });
    while (text.length < chars - 40) text = JSON.stringify({ inner: text });
    return `${text},`;
  },
  "texts that look like lists": repeated('"[not a list", ', IN_ROWS),
};

/** Lines that may be outlines. */
const LINES: Readonly<Record<string, MakeText>> = {
  "names and values": counted((at) => `key_${at}: value\n`),
  "names in levels": counted((at) => `${" ".repeat(at % 40)}k${at}:\n`),
  bullets: repeated("- x\n"),
  "bullets in bullets": repeated("- - - x\n"),
  "bullets without end": repeated("- "),
  "rows of a table": repeated("| a | b |\n", { before: "| name | count |\n|---|---|\n" }),
  "rules of a table": repeated("|---", { before: "| a |\n" }),
  "rules without bars": repeated("--- "),
  "separated values": repeated("a,1\n", { before: "name,count\n" }),
  "paragraphs of prose": repeated("This is a line of prose.\n\n"),
  "lines of blanks": repeated(`${" ".repeat(80)}\n`),
  "bold names": repeated("**name**: x\n"),
  "blanks between words": repeated(" ", { before: "true", after: "null" }),
  "carriage returns between words": repeated("\r", { before: "x", after: "y" }),
  "fences without ends": repeated("```yaml\n"),
  "emphasis in a head": repeated("*", { before: "name,b", after: "c\n1,2" }),
  "a name and blanks": repeated(" ", { before: "- name", after: "y: x\nb: c" }),
  "block texts": repeated("  x\n", { before: "name: |\n" }),
  quotes: repeated("> quoted\n"),
};

/** Large and honest: each has a right answer under the schema that its name tells in `HONEST_SCHEMAS`. */
export const HONEST_TEXTS: Readonly<Record<string, MakeText>> = {
  "valid rows": counted((at) => `{"name":"row ${at}","count":${at}},`, {
    before: '{"rows":[',
    after: '{"name":"end"}]}',
  }),
  "valid rows in a fence with a comma too many": counted(
    (at) => `  {"name": "row ${at}", "count": ${at}},\n`,
    {
      before: 'Here you are:\n```json\n{"rows": [\n',
      after: "]}\n```\n",
    },
  ),
  "rows with numbers as texts": counted(
    (at) => `{"name": "row ${at} of the long list of rows, in words enough for one", "count": "${at}"},`,
    {
      before: '{"rows": [',
      after: '{"name": "end"}]}',
    },
  ),
  "rows in single quotes": counted((at) => `{'name': 'row ${at}', 'count': ${at}},`, {
    before: "{'rows': [",
    after: "]}",
  }),
  "one valid long text": repeated("All work and no play. ", { before: '{"name": "', after: '"}' }),
  "one long text with raw lines": repeated('He said "so" and went.\n', { before: '{"name": "', after: '"}' }),
  "rows lacking their closers": counted((at) => `{"name": "row ${at}", "count": ${at}}, `, {
    before: '{"rows": [',
    after: '{"name": "end"}',
  }),
};

export const HOSTILE_TEXTS: Readonly<Record<string, MakeText>> = {
  ...BRACKETS,
  ...STRINGS,
  ...MARKS,
  ...RUNS,
  ...MANY,
  ...NESTED,
  ...LINES,
};
