import { flatten, fromBoolean, membersOf, requiredOf } from "#shared/schema";
import type { JsonSchema } from "#shared/json";
import type { Entry } from "../read/tree.ts";
import { currencyOf, isCurrency, isCurrencyName } from "./currency.ts";
import { folded } from "./match-words.ts";

/** An amount with its currency before or behind it, in a sign or a code. */
const AMOUNT =
  /^\s*(?:(?<before>[A-Z]{3}|US\$|[€$£¥])\s?[-+]?\d[\d.,_'’\u00A0\u202F ]*|[-+]?\d[\d.,_'’\u00A0\u202F ]*?\s?(?<after>[A-Z]{3}|[€$£¥]))\s*$/;

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
    const groups = value.kind === "string" ? AMOUNT.exec(value.text.slice(0, 80))?.groups : undefined;
    const unit = groups?.["before"] ?? groups?.["after"] ?? "";
    return isCurrency(unit) ? [unit] : [];
  });
  const codes = new Set(carried.map((unit) => currencyOf(unit, membersOf(declared))));
  const [code] = codes;
  return code === undefined || codes.size > 1
    ? undefined
    : { key: name, value: { kind: "string", text: code, bare: false } };
}
