import { readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Team } from "../define/define-team.ts";
import { TeamDefinitionError } from "../errors.ts";
import { findSource } from "../define/find-source.ts";
import { loadVariants } from "../define/variant.ts";

/**
 * Loads every team below a folder: the default export of each `<folder>/<team>/team.ts`, or `team.js` where built.
 * Teams are found, not imported by name, so that services know agents only by their declarations.
 *
 * @param variantsOf - Team whose variants are loaded as well. Default: none.
 * @param only - Folder of the one team that is wanted, so that a process holds no other's code. Default, and where
 * there is no such folder: all.
 * @throws {TeamDefinitionError} A file exports no team or no variants, two teams have an agent of the same name
 * (which is the queue's name), or there is no such team.
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
