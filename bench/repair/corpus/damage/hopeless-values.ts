import { isObject, validate } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import type { Draw } from "../../seeded.ts";
import { schemaOf } from "../contract.ts";
import { written } from "../damage.ts";
import type { Good, WholeDamage } from "../damage.ts";
import {
  enumOf,
  isClosed,
  isDate,
  isDeclared,
  isNumber,
  isRequired,
  isWhole,
  sitesOf,
  withValue,
  wordOf,
} from "../sites.ts";
import type { Site } from "../sites.ts";
import { currencyOf } from "./shape-numbers.ts";

/** Makes JSON whose syntax is sound and from which no value can be derived. What fits the contract is no such. */
const hopeless = (
  name: string,
  why: string,
  how: (good: Good, draw: Draw) => JsonValue | undefined,
): WholeDamage => ({
  name,
  why,
  make: (good, draw) => {
    const value = how(good, draw);
    return value === undefined || validate(value, schemaOf(good.contract)).length === 0
      ? undefined
      : { text: written(value, draw), right: { refusal: name } };
  },
});

const spoiling = (
  name: string,
  why: string,
  { where, to }: { where: (site: Site) => boolean; to: (site: Site, draw: Draw) => JsonValue | undefined },
): WholeDamage =>
  hopeless(name, why, ({ value, contract }, draw) => {
    const site = draw.find(sitesOf(value, contract.part).filter(where));
    const bad = site === undefined ? undefined : to(site, draw);
    return site === undefined || bad === undefined ? undefined : withValue(value, site.path, bad);
  });

const isMissed = (site: Site): boolean => site.holder === undefined || (isDeclared(site) && isRequired(site));
const isMember = (site: Site): boolean => typeof site.value === "string" && enumOf(site.part).length > 1;
const isTyped = (site: Site): boolean =>
  isMissed(site) && !site.isNullable && (isNumber(site) || typeof site.value === "boolean" || isDate(site));

const other = (site: Site, draw: Draw): string =>
  draw.pick(enumOf(site.part).filter((member) => member !== site.value));

const OTHER_CURRENCIES: Readonly<Record<string, readonly string[]>> = {
  EUR: ["USD", "GBP", "$", "£"],
  USD: ["EUR", "GBP", "€", "£"],
  GBP: ["EUR", "USD", "€"],
  NOK: ["USD", "EUR", "€"],
};

export const HOPELESS_VALUES: readonly WholeDamage[] = [
  hopeless(
    "required member missing",
    "nothing else in the text holds its value",
    ({ value, contract: { part } }, draw) => {
      const site = draw.find(
        sitesOf(value, part).filter(
          (one) => isDeclared(one) && isRequired(one) && one.part["const"] === undefined,
        ),
      );
      return site === undefined ? undefined : withValue(value, site.path, undefined);
    },
  ),
  spoiling("null for a required value", "null is not allowed and stands for no value", {
    where: (site) => isTyped(site) && site.path.length > 0,
    to: () => null,
  }),
  spoiling("empty text for a required value", "nothing stands there", { where: isTyped, to: () => "" }),
  spoiling("placeholder for a value", "a placeholder is no value", {
    where: isTyped,
    to: (site, draw) =>
      isDate(site)
        ? draw.pick(["YYYY-MM-DD", "<date>", "TBD", "[DATE]"])
        : draw.pick(["<value>", "TBD", "???", "N/A", "{{value}}", "[to be filled in]", "unknown"]),
  }),
  spoiling("two members of an enum", "the text names both", {
    where: isMember,
    to: (site, draw) => `${wordOf(site.value)}${draw.pick([" or ", "|", "/", ", "])}${other(site, draw)}`,
  }),
  spoiling("member of an enum denied", "the text says which one it is not", {
    where: isMember,
    to: (site, draw) => `${draw.pick(["not ", "anything but ", "definitely not "])}${wordOf(site.value)}`,
  }),
  spoiling("no member of an enum", "no member is named or meant", {
    where: isMember,
    to: (_, draw) => draw.pick(["banana", "see above", "the usual", "-"]),
  }),
  spoiling("unit of another quantity", "the unit contradicts the one that the contract states", {
    where: (site) => isNumber(site) && site.facts.otherUnits !== undefined,
    to: ({ value, facts }, draw) => `${wordOf(value)} ${draw.pick(facts.otherUnits ?? [])}`,
  }),
  spoiling("another currency", "the currency contradicts the one that the contract or its neighbour states", {
    where: (site) => isNumber(site) && currencyOf(site) !== undefined,
    to: (site, draw) => {
      const mark = draw.pick(OTHER_CURRENCIES[currencyOf(site) ?? ""] ?? ["JPY"]);
      return mark.length === 3 ? `${wordOf(site.value)} ${mark}` : `${mark}${wordOf(site.value)}`;
    },
  }),
  spoiling("range for a number", "either end could be meant", {
    where: isNumber,
    to: ({ value }, draw) =>
      draw.pick([
        `${Number(value)} to ${Number(value) + 2}`,
        `between ${Number(value)} and ${Number(value) + 3}`,
        `${Number(value)} or ${Number(value) + 1}`,
      ]),
  }),
  spoiling("limit for a number", "the number itself is not stated", {
    where: isNumber,
    to: ({ value }, draw) =>
      `${draw.pick(["more than ", "less than ", "<", "> ", "at least "])}${Number(value)}`,
  }),
  spoiling("words for an unknown number", "no number is stated", {
    where: isNumber,
    to: (_, draw) => draw.pick(["several", "a few", "many", "not measured"]),
  }),
  spoiling("half a number", "the number is cut off or garbled", {
    where: isNumber,
    to: ({ value }, draw) =>
      draw.pick([
        `${Number(value)}e+`,
        `${Number(value)}.2.3`,
        `--${Math.abs(Number(value))}`,
        `${Number(value)}_?`,
      ]),
  }),
  spoiling("fraction for an integer", "rounding would invent a value", {
    where: isWhole,
    to: ({ value }) => Number(value) + 0.4,
  }),
  spoiling("number out of range", "clamping would invent a value", {
    where: (site) => isNumber(site) && typeof site.part["maximum"] === "number",
    to: (site) => Number(site.part["maximum"]) * 10 + 7,
  }),
  spoiling("boolean undecided", "the word means neither", {
    where: ({ value }) => typeof value === "boolean",
    to: (_, draw) => draw.pick(["maybe", "unclear", "yes and no", "partially"]),
  }),
  spoiling("date with day and month open", "both are at most twelve and differ, and no format is stated", {
    where: (site) => {
      const [, month, day] = wordOf(site.value).split("-").map(Number);
      return isDate(site) && site.facts.writtenDates === undefined && month !== day && Number(day) <= 12;
    },
    to: ({ value }) => {
      const [year, month, day] = wordOf(value).split("-");
      return `${month}/${day}/${year}`;
    },
  }),
  spoiling("impossible date", "no calendar has that day", {
    where: isDate,
    to: ({ value }, draw) =>
      `${wordOf(value).slice(0, 4)}-${draw.pick(["02-30", "13-01", "04-31", "00-10"])}`,
  }),
  spoiling("date without a year", "the year is not stated", {
    where: isDate,
    to: (_, draw) => draw.pick(["3 May", "next Tuesday", "05-03", "end of the month"]),
  }),
  spoiling("text that breaks its pattern", "no value of that form stands there", {
    where: (site) => typeof site.value === "string" && site.part["pattern"] !== undefined && isMissed(site),
    to: (_, draw) => draw.pick(["unknown", "?", "not stated", "see attachment"]),
  }),
  spoiling("unusable item in a list", "dropping it would change the list, and it means no item", {
    where: ({ value, path, holder }) =>
      typeof path.at(-1) === "number" &&
      holder !== undefined &&
      (typeof value === "number" || isObject(value)),
    to: (_, draw) => draw.pick(["n/a", "... and 2 more", "see above"]),
  }),
  spoiling("empty list", "at least one item is required", {
    where: ({ value, part }) => Array.isArray(value) && Number(part["minItems"]) > 0,
    to: () => [],
  }),
  hopeless("all values are types", "it is a template of the answer", ({ value, contract: { part } }) => {
    const typed = sitesOf(value, part).filter(
      (site) => typeof site.value !== "object" || site.value === null,
    );
    return typed.some(isTyped) && value !== null && typeof value === "object"
      ? typed.reduce<JsonValue>(
          (whole, site) =>
            withValue(whole, site.path, typeof site.value === "string" ? "string" : typeof site.value),
          value,
        )
      : undefined;
  }),
  hopeless(
    "members of two branches",
    "each branch lacks or forbids what the other has",
    ({ value, contract }, draw) => {
      if (!Array.isArray(contract.part["oneOf"]) || !isObject(value)) return undefined;
      const second = Array.from({ length: 20 }, () => contract.make(draw)).find(
        (one) =>
          isObject(one) &&
          Object.keys(one).every((name) => name.length > 0) &&
          Object.keys(one).join() !== Object.keys(value).join(),
      );
      const constant =
        sitesOf(value, contract.part).find((site) => site.part["const"] !== undefined)?.path ?? [];
      return isObject(second) ? withValue({ ...second, ...value }, constant, undefined) : undefined;
    },
  ),
  hopeless("constant of another branch", "constant and members contradict", ({ value, contract }, draw) => {
    if (!Array.isArray(contract.part["oneOf"]) || !isObject(value)) return undefined;
    const [name] = sitesOf(value, contract.part).find((site) => site.part["const"] !== undefined)?.path ?? [];
    const second = Array.from({ length: 20 }, () => contract.make(draw)).find(
      (one) => isObject(one) && one[String(name)] !== value[String(name)],
    );
    return isObject(second) && typeof name === "string" ? withValue(value, [name], second[name]) : undefined;
  }),
  hopeless(
    "names that differ by case",
    "two values for one member, and both fit",
    ({ value, contract: { part } }, draw) => {
      if (!isObject(value) || !isClosed(part)) return undefined;
      const site = draw.find(
        sitesOf(value, part).filter(
          (one) =>
            one.path.length === 1 &&
            isDeclared(one) &&
            isNumber(one) &&
            Number(one.value) + 1 <= Number(one.part["maximum"] ?? Infinity),
        ),
      );
      const name = String(site?.path[0]);
      return site === undefined
        ? undefined
        : { ...value, [name.charAt(0).toUpperCase() + name.slice(1)]: Number(site.value) + 1 };
    },
  ),
];
