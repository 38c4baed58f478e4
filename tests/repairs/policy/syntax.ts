import { ADDRESS, CITY, closed, integer, list, QTY, read, refuse, STEPS, text } from "../contracts.ts";
import type { PolicyRow } from "../contracts.ts";

export const SOUND: readonly PolicyRow[] = [
  read("valid JSON", ['{"a": 1.50}', { a: 1.5 }], "Nothing is wrong, so nothing is changed."),
  read(
    "text that looks like syntax",
    ['{"a": "```json {b: 1,} N/A"}', { a: "```json {b: 1,} N/A" }],
    "Inside a string every character is text.",
  ),
  read(
    "JSON inside a text",
    ['{"args": "{\\"q\\": 1}"}', { args: '{"q": 1}' }, closed({ args: text })],
    "The contract asks for a text.",
  ),
  read(
    "JSON inside a text, asked for as an object",
    ['{"args": "{\\"q\\": 1}"}', { args: { q: 1 } }, closed({ args: closed({ q: integer }) })],
    "Only the object inside fits.",
  ),
  read(
    "JSON inside a text, beside prose",
    ['Reply: {"tool": "find", "args": "{\\"q\\": 1}"}', { tool: "find", args: '{"q": 1}' }],
    "The outer value holds the inner one.",
  ),
  refuse(
    "one name twice",
    ['{"qty": 1, "qty": 2}', "duplicate_key", QTY],
    "JSON parsers differ in which one they take.",
  ),
];

export const MARKS: readonly PolicyRow[] = [
  read("trailing comma", ['{"a": [1, 2,],}', { a: [1, 2] }], "Nothing stands after it."),
  read("missing comma", ['{"a": 1 "b": 2}', { a: 1, b: 2 }], "The next name begins."),
  read("missing comma without a blank", ['{"a": 1"b": 2}', { a: 1, b: 2 }], "The next name begins."),
  read(
    "quotation mark too many",
    ['{"a"": ""x", ""b": 2}', { a: "x", b: 2 }],
    "Nothing stands between them.",
  ),
  refuse(
    "quotation mark or text",
    ['{"a": "x"-, "b": 2}', "ambiguous"],
    "It may end the text, or be part of it.",
  ),
  refuse("colon or dash", ['{"a"-2}', "ambiguous"], "The dash may be the number's, or stand for the colon."),
  read("comma that is too much", ["[1,, 2]", [1, 2]], "Between two commas is no value."),
  read("missing colon", ['{"a" 1, "b": 2}', { a: 1, b: 2 }], "A name and a value stand side by side."),
  read("missing closers", ['{"a": [1, 2', { a: [1, 2] }], "Without a contract the complete part is kept."),
  read("wrong closer", ['{"a": [1, 2}', { a: [1, 2] }], "The object's own closer ends its list."),
  read("missing braces", ['"a": 1, "b": 2', { a: 1, b: 2 }], "Names with values are members."),
  read(
    "row that never closed",
    ['[{"sku": "A", {"sku": "B"}]', [{ sku: "A" }, { sku: "B" }], list(closed({ sku: text }))],
    "A row has no member without a name.",
  ),
  read("list that never closed", ['{"a": [1, 2, "b": 3}', { a: [1, 2], b: 3 }], "A list has no names."),
  read("object closed too early", ['{"a": 1}, "b": 2}', { a: 1, b: 2 }], "Its members go on behind it."),
  read("single quotes", ["{'a': 'it''s'}", { a: "it''s" }], "Only the outer marks are quotes."),
  read("typographic quotes", ["{“a”: “b”}", { a: "b" }], "They stand where quotes belong."),
  read("names without quotes", ["{a: 1, b_c: 2}", { a: 1, b_c: 2 }], "A colon follows each."),
  read(
    "texts without quotes",
    ["{title: Salt, fat and acid, year: 1952}", { title: "Salt, fat and acid", year: 1952 }],
    "A text ends before the next name.",
  ),
  read(
    "semicolon in a text without quotes",
    ["{steps: [Bake; cool down, Serve]}", { steps: ["Bake; cool down", "Serve"] }, STEPS],
    "Commas separate, so it does not.",
  ),
  refuse(
    "semicolon between texts of several words",
    ["{steps: [Bake it; cool down]}", "ambiguous", STEPS],
    "It may be one text or two.",
  ),
  read(
    "colon inside a name's quotes",
    ["{'city:': 'Oslo'}", { city: "Oslo" }, CITY],
    "The name's own colon follows.",
  ),
  read(
    "brackets in texts without quotes",
    ["[{id: a, sig: f(p: n, q: m)}, {id: b}]", [{ id: "a", sig: "f(p: n, q: m)" }, { id: "b" }]],
    "Brackets behind a word belong to it.",
  ),
  read(
    "quotes inside a text",
    ['{"note": "call f("x")", "n": 1}', { note: 'call f("x")', n: 1 }],
    "What follows the inner quotes is no member.",
  ),
  read(
    "missing end quote",
    ['{"city": "Oslo, "zip": 179}', { city: "Oslo", zip: 179 }, ADDRESS],
    "A text never takes in the member after it.",
  ),
  refuse(
    "two texts for one value",
    ['{"a": "x" "y"}', "ambiguous"],
    "Joined, a list, or a quotation: nothing tells.",
  ),
  refuse("object without a name", ['{"a": 1, {"b": 2}}', "ambiguous"], "Its name is lost."),
  read("line break inside a text", ['{"a": "x\ny"}', { a: "x\ny" }], "It can only be part of the text."),
  read("comments", ['{"a": 12/* dozen */, "b": 3} // end', { a: 12, b: 3 }], "They are no data."),
  refuse("marks and nothing else", ["{;;;}", "no_json"], "That is no empty object."),
  read("text joined by plus", ['{"a": "x" + "y"}', { a: "xy" }], "JavaScript joins them so."),
];

export const VALUES: readonly PolicyRow[] = [
  read(
    "literals of other languages",
    ["{'a': True, 'b': None}", { a: true, b: null }],
    "Each has one form in JSON.",
  ),
  read(
    "literals in another case",
    ['{"a": Null, "b": TRUE}', { a: null, b: true }],
    "Each has one form in JSON.",
  ),
  read(
    "numbers of other languages",
    ['{"a": +1_000, "b": .5, "c": 0x1F}', { a: 1000, b: 0.5, c: 31 }],
    "Each has one value.",
  ),
  refuse("half a number", ['{"a": 2e+}', "mismatch"], "Its exponent is missing."),
  read(
    "plus kept in a text",
    ['{"phone": +4722334455}', { phone: "+4722334455" }, closed({ phone: text })],
    "The contract asks for a text.",
  ),
  read(
    "leading zeros",
    ['{"zip": 0179}', { zip: "0179" }, closed({ zip: text })],
    "As a number it would lose the zero.",
  ),
  read(
    "long digits",
    ['{"id": 12345678901234567890}', { id: "12345678901234567890" }, closed({ id: text })],
    "As a number it would lose digits.",
  ),
  read(
    "dates and ids as calls",
    ['{"_id": ObjectId("5f")}', { _id: "5f" }],
    "The call stands for its argument.",
  ),
  read(
    "regular expression",
    ['{"re": "\\bID-\\d+"}', { re: "\\bID-\\d+" }],
    "A backspace before letters is no text anybody writes.",
  ),
  read(
    "path of Windows",
    ['{"p": "D:\\Units\\new"}', { p: "D:\\Units\\new" }],
    "A path has no tab and no line break.",
  ),
];
