import type { ShapeDamage } from "../damage.ts";
import { isClosed, isDeclared, isRequired, propertiesOf } from "../sites.ts";
import type { Site } from "../sites.ts";
import { renaming } from "./shape-site.ts";

/** A member whose absence would be missed, so that the strange name must be meant for it. */
const isMissed = (site: Site): boolean =>
  isDeclared(site) && isRequired(site) && site.part["const"] === undefined;

const words = (name: string): string[] =>
  name
    .replaceAll(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[_-]/);
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const camelCase = (name: string): string =>
  words(name)
    .map((word, index) => (index === 0 ? word : capital(word)))
    .join("");
export const pascalCase = (name: string): string => words(name).map(capital).join("");
export const title = (name: string): string => words(name).map(capital).join(" ");

const others = (site: Site): string[] =>
  Object.keys(site.holder === undefined ? {} : propertiesOf(site.holder.part)).filter(
    (name) => name !== site.path.at(-1),
  );

/** No other member of the object is spelt like that. */
const isFree = (name: string, site: Site): boolean => {
  const fold = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return others(site).every((other) => fold(other) !== fold(name));
};

const respelling = (name: string, how: (name: string) => string): ShapeDamage =>
  renaming({
    name,
    why: "the words of the name are the same, and the member would be missed otherwise",
    where: isMissed,
    to: (old, site) => (isFree(how(old), site) ? how(old) : undefined),
  });

export const NAMES: readonly ShapeDamage[] = [
  respelling("name in camel case", camelCase),
  respelling("name in Pascal case", pascalCase),
  respelling("name in kebab case", (name) => words(name).join("-")),
  respelling("name in capitals", (name) => words(name).join("_").toUpperCase()),
  respelling("name as a title", title),
  renaming({
    name: "name by a stated alias",
    why: "the description says so",
    where: (site) => isMissed(site) && site.facts.aliases !== undefined,
    to: (_, site, draw) =>
      draw.pick([
        draw.pick(site.facts.aliases ?? []),
        draw.pick(site.facts.aliases ?? []).replaceAll(" ", "_"),
      ]),
  }),
  {
    ...renaming({
      name: "name with blanks or marks",
      why: "what is left without marks is the name itself",
      where: isMissed,
      to: (old, _, draw) => draw.pick([` ${old}`, `${old}:`, `**${old}**`, `"${old}"`, `${old} `]),
    }),
    isOnlyJson: true,
  },
  renaming({
    name: "name in the singular",
    why: "the one list that is missing has the plural as its name",
    where: (site) =>
      isMissed(site) && Array.isArray(site.value) && site.holder !== undefined && isClosed(site.holder.part),
    to: (old, site) => (/[^s]s$/.test(old) && isFree(old.slice(0, -1), site) ? old.slice(0, -1) : undefined),
  }),
];
