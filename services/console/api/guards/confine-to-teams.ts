import { isRecord } from "#shared/json";
import { NotFoundError } from "#shared/store";
import { groupBatches } from "#shared/ward/decisions";
import type { Console } from "../../console.ts";
import { forAllTeams } from "./caller.ts";
import type { Caller } from "./caller.ts";

/** Operations without a subject that show a key of some teams nothing but these, or nothing that is a team's. */
const WITHIN_TEAMS: ReadonlySet<string> = new Set([
  "logIn",
  "showSession",
  "logOut",
  "showLiveness",
  "listAgents",
  "listQueues",
  "listHandoffs",
  "listModelCosts",
  "listGroups",
  "listApplies",
  "listCases",
  "listRecipes",
  "listRuns",
  "search",
]);

/**
 * Confines a request to the teams of its caller's key: a subject of another team is absent, and an operation on all
 * teams is refused. @throws {NotFoundError | ForbiddenError}
 */
export async function confineToTeams(
  console: Console,
  caller: Caller,
  // An operation's id, and the parts of its address by name.
  operation: { readonly id: string; readonly params: unknown },
): Promise<Console> {
  const { teams: own } = caller;
  if (own === null) return console;
  const confined = { ...console, teams: console.teams.filter(({ name }) => own.includes(name)) };
  const subjects = isRecord(operation.params) ? Object.entries(operation.params) : [];
  if (subjects.length === 0 && !WITHIN_TEAMS.has(operation.id)) throw forAllTeams(caller);
  for (const [name, part] of subjects) {
    const id = String(part);
    const isOwn = await isWithin(confined, own, name, id);
    if (isOwn === null) throw forAllTeams(caller);
    if (!isOwn) throw new NotFoundError(name.replace(/_id$/, ""), id);
  }
  return confined;
}

/** Returns whether a subject is of the console's teams; null for one that is of no team. */
async function isWithin(
  console: Console,
  teams: readonly string[],
  name: string,
  id: string,
): Promise<boolean | null> {
  const { store, recipes } = console;
  const isOwn = (team = ""): boolean => teams.includes(team);
  switch (name) {
    case "case_id":
      return isOwn((await store.cases.findHead(id))?.fields["team"]);
    case "run_id":
      return isOwn((await store.runs.find(id))?.team);
    case "recipe_id":
      return hasGroup(console, (await recipes.find(id))?.fingerprint);
    case "batch_id":
      return hasGroup(console, (await groupBatches(store).find(id))?.fingerprint);
    case "fingerprint":
    case "agent":
      return hasGroup(console, id);
    case "step_id":
      return true;
    default:
      return null;
  }
}

/** Returns true for the group of an agent in the console's teams; its fingerprint begins with the agent's name. */
export function hasGroup({ teams }: Pick<Console, "teams">, fingerprint = ""): boolean {
  const [agent = ""] = fingerprint.split("/", 1);
  return teams.some(({ agents }) => agents.has(agent));
}
