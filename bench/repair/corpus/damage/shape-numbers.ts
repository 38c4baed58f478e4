import type { JsonValue } from "#shared/schema";
import type { Draw } from "../../seeded.ts";
import type { ShapeDamage } from "../damage.ts";
import { isNumber, isWhole } from "../sites.ts";
import type { Site } from "../sites.ts";
import { changing } from "./shape-site.ts";

const SIGNS: Readonly<Record<string, string>> = { EUR: "€", USD: "$", GBP: "£" };

/** The currency of an amount, by its own words or by the member beside it. */
export function currencyOf({ facts, holder }: Site): string | undefined {
  const { currency } = facts;
  if (currency === undefined || "code" in currency) return currency?.code;
  const beside = holder?.value;
  // A holder of a named member is an object.
  const code = (beside as Readonly<Record<string, JsonValue>> | undefined)?.[currency.beside];
  return typeof code === "string" ? code : undefined;
}

const amount = ({ value }: Site): number => Number(value);

const withUnit = (site: Site, draw: Draw): string | undefined => {
  const unit = draw.find(site.facts.units ?? []);
  return unit === undefined
    ? undefined
    : `${amount(site)}${/^[a-z]{3,}/i.test(unit) ? " " : draw.pick([" ", ""])}${unit}`;
};

/** Grouped in threes; two decimal places, so that both marks are there and neither can be taken for the other. */
function grouped(value: number, { group, point }: { group: string; point: string }): string | undefined {
  const [whole = "", cents = ""] = Math.abs(value).toFixed(2).split(".");
  if (whole.length < 4 || Number(`${whole}.${cents}`) !== Math.abs(value)) return undefined;
  return `${value < 0 ? "-" : ""}${whole.replaceAll(/\B(?=(?:\d{3})+$)/g, group)}${point}${cents}`;
}

const isDecimal = (site: Site): boolean => isNumber(site) && !isWhole(site);

export const NUMBERS: readonly ShapeDamage[] = [
  changing({
    name: "number as text",
    why: "the text is the number's own JSON",
    where: isNumber,
    to: (site) => String(amount(site)),
  }),
  changing({
    name: "number with its stated unit",
    why: "name or description states that unit, so that it adds nothing",
    where: ({ facts, ...site }) => isNumber({ facts, ...site }) && facts.units !== undefined,
    to: withUnit,
  }),
  changing({
    name: "amount with its currency",
    why: "the contract or the member beside it names the same currency",
    where: (site) => isNumber(site) && currencyOf(site) !== undefined,
    to: (site, draw) => {
      const code = currencyOf(site) ?? "";
      const sign = SIGNS[code];
      const digits = String(Math.abs(amount(site)));
      const texts = [
        `${digits} ${code}`,
        `${code} ${digits}`,
        ...(sign === undefined ? [] : [`${sign}${digits}`]),
      ];
      return `${amount(site) < 0 ? "-" : ""}${draw.pick(texts)}`;
    },
  }),
  changing({
    name: "percent sign on percent points",
    why: "the description says that the number is in percent, 0 to 100",
    where: (site) => isNumber(site) && site.facts.percent === "points",
    to: (site, draw) => `${amount(site)}${draw.pick(["%", " %", " percent"])}`,
  }),
  changing({
    name: "percent for a share",
    why: "the description says that the number lies between 0 and 1, and the sign says hundredths",
    where: (site) => isNumber(site) && site.facts.percent === "share",
    to: (site) => {
      const points = Number((amount(site) * 100).toFixed(6));
      return points / 100 === amount(site) ? `${points}%` : undefined;
    },
  }),
  changing({
    name: "rating out of its scale",
    why: "the description states the same top of the scale",
    where: (site) => isNumber(site) && site.facts.outOf !== undefined,
    to: (site, draw) => `${amount(site)}${draw.pick(["/", " / ", " out of ", " of "])}${site.facts.outOf}`,
  }),
  changing({
    name: "English grouping",
    why: "comma before point: no locale reads that otherwise",
    where: isDecimal,
    to: (site) => grouped(amount(site), { group: ",", point: "." }),
  }),
  changing({
    name: "continental grouping",
    why: "point before comma: no locale reads that otherwise",
    where: isDecimal,
    to: (site) => grouped(amount(site), { group: ".", point: "," }),
  }),
  changing({
    name: "grouping by blank or apostrophe",
    why: "neither mark is a decimal mark anywhere",
    where: isDecimal,
    to: (site, draw) =>
      grouped(amount(site), {
        group: draw.pick([" ", "'", "\u00A0", "\u202F", "’"]),
        point: draw.pick([".", ","]),
      }),
  }),
  changing({
    name: "grouped integer",
    why: "an integer has no decimals, so that the comma groups",
    where: (site) => isWhole(site) && Math.abs(amount(site)) >= 1000,
    to: (site) => amount(site).toLocaleString("en-US"),
  }),
  changing({
    name: "decimal comma",
    why: "one or two digits after the comma cannot be a group of three",
    where: (site) => isDecimal(site) && /\.\d{1,2}$/.test(String(amount(site))),
    to: (site) => String(amount(site)).replace(".", ","),
  }),
  changing({
    name: "number with plus or empty decimals",
    why: "neither changes the number",
    where: (site) => isNumber(site) && amount(site) > 0,
    to: (site, draw) =>
      isWhole(site) ? draw.pick([`${amount(site)}.0`, `+${amount(site)}`]) : `+${amount(site)}`,
  }),
  changing({
    name: "number in scientific notation",
    why: "the text has exactly the number's value",
    where: (site) => isNumber(site) && Math.abs(amount(site)) >= 10,
    to: (site) => amount(site).toExponential(),
  }),
  changing({
    name: "full-width digits",
    why: "Unicode maps each of them to one digit",
    where: isNumber,
    to: (site) =>
      String(amount(site)).replaceAll(/[\d.-]/g, (mark) => String.fromCodePoint(mark.charCodeAt(0) + 0xfee0)),
  }),
  changing({
    name: "number in an object",
    why: "the object holds that value and its stated unit, nothing else",
    where: (site) => isNumber(site) && site.holder !== undefined,
    to: (site, draw) => {
      const unit = draw.find(site.facts.units ?? []);
      const code = currencyOf(site);
      if (code !== undefined) return { amount: amount(site), currency: code };
      return unit === undefined ? { value: amount(site) } : { value: amount(site), unit };
    },
  }),
];
