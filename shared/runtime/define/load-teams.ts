import { existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { PromptPartMissingError, TeamDefinitionError } from "../errors.ts";
import type { Team } from "./define-team.ts";

/**
 * Loads every team below a folder: the default export of each `<folder>/<team>/team.ts`, or `team.js` where built.
 * Teams are found, not imported by name, so that services know agents only by their declarations.
 * @param variantsOf - Team whose variants are loaded as well. Default: none.
 * @param only - Folder of the one team that is wanted, so that a process holds no other's code. Default, and where
 * there is no such folder: all.
 * @throws {TeamDefinitionError} A file exports no team or no variants, two teams have an agent of the same name (which
 * is the queue's name), or there is no such team.
 */
export async function loadTeams(
  folder: string,
  variantsOf: string | null = null,
  only: string | null = null,
): Promise<Team[]> {
  const root = resolve(folder);
  const files = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => findSource(join(root, entry.name, "team")) ?? [])
    .toSorted();
  const wanted = files.filter((file) => basename(dirname(file)) === only);
  const teams = await Promise.all((wanted.length > 0 ? wanted : files).map(loadTeam));
  const variants = variantsOf === null ? [] : await loadVariants(root, variantsOf);
  const all = [...teams, ...variants.map(({ team }) => team)];
  checkNames(all);
  return all;
}

async function loadTeam(file: string): Promise<Team> {
  const module: { default?: unknown } = await import(pathToFileURL(file).href);
  const candidate = module.default;
  if (!isTeam(candidate)) throw new TeamDefinitionError(file, "its default export is not what team() gives");
  return candidate;
}

function isTeam(value: unknown): value is Team {
  return (
    typeof value === "object" &&
    value !== null &&
    "agents" in value &&
    value.agents instanceof Map &&
    "entry" in value &&
    "edges" in value
  );
}

function checkNames(teams: readonly Team[]): void {
  const owners = new Map<string, string>();
  for (const team of teams) {
    for (const name of team.agents.keys()) {
      const owner = owners.get(name);
      if (owner !== undefined)
        throw new TeamDefinitionError(team.name, `team ${owner} has an agent called ${name} too`);
      owners.set(name, team.name);
    }
  }
}

const variantsSchema = z.array(
  z.object({
    /** Lower-case letters, digits, `-`. `as-it-is` is the team itself. */
    name: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,62}$/)
      .refine((name) => name !== "as-it-is"),
    description: z.string().min(1),
    /** Accepts what the team accepts. Its agents cause no side effects, under distinct names: variants run at once. */
    team: z.custom<Team>((value) => typeof value === "object" && value !== null && "agents" in value),
    /** JSON pointers into a run's result, with all below, that this variant is scored on. Default: everything. */
    judged: z.array(z.string().startsWith("/")).min(1).exactOptional(),
    /** Name of the baseline variant. Default `as-it-is`. */
    against: z.string().exactOptional(),
  }),
);

/** A variant of a team, to be evaluated against it. */
export type Variant = Readonly<z.output<typeof variantsSchema>[number]>;

/**
 * Loads the default export of `<folder>/<team>/eval/variants.ts`; returns none without such a file.
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
  return parsed.data;
}

/** Returns a module's file, TypeScript or built JavaScript; null for neither. @param path - Without the ending. */
function findSource(path: string): string | null {
  return [`${path}.ts`, `${path}.js`].find((file) => existsSync(file)) ?? null;
}

/**
 * Reads the instructions of one model step from an agent's `prompt.md`: the text above the first `## ` heading, which
 * all steps share, followed by the text under `## part`.
 * @param file - URL of the prompt: `new URL("prompt.md", import.meta.url)`.
 * @throws {PromptPartMissingError} The file has no such heading.
 */
export function readPrompt(file: URL, part: string): string {
  const [shared = "", ...parts] = readFileSync(file, "utf8").split(/^## /m);
  const found = parts.find((text) => text.slice(0, text.indexOf("\n")).trim() === part);
  if (found === undefined) throw new PromptPartMissingError(part);
  return `${shared.trim()}\n\n${found.slice(found.indexOf("\n")).trim()}\n`;
}
