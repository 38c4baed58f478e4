import fc from "fast-check";
import type { JsonSchema } from "#shared/json";
import type { JsonValue } from "#shared/schema";
import { closed, integer, list, number, text } from "../contracts.ts";
import { describedObject, frame, names, scalar, word } from "./arbitraries.ts";
import type { Described, FaultCase, FaultClass } from "./arbitraries.ts";

/** Remarks that touch values. */
const REMARKS = ["/* x */", "/**/", "// y\n", "# z\n", "/* 7 */", "// 1, 2\n", "/* a: b, */", "/* “x” */"];

/** Values with comments directly before or behind them. */
const remarks: fc.Arbitrary<FaultCase> = fc
  .record({
    keys: names(1, 4),
    all: fc.array(scalar, { minLength: 4, maxLength: 4 }),
    before: fc.array(fc.constantFrom("", "", ...REMARKS), { minLength: 4, maxLength: 4 }),
    behind: fc.array(fc.constantFrom("", ...REMARKS), { minLength: 4, maxLength: 4 }),
    isListed: fc.boolean(),
    isAsked: fc.boolean(),
    isBareKey: fc.boolean(),
    frame,
  })
  .map(({ keys, all, before, behind, isListed, isAsked, isBareKey, frame: framed }) => {
    const members = keys.map((key, at): [string, Described] => [
      key,
      all[at] ?? { value: 1, schema: integer },
    ]);
    const marked = members.map(([key, { value }], at) => {
      const name = isBareKey ? `${key}:` : `${JSON.stringify(key)}:`;
      return `${isListed ? "" : name}${before[at]}${JSON.stringify(value)}${behind[at]}`;
    });
    const whole = describedObject(members);
    const values = members.map(([, { value }]) => value);
    const items = { type: "array", prefixItems: members.map(([, { schema }]) => schema) };
    return {
      text: framed(isListed ? `[${marked.join(",")}]` : `{${marked.join(",")}}`),
      schema: isAsked ? (isListed ? items : whole.schema) : undefined,
      value: isListed ? values : whole.value,
    };
  });

export const REMARKS_AT_VALUES: FaultClass = { cases: remarks, leastRead: 0.9 };

/** What is no number, and no text either. */
const HALVES = [
  "2e+",
  "2e",
  "2E-",
  "-",
  "+",
  "1.5e",
  "-3e+",
  "0x",
  ".",
  "-.",
  "1.e+",
  "+.5e",
  "12e-",
  "--5",
  "1e+-2",
  "0b",
  "1.2.",
  "-e5",
  "00e",
];

/** Half a number as a value. */
const halfNumbers: fc.Arbitrary<FaultCase> = fc
  .record({
    half: fc.constantFrom(...HALVES),
    key: word,
    place: fc.constantFrom<(half: string, key: string) => string>(
      (half, key) => `{"${key}": ${half}}`,
      (half, key) => `{"${key}": ${half}, "zulu": 1}`,
      (half, key) => `{"zulu": 1, "${key}":${half}\n}`,
      (half, key) => `{${key}: ${half}}`,
      (half) => `[1, ${half}]`,
      (half) => `[${half}, 2]`,
      (half, key) => `{"${key}": [${half}]}`,
      (half, key) => `{"${key}": {"x": ${half}}}`,
    ),
    asked: fc.constantFrom("nothing", "number", "integer"),
    frame,
  })
  .map(({ half, key, place, asked, frame: framed }) => {
    const one = asked === "integer" ? integer : number;
    const said = place(half, key);
    const schema = said.startsWith("[")
      ? list(one)
      : {
          type: "object",
          additionalProperties: { anyOf: [one, list(one), { type: "object", additionalProperties: one }] },
        };
    return { text: framed(said), schema: asked === "nothing" ? undefined : schema, value: undefined };
  });

export const HALF_NUMBERS: FaultClass = { cases: halfNumbers, leastRead: 0 };

/** Marks without anything between them. */
const nonsense: fc.Arbitrary<FaultCase> = fc
  .record({
    marks: fc.array(fc.constantFrom(...";:,.=-+*/#&%$!?~^<>|@ \n".split("")), { minLength: 1, maxLength: 8 }),
    around: fc.constantFrom<readonly [string, string]>(
      ["{", "}"],
      ["[", "]"],
      ["{", ""],
      ["[", ""],
      ["(", ")"],
      ["[{", "}]"],
      ['{"a":', "}"],
    ),
    schema: fc.constantFrom<JsonSchema | undefined>(
      undefined,
      { type: "object" },
      closed({ a: integer }, []),
      list(text),
      { type: "array" },
      closed({ a: integer }),
    ),
    frame,
  })
  .filter(({ marks }) => /[^\s,]/.test(marks.join("")) && !/\/\/|\/\*|#|\.\.\./.test(marks.join("")))
  .map(({ marks, around: [open, close], schema, frame: framed }) => ({
    text: framed(open + marks.join("") + close),
    schema,
    value: undefined,
  }));

export const NONSENSE: FaultClass = { cases: nonsense, leastRead: 0 };

/** Spellings of a currency after or before an amount, and words for it in another member. */
const MONEY: Readonly<
  Record<string, { readonly marks: readonly string[]; readonly named: readonly string[] }>
> = {
  EUR: { marks: ["€", "EUR", "euros", "Euro"], named: ["EUR", "eur", "€", "Euro", "euros"] },
  USD: { marks: ["US$", "USD", "US dollars"], named: ["USD", "usd", "US dollars", "US Dollar", "US$"] },
  GBP: { marks: ["£", "GBP", "pounds sterling"], named: ["GBP", "British pounds", "£"] },
  JPY: { marks: ["JPY", "yen", "¥"], named: ["JPY", "Japanese yen", "yen"] },
  INR: { marks: ["₹", "INR", "rupees"], named: ["INR", "Indian rupees", "₹"] },
  CHF: { marks: ["CHF", "Swiss francs"], named: ["CHF", "Swiss francs"] },
  NOK: { marks: ["NOK"], named: ["NOK"] },
  BRL: { marks: ["R$", "BRL"], named: ["BRL", "R$"] },
};

const written: fc.Arbitrary<(mark: string) => string> = fc
  .tuple(fc.integer({ min: 1, max: 900 }), fc.nat(4))
  .map(([amount, kind]) => (mark) => {
    const parts = [
      `${mark}${amount}`,
      `${mark} ${amount}`,
      `${amount} ${mark}`,
      `${amount}${mark}`,
      `${amount}.50 ${mark}`,
    ];
    // A code or word and its amount are two words.
    return (/^\p{L}/u.test(mark) && kind !== 2 && kind !== 4 ? parts[kind === 0 ? 1 : 2] : parts[kind]) ?? "";
  });

/** Where a currency is named: beside the amount, around it, in its name, title, description or annotation. */
const NAMED: readonly ((amount: string, named: string, code: string) => [JsonValue, JsonSchema])[] = [
  (amount, currency) => [{ amount, currency }, closed({ amount: number, currency: text })],
  (amount, currency) => [{ currency, amount }, closed({ amount: number, currency: text })],
  (amount, currency) => [
    { amount, currency_code: currency },
    closed({ amount: number, currency_code: text }),
  ],
  (amount, currencyCode) => [{ price: amount, currencyCode }, closed({ price: number, currencyCode: text })],
  (amount, currency) => [{ amount, currency }, closed({ amount: number })],
  (amount, currency) => [
    { currency, lines: [{ amount }] },
    closed({ currency: text, lines: list(closed({ amount: number })) }),
  ],
  (amount, currency) => [
    { currency, order: { lines: [{ amount }] } },
    closed({ currency: text, order: closed({ lines: list(closed({ amount: number })) }) }),
  ],
  (amount, currency) => [{ currency, result: { amount } }, closed({ amount: number })],
  (amount, currency) => [{ currency, prices: [amount] }, closed({ currency: text, prices: list(number) })],
  (amount, currency) => [
    { price: { value: amount, currency } },
    closed({ price: closed({ value: number, currency: text }) }),
  ],
  (amount, currency) => [{ price: { value: amount, currency } }, closed({ price: number })],
  (amount, currency) => [
    { amount, price_currency: currency },
    closed({ amount: number, price_currency: text }),
  ],
  (amount, _, code) => [
    { [`total_${code.toLowerCase()}`]: amount },
    closed({ [`total_${code.toLowerCase()}`]: number }),
  ],
  (amount, named) => [{ total: amount }, closed({ total: { ...number, description: `Total in ${named}` } })],
  (amount, named) => [{ total: amount }, closed({ total: { ...number, title: `Total (${named})` } })],
  (amount, _, code) => [{ total: amount }, closed({ total: { ...number, "x-unit": code } })],
  (amount, currency) => [{ amount, currency }, closed({ amount: number, currency: { enum: [currency] } })],
];

/** An amount with one currency where another is named. */
const otherCurrency: fc.Arbitrary<FaultCase> = fc
  .record({
    codes: fc.shuffledSubarray(Object.keys(MONEY), { minLength: 2, maxLength: 2 }),
    mark: fc.nat(),
    named: fc.nat(),
    write: written,
    place: fc.constantFrom(...NAMED),
    frame,
  })
  .map(({ codes, mark, named, write, place, frame: framed }) => {
    const [one = "EUR", other = "USD"] = codes;
    const [marks, names_] = [MONEY[one]?.marks ?? [], MONEY[other]?.named ?? []];
    const [value, schema] = place(
      write(marks[mark % marks.length] ?? one),
      names_[named % names_.length] ?? other,
      other,
    );
    return { text: framed(JSON.stringify(value)), schema, value: undefined };
  });

export const OTHER_CURRENCY: FaultClass = { cases: otherCurrency, leastRead: 0 };

/** Units of kinds that are never converted into one another. */
const UNITS: Readonly<
  Record<string, { readonly marks: readonly string[]; readonly suffix: string; readonly said: string }>
> = {
  mass: { marks: ["kg", "g", "lb", "tonnes", "oz", "mg"], suffix: "kg", said: "kilograms" },
  length: { marks: ["km", "m", "miles", "ft", "inches"], suffix: "km", said: "kilometres" },
  time: { marks: ["ms", "s", "minutes", "hours", "days", "years"], suffix: "ms", said: "milliseconds" },
  celsius: { marks: ["°C", "degrees Celsius"], suffix: "celsius", said: "degrees Celsius" },
  fahrenheit: { marks: ["°F", "Fahrenheit"], suffix: "fahrenheit", said: "Fahrenheit" },
  percent: { marks: ["%", "percent"], suffix: "percent", said: "percent" },
  volume: { marks: ["l", "ml", "litres", "gal"], suffix: "ml", said: "millilitres" },
  data: { marks: ["GB", "MB", "bytes", "KiB"], suffix: "mb", said: "megabytes" },
  money: { marks: ["€", "USD", "dollars"], suffix: "eur", said: "euros" },
};

const STATED: readonly ((
  amount: string,
  unit: { suffix: string; said: string },
) => [JsonValue, JsonSchema])[] = [
  (amount, { suffix }) => [{ [`value_${suffix}`]: amount }, closed({ [`value_${suffix}`]: number })],
  (amount, { suffix }) => [{ size: amount }, closed({ size: { ...number, "x-unit": suffix } })],
  (amount, { said }) => [{ size: amount }, closed({ size: { ...number, description: `Size in ${said}.` } })],
  (amount, { suffix }) => [{ size: amount }, closed({ size: { ...number, title: `Size (${suffix})` } })],
  (amount, { said }) => [
    { rows: [{ size: amount }] },
    closed({ rows: list(closed({ size: { ...number, description: `in ${said}` } })) }),
  ],
  (amount, { suffix }) => [{ size: amount, unit: suffix }, closed({ size: number, unit: text })],
  (amount, { suffix }) => [
    { unit: suffix, size: amount },
    closed({ size: number, unit: { enum: [suffix] } }),
  ],
];

/** A number with a unit of another kind than the contract or the member beside it states. */
const otherUnit: fc.Arbitrary<FaultCase> = fc
  .record({
    kinds: fc.shuffledSubarray(Object.keys(UNITS), { minLength: 2, maxLength: 2 }),
    mark: fc.nat(),
    amount: fc.integer({ min: 1, max: 900 }),
    place: fc.constantFrom(...STATED),
    gap: fc.constantFrom("", " "),
    frame,
  })
  .map(({ kinds, mark, amount, place, gap, frame: framed }) => {
    const [one = "mass", other = "length"] = kinds;
    const marks = UNITS[one]?.marks ?? [];
    const unit = UNITS[other] ?? { suffix: "kg", said: "kilograms" };
    const [value, schema] = place(`${amount}${gap}${marks[mark % marks.length] ?? "kg"}`, unit);
    return { text: framed(JSON.stringify(value)), schema, value: undefined };
  });

export const OTHER_UNIT: FaultClass = { cases: otherUnit, leastRead: 0 };
