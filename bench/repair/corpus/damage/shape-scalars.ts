import { isObject } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import type { ShapeDamage } from "../damage.ts";
import { enumOf, isDate, isDeclared, isFreeText, isRequired, propertiesOf, wordOf } from "../sites.ts";
import type { Site } from "../sites.ts";
import { changing } from "./shape-site.ts";

const isMember = ({ value, part }: Site): boolean => typeof value === "string" && enumOf(part).length > 0;
const isBoolean = ({ value }: Site): boolean => typeof value === "boolean";
const word = ({ value }: Site): string => wordOf(value);
const fold = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/** Whether the text names no second member of the enum. */
const isUnique = (text: string, site: Site): boolean =>
  enumOf(site.part)
    .filter((member) => fold(text).includes(fold(member)))
    .every((member) => member === site.value);

const titled = (text: string): string =>
  text
    .split(/[_ ]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join(" ");

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

interface Day {
  readonly year: string;
  readonly month: string;
  readonly day: string;
}

function dayOf({ value }: Site): Day {
  const [year = "", month = "", day = ""] = wordOf(value).split("-");
  return { year, month, day };
}

const inWords = ({ year, month, day }: Day, order: "day first" | "month first"): string => {
  const name = MONTHS[Number(month) - 1] ?? "";
  return order === "day first" ? `${Number(day)} ${name} ${year}` : `${name} ${Number(day)}, ${year}`;
};

export const SCALARS: readonly ShapeDamage[] = [
  changing({
    name: "enum in another case",
    why: "no two members differ by case alone",
    where: isMember,
    to: (site, draw) => {
      const texts = [
        word(site).toUpperCase(),
        word(site).charAt(0).toUpperCase() + word(site).slice(1),
        word(site).toLowerCase(),
      ];
      return draw.find(texts.filter((text) => text !== site.value));
    },
  }),
  changing({
    name: "enum with other separators",
    why: "the words are the member's, in order",
    where: (site) => isMember(site) && word(site).includes("_"),
    to: (site, draw) =>
      draw.pick([
        titled(word(site)),
        word(site).replaceAll("_", "-"),
        word(site).replaceAll("_", " "),
        titled(word(site)).replaceAll(" ", ""),
      ]),
  }),
  changing({
    name: "enum with marks around",
    why: "what is left without marks is the member itself",
    where: isMember,
    to: (site, draw) =>
      draw.pick([
        `${word(site)}.`,
        `**${word(site)}**`,
        ` ${word(site)} `,
        `"${word(site)}"`,
        `\`${word(site)}\``,
        `[${word(site)}]`,
      ]),
  }),
  changing({
    name: "enum by a stated synonym",
    why: "the description says which member the word means",
    where: (site) => isMember(site) && site.facts.synonyms?.[word(site)] !== undefined,
    to: (site, draw) => draw.find(site.facts.synonyms?.[word(site)] ?? []),
  }),
  changing({
    name: "enum with an explanation",
    why: "the member stands first, and no other member is named",
    where: isMember,
    to: (site, draw) => {
      const text = `${word(site)}${draw.pick([" (as described above)", " - see the text", ": stated by the author"])}`;
      return isUnique(text, site) ? text : undefined;
    },
  }),
  changing({
    name: "enum as a constant of a class",
    why: "the part after the dot is the member, as Python and Java print it",
    where: (site) => isMember(site) && site.holder !== undefined && typeof site.path.at(-1) === "string",
    to: (site) => `${titled(String(site.path.at(-1))).replaceAll(" ", "")}.${word(site).toUpperCase()}`,
  }),
  changing({
    name: "boolean in words",
    why: "each word means one of the two",
    where: isBoolean,
    to: ({ value }, draw) =>
      draw.pick<JsonValue>(
        value === true
          ? ["yes", "Yes", "true", "TRUE", "Y", 1, "1"]
          : ["no", "No", "false", "FALSE", "N", 0, "0"],
      ),
  }),
  changing({
    name: "null in words",
    why: "the member is nullable and of a type that the word does not have",
    where: (site) =>
      site.value === null &&
      site.isNullable &&
      !isFreeText({ ...site, value: "" }) &&
      site.part["type"] !== "string",
    to: (_, draw) => draw.pick(["null", "None", "N/A", "n/a", "nil"]),
  }),
  {
    name: "null for an absent member",
    why: "the member is optional, and null is not allowed for it",
    apply: ({ value, contract: { part } }, draw) => {
      if (!isObject(value) || part["properties"] === undefined) return undefined;
      const absent = Object.keys(propertiesOf(part)).filter((name) => !Object.hasOwn(value, name));
      const name = draw.find(absent);
      return name === undefined ? undefined : { ...value, [name]: null };
    },
  },
  changing({
    name: "date in words",
    why: "the month has a name, so that day and year cannot be mistaken",
    where: isDate,
    to: (site, draw) => inWords(dayOf(site), draw.pick(["day first", "month first"])),
  }),
  changing({
    name: "date in the stated format",
    why: "the description says how the source writes dates",
    where: (site) => isDate(site) && site.facts.writtenDates !== undefined,
    to: (site) => {
      const { year, month, day } = dayOf(site);
      const format = site.facts.writtenDates;
      if (format === "DD.MM.YYYY") return `${day}.${month}.${year}`;
      return format === "DD/MM/YYYY" ? `${day}/${month}/${year}` : `${month}/${day}/${year}`;
    },
  }),
  changing({
    name: "date with day above twelve",
    why: "a number above twelve is no month",
    where: (site) => isDate(site) && Number(dayOf(site).day) > 12,
    to: (site, draw) => {
      const { year, month, day } = dayOf(site);
      return draw.pick([`${day}.${month}.${year}`, `${day}/${month}/${year}`, `${month}/${day}/${year}`]);
    },
  }),
  changing({
    name: "date with other separators, year first",
    why: "a year that comes first is followed by month and day",
    where: isDate,
    to: (site, draw) => word(site).replaceAll("-", draw.pick(["/", ".", ""])),
  }),
  changing({
    name: "midnight for a date",
    why: "the time of day is zero, in UTC",
    where: isDate,
    to: (site, draw) =>
      `${word(site)}${draw.pick(["T00:00:00Z", "T00:00:00", " 00:00:00", "T00:00:00.000Z"])}`,
  }),
  changing({
    name: "date in parts",
    why: "each part is named",
    where: isDate,
    to: (site) => ({
      year: Number(dayOf(site).year),
      month: Number(dayOf(site).month),
      day: Number(dayOf(site).day),
    }),
  }),
  changing({
    name: "blank for the T of a time",
    why: "the offset is there, so that the instant is the same",
    where: ({ part }) => part["format"] === "date-time",
    to: (site) => word(site).replace("T", " "),
  }),
  changing({
    name: "value quoted twice",
    why: "the quotation marks belong to no value of that type",
    where: (site) =>
      !isFreeText(site) &&
      (typeof site.value === "number" || typeof site.value === "boolean" || isDate(site)),
    to: (site, draw) => draw.pick([`"${word(site)}"`, `'${word(site)}'`]),
  }),
  changing({
    name: "identifier as a number",
    why: "the digits are the text's own, and it has no leading zero",
    where: (site) => typeof site.value === "string" && /^[1-9]\d{0,14}$/.test(site.value),
    to: (site) => Number(site.value),
  }),
  changing({
    name: "text in an object",
    why: "the object holds one text under a neutral name",
    where: (site) =>
      typeof site.value === "string" &&
      isDeclared(site) &&
      isRequired(site) &&
      site.part["const"] === undefined,
    to: (site, draw) => ({ [draw.pick(["value", "text"])]: word(site) }),
  }),
];
