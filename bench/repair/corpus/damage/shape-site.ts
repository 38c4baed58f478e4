import type { JsonValue } from "#shared/schema";
import type { Draw } from "../../seeded.ts";
import type { ShapeDamage } from "../damage.ts";
import { sitesOf, withName, withValue } from "../sites.ts";
import type { Site } from "../sites.ts";

interface Change {
  readonly name: string;
  readonly why: string;
  readonly where: (site: Site) => boolean;
  readonly to: (site: Site, draw: Draw) => JsonValue | undefined;
}

/** Changes one value, drawn from all that pass the filter. */
export const changing = ({ name, why, where, to }: Change): ShapeDamage => ({
  name,
  why,
  apply: ({ value, contract }, draw) => {
    const site = draw.find(sitesOf(value, contract.part).filter(where));
    const changed = site === undefined ? undefined : to(site, draw);
    return site === undefined || changed === undefined ? undefined : withValue(value, site.path, changed);
  },
});

interface Renaming {
  readonly name: string;
  readonly why: string;
  readonly where: (site: Site) => boolean;
  readonly to: (name: string, site: Site, draw: Draw) => string | undefined;
}

/** Renames one member that passes the filter. */
export const renaming = ({ name, why, where, to }: Renaming): ShapeDamage => ({
  name,
  why,
  apply: ({ value, contract }, draw) => {
    const site = draw.find(sitesOf(value, contract.part).filter(where));
    const old = site?.path.at(-1);
    if (site === undefined || typeof old !== "string") return undefined;
    const renamed = to(old, site, draw);
    return renamed === undefined || renamed === old ? undefined : withName(value, site.path, renamed);
  },
});
