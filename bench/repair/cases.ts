import type { JsonValue } from "#shared/surgery";
import { DAMAGES, seeded } from "./damage.ts";

export interface Case {
  readonly id: string;
  readonly kind: string;
  readonly input: string;
  /** Undefined where the right answer is a refusal. */
  readonly expected: JsonValue | undefined;
}

export const SCHEMA = {
  type: "object",
  properties: {
    order_id: { type: "string" },
    customer: { type: "string" },
    quantity: { type: "integer", minimum: 1 },
    amount: { type: "number" },
    is_urgent: { type: "boolean" },
    status: { enum: ["open", "closed", "on hold"] },
    due: { type: "string", format: "date" },
    tags: { type: "array", items: { type: "string" } },
    address: {
      type: "object",
      properties: { city: { type: "string" }, zip: { type: "string" } },
      required: ["city", "zip"],
      additionalProperties: false,
    },
    note: { type: "string" },
  },
  required: ["order_id", "customer", "quantity", "amount", "is_urgent", "status", "due", "tags", "address"],
  additionalProperties: false,
};

const CUSTOMERS = ["Ada Byron", "Zoë O'Neil", "José Peña", "Müller & Söhne", "Lin Wei"];
const CITIES = ["Lyon", "São Paulo", "Graz", "Cork"];
const TAGS = ["late", "gift", "fragile", "repeat buyer", "see https://example.org/a?b=c"];

function pick<Item>(items: readonly Item[], random: () => number): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new RangeError("nothing to pick from");
  return item;
}

function makeAnswer(random: () => number): Record<string, JsonValue> {
  return {
    order_id: String(Math.floor(random() * 1e7)).padStart(8, "0"),
    customer: pick(CUSTOMERS, random),
    quantity: 1 + Math.floor(random() * 40),
    amount: Math.round(random() * 1e5) / 100,
    is_urgent: random() < 0.5,
    status: pick(["open", "closed", "on hold"], random),
    due: `2025-03-${String(1 + Math.floor(random() * 28)).padStart(2, "0")}`,
    tags: TAGS.slice(0, 1 + Math.floor(random() * 3)),
    address: { city: pick(CITIES, random), zip: String(Math.floor(random() * 1e5)).padStart(5, "0") },
  };
}

const WITH_NOTE: Readonly<Record<string, string>> = {
  "unescaped quotes": 'said "yes, please" now',
  "raw line break": "said \n now",
};

/** Good answers, each damaged in every way: the same cases for the same seed. */
export function makeCases(seed: number, answers: number): Case[] {
  const random = seeded(seed);
  return Array.from({ length: answers }, (_, index) => {
    const answer = makeAnswer(random);
    return DAMAGES.flatMap((damage): Case[] => {
      const input = damage.apply(answer, random);
      const note = WITH_NOTE[damage.name];
      const expected = note === undefined ? answer : { ...answer, note };
      if (input === undefined) return [];
      return [
        {
          id: `${damage.name} ${index}`,
          kind: damage.name,
          input,
          expected: damage.refuse === true ? undefined : expected,
        },
      ];
    });
  }).flat();
}
