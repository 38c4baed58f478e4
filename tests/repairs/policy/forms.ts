import { ADDRESS, boolean, closed, integer, list, oneOf, read, refuse, text } from "../contracts.ts";
import type { PolicyRow } from "../contracts.ts";

const OSLO = { city: "Oslo", zip: 179 };
const LINES = list(closed({ sku: text, qty: integer }));
const TWO_LINES = [
  { sku: "A-1", qty: 2 },
  { sku: "B-2", qty: 1 },
];

export const AROUND: readonly PolicyRow[] = [
  read(
    "prose around",
    ['Sure! {"city": "Oslo", "zip": 179} Anything else?', OSLO, ADDRESS],
    "One value fits.",
  ),
  read("fence", ['```json\n{"a": 1}\n```', { a: 1 }], "A fence holds the answer and nothing else."),
  read(
    "code in a text",
    ['{"code": "```js\\nf()\\n```"}', { code: "```js\nf()\n```" }],
    "A text is left as it is.",
  ),
  read("reasoning with a draft", ['<think>{"a": 2}?</think>{"a": 1}', { a: 1 }], "Reasoning is no answer."),
  read(
    "shells of tool calls",
    ['{"name": "save", "input": {"city": "Oslo", "zip": 179}}', OSLO, ADDRESS],
    "The shell is a known one; [dialects](dialects.md).",
  ),
  read(
    "shell that is asked for",
    [
      '{"name": "save", "input": {"q": 1}}',
      { name: "save", input: { q: 1 } },
      closed({ name: text, input: closed({ q: integer }) }),
    ],
    "What fits as it is, is not opened.",
  ),
  refuse(
    "example before the answer",
    ['For example {"a": 1}. Final answer: {"a": 2}', "ambiguous"],
    "Only who understands the words before each can say which is meant.",
  ),
  read(
    "members beside an object",
    [
      'id: 3\nname: x\ndetails:\n{"k": 1}',
      { id: 3, name: "x", details: { k: 1 } },
      closed({ id: integer, name: text, details: closed({ k: integer }) }),
    ],
    "The object is the last member's value.",
  ),
  refuse(
    "members left outside",
    ['id: 3\n{"k": 1}', "ambiguous", closed({ id: integer, k: integer }, ["k"])],
    "Data that fits a declared member would be lost.",
  ),
  read(
    "footnote behind",
    ['{"a": 1} [1]', { a: 1 }, closed({ a: integer })],
    "A number in brackets in prose is a reference.",
  ),
];

export const TRANSPORT: readonly PolicyRow[] = [
  read("escaped once", ['{\\"a\\": 1}', { a: 1 }], "Every quote is escaped."),
  read("escaped twice", ['{\\\\\\"a\\\\\\": 1}', { a: 1 }], "Every quote is escaped."),
  read(
    "JSON as a text",
    ['"{\\"city\\": \\"Oslo\\", \\"zip\\": 179}"', OSLO, ADDRESS],
    "The contract asks for an object.",
  ),
  read("line breaks as escapes", ['{\\n"a": 1\\n}', { a: 1 }], "They stand between values."),
  read(
    "HTML entities",
    ["{&quot;a&quot;: &quot;x &amp; y&quot;}", { a: "x & y" }],
    "JSON has no such quotes.",
  ),
  read("entities inside sound JSON", ['{"a": "x &amp; y"}', { a: "x &amp; y" }], "A text is left as it is."),
  read("quoted mail", ['> {"a": 1,\n> "b": 2}', { a: 1, b: 2 }], "Every line begins with the mark."),
  read("diff", ['+{\n+  "a": 1\n+}', { a: 1 }], "Every line begins with the mark."),
  read("line numbers", ['1 {\n2   "a": 1\n3 }', { a: 1 }], "They count the lines."),
  read("terminal colours", ['\u001B[32m{"a": 1}\u001B[0m', { a: 1 }], "JSON has no escape characters."),
  read("several JSON lines", ['{"a": 1}\n{"a": 2}', [{ a: 1 }, { a: 2 }]], "A line each is a list."),
  read(
    "streamed deltas",
    [
      'data: {"choices":[{"delta":{"content":"{\\"a\\""}}]}\n\ndata: {"choices":[{"delta":{"content":": 1}"}}]}',
      { a: 1 },
    ],
    "Joined, the pieces are one text.",
  ),
];

export const NOTATIONS: readonly PolicyRow[] = [
  read("`name: value` lines", ["city: Oslo\nzip: 179", OSLO, ADDRESS], "Every name is the contract's."),
  refuse(
    "`name: value` lines with another name",
    ["city: Oslo\nzip: 179\nfear: none", "mismatch", ADDRESS],
    "Prose looks like that too.",
  ),
  read(
    "lines with bold names",
    ["**City:** Oslo\n**Zip:** 179", OSLO, ADDRESS],
    "Emphasis is no part of a name.",
  ),
  read("pairs in one line", ["city: Oslo, zip: 179", OSLO, ADDRESS], "Every name is the contract's."),
  read("headings", ["## City\nOslo\n\n## Zip\n179", OSLO, ADDRESS], "Every heading is a name."),
  read(
    "YAML",
    ["- sku: A-1\n  qty: 2\n- sku: B-2\n  qty: 1", TWO_LINES, LINES],
    "Indentation says what belongs together.",
  ),
  read("TOML and INI", ['city = "Oslo"\nzip = 179', OSLO, ADDRESS], "Every name is the contract's."),
  read(
    "table of Markdown",
    ["| SKU | Qty |\n|---|---|\n| A-1 | 2 |\n| B-2 | 1 |", TWO_LINES, LINES],
    "The head names the columns.",
  ),
  read(
    "table of names and values",
    ["| Field | Value |\n|---|---|\n| city | Oslo |\n| zip | 179 |", OSLO, ADDRESS],
    "The first column holds the contract's names.",
  ),
  read("CSV", ["sku,qty\nA-1,2\nB-2,1", TWO_LINES, LINES], "The head names the columns."),
  refuse("CSV with uneven rows", ["sku,qty\nA-1,2\nB-2", "ambiguous", LINES], "The lost cell may be any."),
  read("bullets", ["Items:\n- pen\n- ink", ["pen", "ink"], list(text)], "Each bullet is an item."),
  read(
    "objects behind bullets",
    ['- {"sku": "A-1", "qty": 2}\n- {"sku": "B-2", "qty": 1}', TWO_LINES, LINES],
    "Each bullet is an item.",
  ),
  read("Python", ["Address(city='Oslo', zip=179)", OSLO, ADDRESS], "Named arguments are members."),
  read("Ruby", ['{:city => "Oslo", :zip => 179}', OSLO, ADDRESS], "Each notation has one value."),
  read(
    "Elixir, Scala, Clojure …",
    ['%{"city" => "Oslo", "zip" => 179}', OSLO, ADDRESS],
    "Each notation has one value.",
  ),
  read(
    "XML",
    ["<address><city>Oslo</city><zip>179</zip></address>", OSLO, ADDRESS],
    "Every element is the contract's.",
  ),
  read("bold answer", ["Answer: **True**", true, boolean], "The label says that it is the answer."),
  read(
    "quoted answer in a sentence",
    ['"TWO" is the answer', "TWO", oneOf("ONE", "TWO")],
    "The sentence says that it is the answer.",
  ),
  read(
    "label, value, then prose",
    ["Category: billing\n\nThe customer asks for a refund.", "billing", oneOf("billing", "shipping")],
    "One member is named, behind its label.",
  ),
  read("number in a sentence", ["The answer is 42.", 42, integer], "The sentence holds nothing else."),
  read("answer as a heading", ["### 42", 42, integer], "The sentence holds nothing else."),
  read(
    "one value under any name",
    ['{"sentiment": "Positive"}', "positive", oneOf("positive", "negative")],
    "Nothing else is there, and the contract knows the value.",
  ),
  read(
    "names with text and bullets below them",
    [
      "**Summary**\n\nSales rose.\n\n**Key points**\n- Costs fell\n- Margins: up 2 points",
      { summary: "Sales rose.", key_points: ["Costs fell", "Margins: up 2 points"] },
      closed({ summary: text, key_points: list(text) }),
    ],
    "All names are the contract's. A bullet's colon makes it no member where the contract wants texts.",
  ),
  read(
    "names and values between bars",
    ["city: Oslo | zip: 179", OSLO, ADDRESS],
    "All names are the contract's.",
  ),
  read(
    "name with a table below it",
    [
      "City: Oslo\nLines:\n| sku | qty |\n| --- | --- |\n| A-1 | 2 |\n| B-2 | 1 |",
      { city: "Oslo", lines: TWO_LINES },
      closed({ city: text, lines: LINES }),
    ],
    "All names are the contract's.",
  ),
  refuse(
    "text and a table below one name",
    [
      "City: Oslo\n| sku | qty |\n| --- | --- |\n| A-1 | 2 |",
      "mismatch",
      closed({ city: text, lines: LINES }, ["city"]),
    ],
    "The table belongs to another name, which is not there.",
  ),
  read(
    "several elements without one around them",
    [
      "<city>Oslo</city>\n<tags><tag>a</tag><tag>b</tag></tags>",
      { city: "Oslo", tags: ["a", "b"] },
      closed({ city: text, tags: list(text) }),
    ],
    "All names are the contract's.",
  ),
  refuse(
    "list of objects with one name",
    ['[{"city": "Oslo"}, {"city": "Bergen"}]', "mismatch", list(text)],
    "The contract wants values, and no name is dropped.",
  ),
  read(
    "marks of full width",
    ['{"city"："Oslo"，"zip"：179}', OSLO, ADDRESS],
    "Outside of texts they are JSON's marks on another keyboard.",
  ),
];
