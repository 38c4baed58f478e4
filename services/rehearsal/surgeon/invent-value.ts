import { pick } from "../seeded.ts";
import { membersOf } from "./search-value.ts";
import type { Wanted } from "./search-value.ts";
import { familyOf } from "./word-families.ts";

/** Invents a value that fits a simple schema, as models do; undefined for complex ones. */
export function inventValue({ name, schema }: Wanted, random: () => number): unknown {
  const members = membersOf(schema);
  if (members !== null) return pick(members, random);
  const family = familyOf(name);
  switch (schema["type"]) {
    case "integer":
      return Math.max(Number(schema["minimum"] ?? 1), 1 + Math.floor(random() * 9));
    case "number":
      return Math.round(1_000 + random() * 9_000) / 100;
    case "boolean":
      return random() < 0.5;
    case "string":
      if (family.includes("email")) return "customer@example.com";
      if (family.includes("order id")) return `ORD-${Math.floor(10_000 + random() * 90_000)}`;
      if (family.includes("currency")) return "EUR";
      return schema["pattern"] === undefined && schema["format"] === undefined ? "Not specified" : undefined;
    default:
      return undefined;
  }
}
