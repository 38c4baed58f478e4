import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract, sensitive } from "#shared/contract";
import { concealIn } from "../run-mask.ts";
import { Concealer } from "./concealer.ts";
import { hasSensitive, mapSensitive, sensitiveValues } from "./map-sensitive.ts";

const person = z.strictObject({ name: sensitive(z.string()), age: sensitive(z.int()), role: z.string() });
const Visit = contract(
  "clinic.visit@1",
  z.strictObject({
    patient: person,
    others: z.array(person),
    notes: sensitive(z.record(z.string(), z.string())),
    by: z.union([
      z.strictObject({ email: sensitive(z.string()) }),
      z.strictObject({ phone: sensitive(z.string()) }),
    ]),
    address: sensitive(z.strictObject({ street: z.string(), lines: z.array(z.string()) })).optional(),
    fee: sensitive(z.number().meta({ "x-locked": true })).default(3),
    free: z.unknown().optional(),
    ward: z.string(),
  }),
).jsonSchema;

const mask = (value: Parameters<typeof mapSensitive>[0]) => mapSensitive(value, Visit, () => "[x]");

describe("mapSensitive", () => {
  it("keeps the mark in the JSON Schema beside other marks", () => {
    expect(Visit).toHaveProperty(["properties", "fee", "x-sensitive"], true);
    expect(Visit).toHaveProperty(["properties", "fee", "x-locked"], true);
    expect(hasSensitive(Visit)).toBe(true);
    expect(hasSensitive(contract("clinic.plain@1", z.object({ a: z.string() })).jsonSchema)).toBe(false);
  });

  it("masks marked places in lists, unions, records, references, containers and defaults, and nothing else", () => {
    const value = {
      patient: { name: "Ada", age: 36, role: "patient" },
      others: [{ name: "Bob", age: 40, role: "spouse" }],
      notes: { Carl: "is ill" },
      by: { phone: "0170 1234567" },
      address: { street: "High Street 1", lines: ["second floor"] },
      fee: 12.5,
      free: { any: "thing" },
      ward: "C3",
    };
    expect(mask(value)).toEqual({
      patient: { name: "[x]", age: "[x]", role: "patient" },
      others: [{ name: "[x]", age: "[x]", role: "spouse" }],
      notes: { "[x]": "[x]" },
      by: { phone: "[x]" },
      address: { street: "[x]", lines: ["[x]"] },
      fee: "[x]",
      free: { any: "thing" },
      ward: "C3",
    });
  });

  it("masks what a broken payload holds at places that the contract does not know, or of another type", () => {
    expect(
      mask({ patient: { nmae: "Ada", age: "thirty-six", role: "p" }, patientName: "Ada", ward: "C3" }),
    ).toEqual({
      patient: { nmae: "[x]", age: "[x]", role: "p" },
      patientName: "[x]",
      ward: "C3",
    });
    expect(mask({ patient: ["Ada"], notes: "Carl is ill", by: "0170", ward: "C3" })).toMatchObject({
      patient: ["[x]"],
      notes: "[x]",
      by: "[x]",
      ward: "C3",
    });
    expect(mask({ others: { first: { who: "Bob" } }, patient: "Ada" })).toEqual({
      others: { first: { who: "[x]" } },
      patient: "[x]",
    });
  });
});

describe("Concealer", () => {
  const values = sensitiveValues(
    { patient: { name: 'Zoë "Z" Öhm', age: 36, role: "p" }, fee: 123_456, by: {}, ward: "C3" },
    Visit,
  );
  const concealer = new Concealer(values, () => "[x]");

  it("finds a value again in messages, JSON text, JSON in JSON, upper case and as a number", () => {
    const inner = JSON.stringify({ who: 'Zoë "Z" Öhm' });
    for (const text of [
      'invalid: Zoë "Z" Öhm is unknown',
      inner,
      JSON.stringify({ text: inner }),
      'ZOË "Z" ÖHM',
      "costs 123456 now",
    ]) {
      const concealed = concealer.inText(text);
      expect(concealed, text).toContain("[x]");
      expect(concealed.toLowerCase(), text).not.toMatch(/zoë|123456/);
    }
    expect(concealer.inValue({ other: 123_456, same: ["123456", 'Zoë "Z" Öhm'], fine: 1_234_567 })).toEqual({
      other: "[x]",
      same: ["[x]", "[x]"],
      fine: 1_234_567,
    });
  });

  it("takes bounded time: 500 values in 100,000 characters within a second", () => {
    const names = Array.from({ length: 500 }, (_, n) => `person number ${n} of them`);
    const many = new Concealer(names, () => "[x]");
    const text = "person number 9999 of nobody. ".repeat(3400);
    const startedMs = performance.now();
    expect(many.inText(text)).toBe(text);
    expect(performance.now() - startedMs).toBeLessThan(1000);
  });
});

describe("masking by a contract that readers know", () => {
  const kinds = ["delivery", "pickup", "gift", "a name"];
  const Parcel = contract(
    "clinic.parcel@1",
    z.strictObject({
      kind: z.enum(kinds),
      secret: sensitive(z.enum(kinds)),
      name: sensitive(z.string()),
      delivery: z.object({ text: z.string() }).optional(),
    }),
  ).jsonSchema;
  const said = {
    path: "/delivery/text",
    message: `expected one of ${kinds.map((kind) => `"${kind}"`).join("|")}`,
    hint: "did you mean pickup?",
    expected: "delivery",
  };
  const shownWith = (secret: string, name: string) => {
    const value = { kind: "gift", secret, name, delivery: { text: "x" } };
    const { payload, elsewhere } = concealIn([value], Parcel);
    return { payload: payload(value), said: elsewhere(said) };
  };

  it("shows the same whatever the sensitive value is, of a list or of its own", () => {
    const shown = shownWith("delivery", "Ada");
    expect(shown.payload).toMatchObject({ kind: "gift", secret: "[sensitive]", delivery: { text: "x" } });
    expect(shown.said).toMatchObject({ path: "/delivery/text", hint: "did you mean [sensitive]?" });
    for (const secret of kinds)
      for (const name of [...kinds, "Ada", "text"]) expect(shownWith(secret, name)).toEqual(shown);
  });
});
