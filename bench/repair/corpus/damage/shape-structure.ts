import { isObject } from "#shared/schema";
import type { JsonObject, JsonValue } from "#shared/schema";
import type { Good, ShapeDamage } from "../damage.ts";
import { isClosed, isDeclared, isRequired, propertiesOf, sitesOf, withValue, wordOf } from "../sites.ts";
import type { Site } from "../sites.ts";
import { camelCase } from "./shape-names.ts";
import { changing } from "./shape-site.ts";

const isObjectSite = ({ value }: Site): boolean => isObject(value);
const isInner = ({ path }: Site): boolean => path.length > 0;
const isFilled = ({ value }: Site): boolean => Array.isArray(value) && value.length > 1;
/** A list that the contract asks for by name, or the answer itself: never a list inside of a list. */
const isNamedList = (site: Site): boolean =>
  Array.isArray(site.value) && (site.holder === undefined || isDeclared(site));
const isMap = ({ value, part }: Site): boolean =>
  isObject(value) && part["properties"] === undefined && Object.keys(value).length > 0;

const listOf = ({ value }: Site): readonly JsonValue[] => (Array.isArray(value) ? value : []);
const membersOf = ({ value }: Site): [string, JsonValue][] => (isObject(value) ? Object.entries(value) : []);

const wrapping = (
  name: string,
  why: string,
  how: (value: JsonValue, good: Good) => readonly JsonValue[],
): ShapeDamage => ({
  name,
  why,
  apply: (good, draw) => draw.find(how(good.value, good)),
});

/** Objects in a declared member, whose own members no other level has. */
function innerObject({ value, contract: { part } }: Good): Site | undefined {
  if (!isObject(value)) return undefined;
  const outer = Object.keys(propertiesOf(part));
  return sitesOf(value, part).find(
    (site) =>
      site.path.length === 1 &&
      isObject(site.value) &&
      isRequired(site) &&
      isClosed(site.part) &&
      Object.keys(propertiesOf(site.part)).every((name) => !outer.includes(name)),
  );
}

export const STRUCTURE: readonly ShapeDamage[] = [
  wrapping("wrapped once", "the wrapper has one member with a neutral name", (value) => [
    { result: value },
    { data: value },
    { response: value },
    { output: value },
    { answer: value },
  ]),
  wrapping("wrapped twice", "each wrapper has one member with a neutral name", (value) => [
    { response: { data: value } },
    { result: { output: value } },
    { data: { result: value } },
  ]),
  wrapping(
    "wrapped under the contract's name",
    "the one member is named after what was asked for",
    (value, { contract }) => [
      { [contract.name.replaceAll("-", "_")]: value },
      { [camelCase(contract.name)]: value },
    ],
  ),
  wrapping("wrapped with a status", "the other members say only that the call worked", (value) => [
    { success: true, data: value },
    { status: "ok", result: value },
    { code: 200, message: "OK", data: value },
  ]),
  wrapping("in a list of one", "one answer was asked for, and one is there", (value) => [[value]]),
  wrapping("values under the schema's keyword", "the members stand where the schema declares them", (value) =>
    isObject(value) ? [{ type: "object", properties: value }, { properties: value }] : [],
  ),
  changing({
    name: "single value for a list of one",
    why: "a list of one item holds no more than the item",
    where: (site) =>
      isNamedList(site) &&
      listOf(site).length === 1 &&
      !/[,;\n|]|\band\b/.test(wordOf(listOf(site)[0] ?? null)),
    to: (site) => listOf(site)[0],
  }),
  changing({
    name: "list of one for a single value",
    why: "one value was asked for, and one is there",
    where: (site) => isInner(site) && isDeclared(site) && !Array.isArray(site.value) && site.value !== null,
    to: ({ value }) => [value],
  }),
  changing({
    name: "list under a name",
    why: "the object holds that list and nothing else",
    where: (site) => isInner(site) && isNamedList(site),
    to: ({ value }, draw) => ({ [draw.pick(["items", "list", "values"])]: value }),
  }),
  changing({
    name: "list keyed by index",
    why: "the keys count from zero or one without a gap",
    where: (site) => isNamedList(site) && isFilled(site),
    to: (site, draw) => {
      const [start, prefix] = draw.pick([
        [0, ""],
        [1, ""],
        [1, "item_"],
        [0, "item"],
      ] as const);
      return Object.fromEntries(listOf(site).map((item, index) => [`${prefix}${index + start}`, item]));
    },
  }),
  changing({
    name: "list of texts joined",
    why: "no item holds the mark that joins them",
    where: (site) =>
      isNamedList(site) && isFilled(site) && listOf(site).every((item) => typeof item === "string"),
    to: (site, draw) => {
      const mark = draw.pick([", ", "; ", "\n", " | "]);
      const items = listOf(site).map(String);
      return items.some((item) => /[,;\n|]/.test(item)) ? undefined : items.join(mark);
    },
  }),
  changing({
    name: "part as JSON text",
    why: "the text is the part's own JSON",
    where: (site) => isInner(site) && typeof site.value === "object" && site.value !== null,
    to: ({ value }) => JSON.stringify(value),
  }),
  changing({
    name: "map as a list of pairs",
    why: "each pair names its key, and no key occurs twice",
    where: isMap,
    to: (site, draw) =>
      draw.pick<JsonValue>([
        membersOf(site).map(([key, value]) => ({ key, value })),
        membersOf(site).map(([key, value]) => ({ name: key, value })),
        membersOf(site).map(([key, value]) => [key, value]),
        membersOf(site).map(([key, value]) => ({ [key]: value })),
      ]),
  }),
  changing({
    name: "object as a list of members",
    why: "each pair names a member that the contract declares",
    where: (site) => isObjectSite(site) && !isMap(site) && isClosed(site.part) && membersOf(site).length > 1,
    to: (site, draw) =>
      draw.pick<JsonValue>([
        membersOf(site).map(([key, value]) => ({ [key]: value })),
        membersOf(site).map(([name, value]) => ({ name, value })),
      ]),
  }),
  {
    name: "level missing",
    why: "the inner members have names that no other level declares",
    apply: (good) => {
      const inner = innerObject(good);
      if (inner === undefined || !isObject(inner.value) || !isClosed(good.contract.part)) return undefined;
      const rest = withValue(good.value, inner.path, undefined);
      return { ...inner.value, ...(isObject(rest) ? rest : {}) };
    },
  },
  {
    name: "level too many",
    why: "the added level has a neutral name, and its members are the contract's",
    apply: ({ value, contract: { part } }, draw) => {
      if (!isObject(value) || !isClosed(part)) return undefined;
      const members = Object.entries(value);
      if (members.length < 4) return undefined;
      const cut = 1 + draw.below(members.length - 2);
      return {
        ...Object.fromEntries(members.slice(0, cut)),
        details: Object.fromEntries(members.slice(cut)),
      };
    },
  },
  {
    name: "levels flattened to dotted names",
    why: "the dots spell the path that the contract declares",
    apply: ({ value, contract: { part } }) => {
      if (!isObject(value)) return undefined;
      const isNested = (name: string, inner: JsonValue): inner is JsonObject =>
        isObject(inner) && propertiesOf(part)[name]?.["properties"] !== undefined;
      if (!Object.entries(value).some(([name, inner]) => isNested(name, inner))) return undefined;
      const flat: [string, JsonValue][] = Object.entries(value).flatMap(([name, inner]) =>
        isNested(name, inner)
          ? Object.entries(inner).map(([key, one]): [string, JsonValue] => [`${name}.${key}`, one])
          : [[name, inner]],
      );
      return Object.fromEntries(flat);
    },
  },
  {
    name: "undeclared member",
    why: "all declared members are there, and the contract allows no other",
    apply: ({ value, contract: { part } }, draw) => {
      if (!isObject(value) || !isClosed(part)) return undefined;
      if (Object.keys(propertiesOf(part)).some((name) => !Object.hasOwn(value, name))) return undefined;
      const [name, extra] = draw.pick<[string, JsonValue]>([
        ["_comment", "taken from the first paragraph"],
        ["reasoning", "The message says so."],
        ["$schema", "https://example.com/schema.json"],
        ["explanation", "See the second line."],
      ]);
      return { ...value, [name]: extra };
    },
  },
  {
    name: "constant left out",
    why: "only one branch has the members that are there",
    apply: ({ value, contract: { part } }) => {
      const constant = sitesOf(value, part).find(
        (site) => site.part["const"] !== undefined && isRequired(site),
      );
      return constant === undefined ? undefined : withValue(value, constant.path, undefined);
    },
  },
  {
    name: "constant as the name of the branch",
    why: "the name of the one member is the constant of the branch that it holds",
    apply: ({ value, contract: { part } }) => {
      const constant = sitesOf(value, part).find(
        (site) => site.part["const"] !== undefined && site.path.length === 1,
      );
      if (constant === undefined || !Array.isArray(part["oneOf"])) return undefined;
      return { [wordOf(constant.value)]: withValue(value, constant.path, undefined) };
    },
  },
];
