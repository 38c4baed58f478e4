import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { findSource } from "./find-source.ts";
import type { Team } from "./define-team.ts";
import { TeamDefinitionError } from "../errors.ts";

/** A variant of a team, to be evaluated against it. */
export interface Variant {
  /** Lower-case letters, digits, `-`. `as-it-is` is the team itself. */
  readonly name: string;
  readonly description: string;
  /**
   * Accepts what the team accepts. Its agents have distinct names, so that all variants can run at the same time, and
   * cause no side effects.
   */
  readonly team: Team;
  /**
   * JSON pointers into a run's result that this variant is scored on, including everything below. Default:
   * everything.
   */
  readonly judged?: readonly string[];
  /** Name of the baseline variant. Default `as-it-is`. */
  readonly against?: string;
}

const variantsSchema = z.array(
  z.object({
    name: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,62}$/)
      .refine((name) => name !== "as-it-is"),
    description: z.string().min(1),
    team: z.custom<Team>((value) => typeof value === "object" && value !== null && "agents" in value),
    judged: z.array(z.string().startsWith("/")).min(1).optional(),
    against: z.string().optional(),
  }),
);

/**
 * Loads the default export of `<folder>/<team>/eval/variants.ts`; returns none without such a file.
 *
 * @throws {TeamDefinitionError} The file exports something else, or two variants share a name.
 */
export async function loadVariants(folder: string, team: string): Promise<Variant[]> {
  const file = findSource(join(folder, team, "eval", "variants"));
  if (file === null) return [];
  const module: { default?: unknown } = await import(pathToFileURL(file).href);
  const parsed = variantsSchema.safeParse(module.default);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue === undefined ? "" : `/${issue.path.join("/")}: ${issue.message}`;
    throw new TeamDefinitionError(file, `its default export is no list of variants (${place})`);
  }
  const names = parsed.data.map(({ name }) => name);
  if (new Set(names).size < names.length) throw new TeamDefinitionError(file, "two variants have one name");
  const strange = parsed.data.find(({ against }) => against !== undefined && !names.includes(against));
  if (strange !== undefined)
    throw new TeamDefinitionError(file, `${strange.name} is compared with a variant that is not there`);
  return parsed.data.map(({ judged, against, ...variant }) => ({
    ...variant,
    ...(judged === undefined ? {} : { judged }),
    ...(against === undefined ? {} : { against }),
  }));
}
