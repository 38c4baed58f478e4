import type { JsonValue } from "#shared/schema";
import { sitesOf, withValue, word } from "./sites.ts";
import { change, isDate, isEnum, isNumber, isPlural } from "./value-damage.ts";
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
  {
    name: "null for a required value",
    apply: (answer, subject, draw) =>
      change(answer, {
        subject,
        draw,
        where: ({ isRequired, isNamed, value, schema }) =>
          isRequired &&
          isNamed &&
          value !== null &&
          schema["isOneOfSeveral"] === undefined &&
          !("const" in schema),
        to: () => null,
      }),
  },
  {
    name: "bad list item",
    apply: (answer, subject, draw) =>
      change(answer, {
        subject,
        draw,
        where: (site) => isPlural(site) && (site.value as JsonValue[]).length > 0,
        to: ({ value }) => [...(Array.isArray(value) ? value : []), { odd: [true] }],
      }),
  },
  {
    name: "fraction for an integer",
    apply: (answer, subject, draw) =>
      change(answer, {
        subject,
        draw,
        where: ({ schema }) => schema["type"] === "integer",
        to: ({ value }) => Number(value) + 0.5,
      }),
  },
  {
    name: "out of range",
    apply: (answer, subject, draw) =>
      change(answer, {
        subject,
        draw,
        where: ({ schema }) => typeof schema["maximum"] === "number" && schema["maximum"] < 1e9,
        to: ({ schema }) => Number(schema["maximum"]) + 1,
      }),
  },
  {
    name: "ambiguous number",
    apply: (answer, subject, draw) =>
      change(answer, {
        subject,
        draw,
        where: (site) => isNumber(site) && site.schema["type"] === "number",
        to: () => "1,234",
      }),
  },
  {
    name: "ambiguous date",
    apply: (answer, subject, draw) =>
      change(answer, { subject, draw, where: isDate, to: () => "03/04/2025" }),
  },
  {
    name: "two enum members",
    apply: (answer, subject, draw) =>
      change(answer, {
        subject,
        draw,
        where: (site) => isEnum(site) && (site.schema["enum"] as JsonValue[]).length > 1,
        to: ({ schema, value }) =>
          `${word(value)} or ${word((schema["enum"] as JsonValue[]).find((one) => one !== value) ?? null)}`,
      }),
  },
  {
    name: "negated enum",
    apply: (answer, subject, draw) =>
      change(answer, { subject, draw, where: isEnum, to: ({ value }) => `certainly not ${word(value)}` }),
  },
  {
    name: "neither true nor false",
    apply: (answer, subject, draw) =>
      change(answer, {
        subject,
        draw,
        where: ({ value }) => typeof value === "boolean",
        to: () => "perhaps",
      }),
  },
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
      const other = change(answer, {
        subject,
        draw,
        where: isEnum,
        to: ({ schema, value }) => (schema["enum"] as JsonValue[]).find((one) => one !== value),
      });
      return other === undefined ? undefined : [answer, other];
    },
  },
];
