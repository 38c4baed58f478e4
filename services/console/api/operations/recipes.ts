import { EVERY_PRODUCER, RECIPE_STATES, OPEN_CASE_STATUSES } from "#shared/store/cases";
import type { StoredRecipe, StoredCase } from "#shared/store/cases";
import type { AnswerOf, ConsoleApi } from "#shared/api";
import { now, timestamp } from "#shared/clock";
import { proveRecipes, recipeIdOf } from "#shared/recipes";
import type { Recipe } from "#shared/recipes";
import type { Team } from "#shared/runtime";
import { findCases, latestAdmission } from "#shared/ward";
import { AbsentError, RequestInvalidError } from "#shared/http";
import { ChangedMeanwhileError, RecipeRefusedError } from "../../errors.ts";
import { findGroup, judgeGroup } from "./groups.ts";
import { hasGroup } from "../guards/confine-to-teams.ts";
import type { CallOf, Console, Handler } from "../../console.ts";
import { maskOf } from "../../masking/masks.ts";
import { readMessage, subjectOf } from "../../ward/read-message.ts";

/**
 * Recipes, the one that was changed last first. Every filter that is given must hold; `counts` are of those that meet
 * all filters but the state, and without `limit` all are listed.
 */
export const listRecipes: Handler<"listRecipes"> = async ({ console, query, caller: { teams } }) => {
  const { state, fingerprint, text = "", limit = Infinity, offset } = query;
  const found = (await console.recipes.list()).filter(
    (recipe) =>
      (teams === null || hasGroup(console, recipe.fingerprint)) &&
      (fingerprint ?? recipe.fingerprint) === recipe.fingerprint &&
      `${recipe.fingerprint}\n${recipe.recipe_id}\n${recipe.by}`.toLowerCase().includes(text.toLowerCase()),
  );
  const inState = (wanted = state) => found.filter((one) => (wanted ?? one.state) === one.state);
  const listed = inState().toSorted((a, b) => b.changed_at.localeCompare(a.changed_at));
  const counts = Object.fromEntries(RECIPE_STATES.map((one) => [one, inState(one).length]));
  return { recipes: listed.slice(offset, offset + limit), total: listed.length, counts };
};

/** A recipe: how far it is believed, whose repair it was taken from, what it healed, its group, and who did what. */
export const showRecipe: Handler<"showRecipe"> = async ({ console, params: { recipe_id } }) => {
  const found = await findRecipe(console, recipe_id);
  const group = await console.store.cases.groups.find(found.fingerprint);
  return { ...found, group: group && judgeGroup(group), audit: await console.recipes.audit(recipe_id) };
};

async function findRecipe({ recipes }: Console, recipeId: string) {
  const found = await recipes.find(recipeId);
  if (found === null) throw new AbsentError("recipe");
  return found;
}

/** From now on the ladder applies it, without asking; what spoke against it before counts no more. */
export const approveRecipe: Handler<"approveRecipe"> = (call) =>
  changeRecipe("approve", call, { state: "trusted", ...UNBLEMISHED });

/** It is kept for the record and never applied. */
export const retireRecipe: Handler<"retireRecipe"> = (call) =>
  changeRecipe("retire", call, { state: "retired", proofs: [] });

/** Replaces a recipe's text and puts it on trial. With `version`, only if nobody changed it since that one. */
export const editRecipe: Handler<"editRecipe"> = (call) => {
  const { recipe } = call.body;
  const untried = { taught_by: [EVERY_PRODUCER], proofs: [] };
  return changeRecipe("edit", call, { recipe, state: "trial", ...untried, ...UNBLEMISHED });
};

const UNBLEMISHED = { failures: 0, failed_on: [], failures_of: {}, withheld_from: [] };

/** With `version`, only if the recipe is the one that its caller looked at. @throws {ChangedMeanwhileError} */
async function changeRecipe(
  action: "approve" | "retire" | "edit",
  { console: { recipes }, params, body: { why, version }, caller }: CallOf<"approveRecipe">,
  change: Partial<StoredRecipe>,
): Promise<StoredRecipe> {
  const changed = await recipes.change(
    params.recipe_id,
    (present) => {
      if (version === undefined || version === present.version) return { ...present, ...change };
      throw new ChangedMeanwhileError({ what: "recipe", state: present.state, by: present.changed_by });
    },
    { by: caller.name, action: `recipe.${action}`, why },
  );
  if (changed === null) throw new AbsentError("recipe");
  return changed.recipe;
}

/** Result of a recipe for one message. `idle`: it does not apply to it. */
type MessageTrial = AnswerOf<ConsoleApi["tryRecipe"]>["messages"][number];

/** Maximum messages of one dry run. */
const MESSAGES_MAX = 50;
/** Time limit of a dry run, in ms; results so far are returned. */
const TRIAL_MS_MAX = 5000;

/** Objections of a refused proposal that are told. */
const OBJECTIONS_MAX = 20;

/**
 * Says what a recipe would do, with the full proof, for the open cases of its fingerprint, newest first. Changes
 * nothing.
 */
export const tryRecipe: Handler<"tryRecipe"> = async (call) => {
  const { fingerprint } = await findRecipe(call.console, call.params.recipe_id);
  return tryOnGroup(call, fingerprint, call.body.recipe);
};

/** Keeps a recipe that heals some of its group and fails on none, for an admin to approve; the ladder ignores it. */
export const proposeRecipe: Handler<"proposeRecipe"> = async (call) => {
  const { console, params, body, caller } = call;
  const { fingerprint } = params;
  const { recipe, why } = body;
  await findGroup(console.store, fingerprint);
  const trial = await tryOnGroup(call, fingerprint, recipe);
  const against = trial.messages.flatMap(({ objections }) => objections);
  if (trial.failed > 0 || trial.proved === 0)
    throw new RequestInvalidError([
      {
        path: "/recipe",
        code: "not_proved",
        message: `it heals ${trial.proved} and fails on ${trial.failed}`,
      },
      ...against.slice(0, OBJECTIONS_MAX),
    ]);
  const recipe_id = recipeIdOf(fingerprint, recipe);
  const at = timestamp();
  const proposed = { recipe_id, fingerprint, state: "proposed", recipe, by: caller.name, at, why } as const;
  const kept = await console.recipes.add(proposed);
  if (kept !== "kept") throw new RecipeRefusedError(kept);
  return { ...trial, recipe_id };
};

async function tryOnGroup(
  { console: { store, teams }, signal }: Pick<CallOf<"tryRecipe">, "console" | "signal">,
  fingerprint: string,
  recipe: Recipe,
): Promise<AnswerOf<ConsoleApi["tryRecipe"]>> {
  // A team's recipe for all faults of an agent is bound to `agent/*/contract`, which no case has.
  const [agent = "", contract] = fingerprint.split("/*/");
  const bound = contract === undefined ? { fingerprint } : { agent, contract };
  const filter = { ...bound, statuses: OPEN_CASE_STATUSES };
  const { cases, cursor } = await findCases(store, { filter, limit: MESSAGES_MAX });
  const untilMs = now() + TRIAL_MS_MAX;
  const messages: MessageTrial[] = [];
  for (const { case_id } of cases) {
    if (now() > untilMs || signal.aborted) break;
    const stored = await store.cases.find(case_id);
    if (stored !== null) messages.push(tryOn(teams, stored, recipe));
  }
  const { failed = [], proved = [], idle = [] } = Object.groupBy(messages, ({ result }) => result);
  return {
    proved: proved.length,
    failed: failed.length,
    idle: idle.length,
    messages: [...failed, ...proved, ...idle],
    is_cut: cursor !== null || messages.length < cases.length,
  };
}

function tryOn(teams: readonly Team[], stored: StoredCase, recipe: Recipe): MessageTrial {
  const { case_id } = stored;
  const subject = subjectOf(readMessage(latestAdmission(stored)), teams);
  const [tried] = subject === null ? [] : proveRecipes([{ recipe }], subject);
  if (subject === null || tried === undefined) return { case_id, result: "idle", objections: [] };
  const { passes, objections } = tried.proof;
  const mask = maskOf(subject, { values: [tried.value], input: null });
  return {
    case_id,
    result: passes ? "proved" : "failed",
    objections: mask.elsewhere(objections.map(({ path, code, message }) => ({ path, code, message }))),
  };
}
