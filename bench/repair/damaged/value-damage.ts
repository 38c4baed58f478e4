import type { JsonValue } from "#shared/schema";
import type { Draw } from "../seeded.ts";
import { sitesOf, withName, withValue, word } from "./sites.ts";
import type { Site } from "./sites.ts";
import type { Subject } from "../contracts.ts";

/** One way in which the values of a good answer go bad; the syntax stays good. */
export interface ValueDamage {
  readonly name: string;
  /** The damaged answer; undefined where this cannot be done to it. */
  readonly apply: (answer: JsonValue, subject: Subject, draw: Draw) => JsonValue | undefined;
}

/** Changes one value that passes the filter, drawn from all such. Locked values stay. */
export function changing(
  name: string,
  where: (site: Site) => boolean,
  to: (site: Site, draw: Draw) => JsonValue | undefined,
): ValueDamage {
  return {
    name,
    apply: (answer, subject, draw) => {
      const site = draw.find(sitesOf(answer, subject.schema).filter((one) => !one.isLocked && where(one)));
      const value = site === undefined ? undefined : to(site, draw);
      return site === undefined || value === undefined ? undefined : withValue(answer, site.path, value);
    },
  };
}

export const isEnum = ({ schema, value }: Site): boolean =>
  Array.isArray(schema["enum"]) && typeof value === "string" && value.length > 2;
export const isNumber = ({ schema, value }: Site): boolean =>
  typeof value === "number" &&
  schema["enum"] === undefined &&
  (schema["type"] === "number" || schema["type"] === "integer");
export const isDate = ({ schema }: Site): boolean => schema["format"] === "date";

export const isBoolean = ({ value }: Site): boolean => typeof value === "boolean";

/** Returns a member of a site's enum other than the present one. */
export const otherMember = ({ schema, value }: Site): JsonValue | undefined =>
  (schema["enum"] as JsonValue[]).find((one) => one !== value);

export const isPlural = (site: Site): boolean =>
  Array.isArray(site.value) && site.schema["items"] !== undefined && site.schema["prefixItems"] === undefined;

const rename =
  (how: (key: string) => string, filter: (site: Site) => boolean = () => true): ValueDamage["apply"] =>
  (answer, subject, draw) => {
    const named = sitesOf(answer, subject.schema).filter(
      (site) =>
        site.isNamed &&
        !site.isInsideLocked &&
        (site.isRequired || site.isClosed) &&
        how(site.path.at(-1) ?? "") !== site.path.at(-1) &&
        filter(site),
    );
    const site = draw.find(named);
    return site === undefined ? undefined : withName(answer, site.path, how(site.path.at(-1) ?? ""));
  };

const camel = (key: string): string =>
  key.replaceAll(/_([a-z0-9])/g, (_, character: string) => character.toUpperCase());

function aliasOf(site: Site): string | undefined {
  const aliases = site.schema["x-aliases"];
  return Array.isArray(aliases) && typeof aliases[0] === "string" ? aliases[0] : undefined;
}

function dateInWords(value: JsonValue): string {
  const [year = "", month = "", day = ""] = word(value).split("-");
  const inMonth = new Date(Date.UTC(Number(year), Number(month) - 1, 1));
  const name = inMonth.toLocaleDateString("en-US", { month: "long", timeZone: "UTC" });
  return `${Number(day)} ${name} ${year}`;
}

/** Damage after which one answer is still right. */
export const MENDABLE: readonly ValueDamage[] = [
  changing("number as text", isNumber, ({ value }) => word(value)),
  changing(
    "number with separators",
    (site) => isNumber(site) && Number(site.value) >= 1000 && !Number.isInteger(site.value),
    ({ value }, draw) =>
      Number(value).toLocaleString(draw.pick(["en-US", "de-DE", "fr-FR"]), { minimumFractionDigits: 2 }),
  ),
  changing(
    "number with its unit",
    (site) => isNumber(site) && typeof site.schema["x-unit"] === "string",
    ({ value, schema }) => `${word(value)} ${word(schema["x-unit"] as JsonValue)}`,
  ),
  changing("boolean in words", isBoolean, ({ value }, draw) =>
    draw.pick<JsonValue>(
      value === true ? ["yes", "True", "TRUE", "on", 1, "1"] : ["no", "False", "No.", "off", 0, "0"],
    ),
  ),
  changing("enum in another spelling", isEnum, ({ value }, draw) => {
    const text = word(value);
    return draw.pick([
      text.toUpperCase(),
      camel(text) === text ? `${text}.` : camel(text),
      text.replaceAll(/[_-]/g, " ").toUpperCase(),
      `**${text}**`,
      ` ${text} `,
      `"${text}"`,
    ]);
  }),
  changing("enum in a sentence", isEnum, ({ value }, draw) =>
    draw.pick([`I would say ${word(value)}.`, `${word(value)} - as described`, `Answer: ${word(value)}`]),
  ),
  changing(
    "enum by a synonym",
    (site) => isEnum(site) && typeof site.schema["x-synonyms"] === "object",
    ({ value, schema }, draw) =>
      draw.find((schema["x-synonyms"] as Record<string, string[]>)[word(value)] ?? []),
  ),
  changing("date in words", isDate, ({ value }) => dateInWords(value)),
  changing("date with slashes", isDate, ({ value }) => word(value).replaceAll("-", "/")),
  { name: "names in camel case", apply: rename(camel) },
  { name: "names in capitals", apply: rename((key) => key.toUpperCase()) },
  {
    name: "names with blanks",
    apply: rename((key) => `${key.charAt(0).toUpperCase()}${key.slice(1).replaceAll("_", " ")}`),
  },
  {
    name: "name with a slip",
    apply: rename(
      (key) => (key.length < 6 ? key : key.slice(0, 2) + key.charAt(3) + key.charAt(2) + key.slice(4)),
      ({ isLocked }) => !isLocked,
    ),
  },
  {
    name: "name by its alias",
    apply: (answer, subject, draw) => {
      const site = draw.find(
        sitesOf(answer, subject.schema).filter(
          (one) => one.isNamed && one.isRequired && !one.isInsideLocked && aliasOf(one) !== undefined,
        ),
      );
      const alias = site === undefined ? undefined : aliasOf(site);
      return site === undefined || alias === undefined ? undefined : withName(answer, site.path, alias);
    },
  },
  changing(
    "one item alone",
    (site) =>
      isPlural(site) &&
      Array.isArray(site.value) &&
      site.value.length === 1 &&
      !/[,;\n|]/.test(word(site.value[0] ?? null)),
    ({ value }) => (Array.isArray(value) ? value[0] : undefined),
  ),
  changing(
    "list under a name",
    (site) => isPlural(site) && site.path.length > 0,
    ({ value }) => ({ items: value }),
  ),
  changing(
    "part as json text",
    ({ value, path }) => typeof value === "object" && value !== null && path.length > 0,
    ({ value }) => JSON.stringify(value),
  ),
  {
    name: "extra member",
    apply: (answer, subject) => {
      const closed =
        subject.schema["additionalProperties"] === false && typeof answer === "object" && answer !== null;
      return closed ? { ...(answer as Record<string, JsonValue>), confidence: 0.93 } : undefined;
    },
  },
  {
    name: "wrapped",
    apply: (answer, _, draw) => ({
      [draw.pick(["result", "data", "response", "output", "payload"])]: answer,
    }),
  },
  { name: "in a list", apply: (answer) => [answer] },
  {
    name: "tool call",
    apply: (answer, _, draw) =>
      draw.next() < 0.5
        ? { name: "submit", arguments: answer }
        : { type: "function", function: { name: "submit", arguments: JSON.stringify(answer) } },
  },
];
