import type { JsonValue } from "#shared/schema";
import { sitesOf, withValue, word } from "./sites.ts";
import { changing, isBoolean, isDate, isEnum, isNumber, isPlural, otherMember } from "./value-damage.ts";
import type { ValueDamage } from "./value-damage.ts";

/** Damage that leaves no safe answer. */
export const HOPELESS: readonly ValueDamage[] = [
  {
    name: "missing member",
    apply: (answer, subject, draw) => {
      const site = draw.find(
        sitesOf(answer, subject.schema).filter(
          (one) => one.isRequired && one.isNamed && !("const" in one.schema) && !("default" in one.schema),
        ),
      );
      return site === undefined ? undefined : withValue(answer, site.path, undefined);
    },
  },
  changing(
    "null for a required value",
    ({ isRequired, isNamed, value, schema }) =>
      isRequired &&
      isNamed &&
      value !== null &&
      schema["isOneOfSeveral"] === undefined &&
      !("const" in schema),
    () => null,
  ),
  changing(
    "bad list item",
    (site) => isPlural(site) && (site.value as JsonValue[]).length > 0,
    ({ value }) => [...(Array.isArray(value) ? value : []), { odd: [true] }],
  ),
  changing(
    "fraction for an integer",
    ({ schema }) => schema["type"] === "integer",
    ({ value }) => Number(value) + 0.5,
  ),
  changing(
    "out of range",
    ({ schema }) => typeof schema["maximum"] === "number" && schema["maximum"] < 1e9,
    ({ schema }) => Number(schema["maximum"]) + 1,
  ),
  changing(
    "ambiguous number",
    (site) => isNumber(site) && site.schema["type"] === "number",
    () => "1,234",
  ),
  changing("ambiguous date", isDate, () => "03/04/2025"),
  changing(
    "two enum members",
    (site) => isEnum(site) && (site.schema["enum"] as JsonValue[]).length > 1,
    (site) => `${word(site.value)} or ${word(otherMember(site) ?? null)}`,
  ),
  changing("negated enum", isEnum, ({ value }) => `certainly not ${word(value)}`),
  changing("neither true nor false", isBoolean, () => "perhaps"),
  {
    name: "locked value in another type",
    apply: (answer, subject, draw) => {
      const site = draw.find(
        sitesOf(answer, subject.schema).filter((one) => one.isLocked && typeof one.value === "number"),
      );
      return site === undefined ? undefined : withValue(answer, site.path, word(site.value));
    },
  },
  {
    name: "two answers",
    apply: (answer, subject, draw) => {
      const other = changing("", isEnum, otherMember).apply(answer, subject, draw);
      return other === undefined ? undefined : [answer, other];
    },
  },
];
