import { flatten, fromBoolean, membersOf, requiredOf } from "#shared/schema";
import type { JsonSchema } from "#shared/json";
import type { Entry } from "../read/tree.ts";
import { splitUnit } from "./align-number.ts";
import { currencyOf, isCurrency, isCurrencyName } from "./currency.ts";
import { folded } from "./match-words.ts";

/**
 * Returns the currency that the amounts of an object carry, where the contract requires it in a member that the text
 * does not have: `{"total": "49.90 EUR"}`. Undefined where they carry none, several, or one that is not certain.
 */
export function carriedCurrency(
  entries: readonly Entry[],
  { schema, properties, root }: { schema: JsonSchema; properties: JsonSchema; root: JsonSchema },
): Entry | undefined {
  const names = requiredOf(schema).filter((name) => isCurrencyName(name) && Object.hasOwn(properties, name));
  const [name] = names;
  if (name === undefined || names.length > 1) return undefined;
  if (entries.some(({ key }) => isCurrencyName(key) || folded(key) === folded(name))) return undefined;
  const declared = flatten(fromBoolean(properties[name]), root);
  const carried = entries.flatMap(({ value }) => {
    const unit = value.kind === "string" ? (splitUnit(value.text.trim())?.unit ?? "") : "";
    return isCurrency(unit) ? [unit] : [];
  });
  const codes = new Set(carried.map((unit) => currencyOf(unit, membersOf(declared))));
  const [code] = codes;
  return code === undefined || codes.size > 1
    ? undefined
    : { key: name, value: { kind: "string", text: code, bare: false } };
}
