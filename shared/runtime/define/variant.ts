import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import type { Team } from "./define-team.ts";
import { TeamDefinitionError } from "../errors.ts";

/** Another way to do a team's work, to be measured against it. */
export interface Variant {
  /** Lower-case letters, digits, `-`. `as-it-is` is the team itself. */
  readonly name: string;
  readonly description: string;
  /**
   * Accepts what the team accepts. Its agents have names of their own, so that all variants work at the same time; it
   * causes nothing outside.
   */
  readonly team: Team;
  /**
   * JSON pointers into a run's result: what this variant can be expected to answer, with all that is below. What else
   * a labelled case expects is not held against it. Default: everything.
   */
  readonly judged?: readonly string[];
  /** The variant that it is compared with. Default `as-it-is`. */
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
 * The default export of `<folder>/<team>/eval/variants.ts`; none where there is no such file.
 *
 * @throws {TeamDefinitionError} The file exports something else, or two variants have one name.
 */
export async function loadVariants(folder: string, team: string): Promise<Variant[]> {
  const file = join(folder, team, "eval", "variants.ts");
  if (!existsSync(file)) return [];
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
