import fc from "fast-check";
import { asSchema } from "#shared/schema";
import { closed, list, text } from "../contracts.ts";
import { describedObject, frame, names, nested, objectOf, scalar, word, words } from "./arbitraries.ts";
import type { Described, FaultCase, FaultClass } from "./arbitraries.ts";

/** Faults of the outer marks that leave no doubt about the value. */
const SLIPS: readonly ((text: string) => string)[] = [
  (one) => one,
  (one) => one,
  (one) => one.replace(/\}$/, ",}"),
  (one) => one.replace(/^\{/, "{ // the answer\n"),
  (one) => one.replace(/^\{"(\w+)":/, "{$1:"),
  (one) => one.replace(/\}$/, ""),
];

const inner: fc.Arbitrary<Described> = fc.oneof(
  { weight: 3, arbitrary: objectOf(scalar, [1, 3]) },
  {
    weight: 1,
    arbitrary: fc
      .array(words, { minLength: 1, maxLength: 3 })
      .map((value) => ({ value, schema: list(text) })),
  },
);

/** An object with JSON in one of its texts, in whatever frame. */
const escaped: fc.Arbitrary<FaultCase> = fc
  .record({
    outer: objectOf(scalar, [1, 3]),
    key: fc.constantFrom("arguments", "args", "payload", "body", "xray"),
    inner,
    indent: fc.constantFrom(0, 0, 2),
    times: fc.constantFrom(1, 1, 2),
    at: fc.nat(3),
    isNested: fc.boolean(),
    asked: fc.constantFrom("nothing", "text", "open", "parsed"),
    slip: fc.constantFrom(...SLIPS),
    frame,
  })
  .map((given) => {
    let written = JSON.stringify(given.inner.value, null, given.indent);
    for (let time = 1; time < given.times; time += 1) written = JSON.stringify(written);
    const isParsed = given.asked === "parsed" && given.times === 1;
    const held = { value: written, schema: isParsed ? given.inner.schema : text };
    const members = Object.entries(given.outer.value).map(([key, value]): [string, Described] => [
      key,
      { value, schema: asSchema(asSchema(given.outer.schema["properties"])?.[key]) ?? {} },
    ]);
    members.splice(given.at, 0, [given.key, held]);
    const plain = describedObject(members);
    const whole = given.isNested ? describedObject([["yankee", plain]]) : plain;
    const right = describedObject(
      members.map(([key, one]) => [key, isParsed && key === given.key ? given.inner : one]),
    );
    const { additionalProperties: _closed, ...open } = whole.schema;
    return {
      text: given.frame(given.slip(JSON.stringify(whole.value))),
      schema: given.asked === "nothing" ? undefined : given.asked === "open" ? open : whole.schema,
      value: given.isNested ? { yankee: right.value } : right.value,
    };
  });

export const ESCAPED: FaultClass = { cases: escaped, leastRead: 0.95 };

/** Texts with quotes and closing brackets in them. */
const BRACKETED = [
  'call f("x")',
  'call f("x") and g("y")',
  'rows["k"]',
  'see ("x")',
  '("x")',
  'a {"x"} b',
  'a <b c="d"> e',
  '1) "one" 2) "two"',
  'he said "well :)"',
  '[see "x"]',
  'f(g("x"))',
  'f("x", "y")',
  '"x")',
  'x["a"]["b"]',
  "(“x”)",
];

/** A text with unescaped quotes before brackets, among other members or items. */
const inText: fc.Arbitrary<FaultCase> = fc
  .record({
    keys: names(2, 4),
    all: fc.array(scalar, { minLength: 4, maxLength: 4 }),
    said: fc.constantFrom(...BRACKETED),
    before: fc.constantFrom("", "Ax "),
    after: fc.constantFrom("", " now", "."),
    at: fc.nat(3),
    gap: fc.constantFrom("", " ", "\n  "),
    isList: fc.boolean(),
    isAsked: fc.boolean(),
    frame,
  })
  .map(({ keys, all, said, before, after, at, gap, isList, isAsked, frame: framed }) => {
    const held = before + said + after;
    const members = keys.map((key, index) =>
      index === at % keys.length
        ? { key, one: { value: held, schema: text }, written: `"${held}"` }
        : { key, one: all[index] ?? { value: 0, schema: text }, written: JSON.stringify(all[index]?.value) },
    );
    const written = members.map(({ key, written: one }) => `"${key}":${gap === "\n  " ? " " : gap}${one}`);
    const whole = describedObject(members.map(({ key, one }) => [key, one]));
    const row = `{${gap}${written.join(`,${gap}`)}${gap}}`;
    return {
      text: framed(isList ? `[${row}, ${row}]` : row),
      schema: isAsked ? (isList ? list(whole.schema) : whole.schema) : undefined,
      value: isList ? [whole.value, whole.value] : whole.value,
    };
  });

export const BRACKETS_IN_TEXT: FaultClass = { cases: inText, leastRead: 0.5 };

/** JSON in which one closing bracket is of another sort, or one stands where none belongs. */
const wrongClosers: fc.Arbitrary<FaultCase> = fc
  .record({
    whole: nested,
    at: fc.nat(),
    closer: fc.constantFrom("}", "]", ")"),
    isAdded: fc.boolean(),
    isAsked: fc.boolean(),
  })
  .map(({ whole, at, closer, isAdded, isAsked }) => {
    const written = JSON.stringify(whole.value);
    const places = marksIn(written).filter(({ mark }) => (isAdded ? mark === "," : "}]".includes(mark)));
    const free = places.filter((one) => !isAdded || ownCloser(written, one.at) !== closer);
    const place = free[at % Math.max(1, free.length)]?.at ?? written.length;
    return {
      text: written.slice(0, place) + closer + written.slice(isAdded ? place : place + 1),
      schema: isAsked ? whole.schema : undefined,
      value: whole.value,
    };
  });

export const WRONG_CLOSERS: FaultClass = { cases: wrongClosers, leastRead: 0.2 };

/** The bracket that closes what is open at a place. A second one of it would leave no trace of which is too many. */
function ownCloser(json: string, at: number): string | undefined {
  const open: string[] = [];
  for (const { mark } of marksIn(json.slice(0, at)))
    if (mark === "{" || mark === "[") open.push(mark === "{" ? "}" : "]");
    else if (mark === "}" || mark === "]") open.pop();
  return open.at(-1);
}

/** The marks of a JSON text outside of its strings, and the quotes of those. */
function marksIn(json: string): { mark: string; at: number }[] {
  const found: { mark: string; at: number }[] = [];
  for (const token of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g)) {
    const [piece] = token;
    if (piece.startsWith('"'))
      found.push({ mark: '"', at: token.index }, { mark: '"', at: token.index + piece.length - 1 });
    else found.push({ mark: piece, at: token.index });
  }
  return found;
}

/** JSON without one or two of its marks, or cut somewhere, under its contract. */
const lackingMarks: fc.Arbitrary<FaultCase> = fc
  .record({
    whole: nested,
    gone: fc.array(fc.nat(), { minLength: 1, maxLength: 2 }),
    cut: fc.option(fc.nat(), { nil: undefined, freq: 3 }),
    indent: fc.constantFrom(0, 0, 1),
    frame,
  })
  .map(({ whole, gone, cut, indent, frame: framed }) => {
    const written = JSON.stringify(whole.value, null, indent);
    const marks = marksIn(written).filter(({ mark }) => !"[]".includes(mark));
    const places = gone.map((one) => marks[one % marks.length]?.at ?? 0).toSorted((a, b) => a - b);
    // Two quotes around a comma leave no trace.
    const dropped = new Set(
      places.filter((at, index) => index === 0 || /[^\s,:]/.test(written.slice((places[0] ?? 0) + 1, at))),
    );
    const lacking = written
      .split("")
      .filter((_, at) => !dropped.has(at))
      .join("");
    return {
      text: cut === undefined ? framed(lacking) : cutInside(written, cut),
      schema: whole.schema,
      value: whole.value,
    };
  });

export const LACKING_MARKS: FaultClass = { cases: lackingMarks, leastRead: 0.25 };

/** JSON that ends inside of one of its names or texts. */
function cutInside(json: string, cut: number): string {
  const tokens = [...json.matchAll(/"(?:[^"\\]|\\.)*"/g)];
  const token = tokens[cut % tokens.length];
  const within = token === undefined ? 1 : 1 + (cut % (token[0].length - 1));
  return json.slice(0, (token?.index ?? 0) + within);
}

/** Words with brackets, colons and commas in the brackets, without quotes. */
const BARE = fc
  .tuple(fc.constantFrom("f", "sum", "std::max", "rows", "at.x"), word, word, fc.nat(7))
  .map(
    ([call, one, other, kind]) =>
      [
        `${call}(${one})`,
        `${call}(p: ${one}, q: ${other})`,
        `${call}(${one}, ${other})`,
        `${call}[0]`,
        `${call}(g(${one}))`,
        `${call}(${one}: ${other})`,
        `${call}()`,
        `${one} (${other})`,
      ][kind] ?? one,
  );

/** Objects whose values have no quotes. */
const bareWords: fc.Arbitrary<FaultCase> = fc
  .record({
    keys: fc.shuffledSubarray(["id", "sig", "kind", "note"], { minLength: 1, maxLength: 3 }),
    cells: fc.array(fc.oneof(BARE, word), { minLength: 9, maxLength: 9 }),
    count: fc.integer({ min: 1, max: 3 }),
    gap: fc.constantFrom("", " ", "\n  "),
    isAsked: fc.boolean(),
    isList: fc.boolean(),
    frame,
  })
  .map(({ keys, cells, count, gap, isAsked, isList, frame: framed }) => {
    const rows = Array.from({ length: isList ? count : 1 }, (_, row) =>
      Object.fromEntries(keys.map((key, at) => [key, cells[(row * keys.length + at) % cells.length] ?? "x"])),
    );
    const written = rows.map((row) => {
      const members = Object.entries(row).map(([key, value]) => `${key}: ${value}`);
      return `{${gap}${members.join(`, ${gap}`)}${gap}}`;
    });
    const schema = closed(Object.fromEntries(keys.map((key) => [key, text])));
    const [first = {}] = rows;
    return {
      text: framed(isList ? `[${written.join(`,${gap}`)}]` : (written[0] ?? "")),
      schema: isAsked ? (isList ? list(schema) : schema) : undefined,
      value: isList ? rows : first,
    };
  });

export const BARE_WORDS: FaultClass = { cases: bareWords, leastRead: 0.8 };
