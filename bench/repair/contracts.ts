import { z } from "zod";
import type { JsonSchema } from "#shared/json";
import * as support from "../../services/agents/support/contracts.ts";

export interface Subject {
  readonly name: string;
  readonly schema: JsonSchema;
}

const money = z.strictObject({
  value: z.number().positive().max(1e6),
  currency: z.enum(["EUR", "USD", "GBP"]),
});

const node: z.ZodType = z.strictObject({
  name: z.string().min(1),
  weight: z.int().min(0).max(5000),
  get children() {
    return z.array(node).max(3).optional();
  },
});

const SYNTHETIC: Readonly<Record<string, z.ZodType>> = {
  payment: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("card"), last4: z.string().regex(/^\d{4}$/), amount: money }),
    z.strictObject({
      kind: z.literal("bank_transfer"),
      iban: z.string().regex(/^[A-Z]{2}\d{10,20}$/),
      urgent: z.boolean(),
    }),
    z.strictObject({ kind: z.literal("voucher"), voucher_code: z.string().min(3), expires_on: z.iso.date() }),
  ]),
  tree: z.strictObject({ title: z.string().min(1), root: node }),
  inventory: z.strictObject({
    counts: z.record(z.string(), z.int().min(0)),
    origin: z.tuple([z.number(), z.number()]),
    checked_on: z.iso.date(),
    counted_by: z.string().nullable(),
  }),
  measurement: z.strictObject({
    device_id: z.string().min(2),
    taken_at: z.iso.date(),
    weight: z.number().min(0).meta({ "x-unit": "kg" }),
    duration: z.number().min(0).meta({ "x-unit": "s" }),
    samples: z.array(z.int()).min(1),
    is_final: z.boolean(),
    method: z.enum(["by_hand", "automatic", "estimated"]),
  }),
  order: z.strictObject({
    customer: z.strictObject({
      full_name: z.string().min(1),
      zip_code: z.string().regex(/^\d{5}$/),
      is_member: z.boolean(),
    }),
    lines: z
      .array(
        z.strictObject({
          sku: z.string().min(2),
          quantity: z.int().min(1).max(500),
          unit_price: z.number().min(0),
          remark: z.string().optional(),
        }),
      )
      .min(1)
      .max(4),
    delivery: z.enum(["standard", "express", "pick-up"]),
    due_on: z.iso.date(),
    paid: z.boolean(),
    discount: z.number().nullable(),
  }),
  review: z.strictObject({
    sentiment: z.enum(["positive", "negative", "mixed"]),
    stars: z.int().min(1).max(5),
    topics: z
      .array(z.enum(["price", "quality", "delivery"]))
      .min(1)
      .max(3),
    quote: z.string().min(1),
    recommends: z.boolean().optional(),
  }),
};

/** Every contract of the support team, and others for the types that those do not have. */
export function subjects(): Subject[] {
  const team = Object.values(support).flatMap((one) =>
    typeof one === "object" && "jsonSchema" in one ? [{ name: one.id, schema: one.jsonSchema }] : [],
  );
  const others = Object.entries(SYNTHETIC).map(([name, schema]) => ({
    name,
    schema: z.toJSONSchema(schema, { io: "input" }),
  }));
  return [...team, ...others];
}
