import { loadVariants } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import { CommandRefusedError } from "../errors.ts";
import { takeEvenly } from "../take-evenly.ts";
import { CaseFiles } from "./cases/case-files.ts";
import { AS_IT_IS, contendersOf } from "./cases/contender.ts";
import type { Contender } from "./cases/contender.ts";
import { casesFile, readCases } from "./cases/labelled-case.ts";
import type { LabelledCase } from "./cases/labelled-case.ts";

/** What one team's measurement needs, read and checked before anything starts. */
export interface PreparedEval {
  readonly team: string;
  readonly contenders: readonly Contender[];
  readonly cases: readonly LabelledCase[];
  readonly files: CaseFiles;
}

/** @throws {CommandRefusedError} There is no such team, variant or set, or a line of the set is wrong. */
export async function prepareEval(
  teamsDir: string,
  name: string,
  { variant, limit }: { readonly variant?: readonly string[]; readonly limit?: number },
): Promise<PreparedEval> {
  const teams = await loadTeams(teamsDir, name);
  const team = teams.find((one) => one.name === name);
  if (team === undefined)
    throw new CommandRefusedError(`There is no team ${name}.`, "`suture teams ls` lists them.");
  const all = contendersOf(team, await loadVariants(teamsDir, name));
  const unknown = variant?.find((wanted) => !all.some((one) => one.name === wanted));
  if (unknown !== undefined) {
    const known = all.map((one) => one.name).join(", ");
    throw new CommandRefusedError(`${name} has no variant ${unknown}.`, `Name some of ${known}.`);
  }
  const files = new CaseFiles();
  const cases = await readCases(casesFile(teamsDir, name), { accepts: team.entry.accepts, files });
  const foreign = all.find(({ team: own }) => own.entry.accepts.id !== team.entry.accepts.id);
  if (foreign !== undefined)
    throw new CommandRefusedError(
      `The variant ${foreign.name} accepts ${foreign.team.entry.accepts.id}, ${AS_IT_IS} ${team.entry.accepts.id}.`,
      "Let it accept what the team accepts.",
    );
  const wanted = new Set(variant ?? all.map((one) => one.name));
  const contenders = all.filter((one) => wanted.has(one.name));
  return { team: name, contenders, cases: takeEvenly(cases, limit), files };
}
