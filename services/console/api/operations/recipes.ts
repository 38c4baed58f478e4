import { EVERY_PRODUCER, RECIPE_STATES, OPEN_CASE_STATUSES } from "#shared/store/cases";
import type { StoredRecipe, StoredCase } from "#shared/store/cases";
import type { AnswerOf, ConsoleApi } from "#shared/api";
import { now } from "#shared/clock";
import { proveRecipes } from "#shared/recipes";
import type { Recipe } from "#shared/recipes";
import type { Team } from "#shared/runtime";
import type { Store } from "#shared/store";
import { findCases, latestAdmission } from "#shared/ward";
import { AbsentError } from "#shared/http";
import { ChangedMeanwhileError } from "../../errors.ts";
import { findGroupView } from "../../ward/group-views.ts";
import { hasGroup } from "../guards/confine-to-teams.ts";
import type { Handler } from "../../console.ts";
import { maskOf } from "../../masking/mask-sensitive.ts";
import { readMessage, subjectOf } from "../../ward/read-message.ts";

/**
 * Recipes, the one that was changed last first. Every filter that is given must hold; `counts` are of those that meet
 * all filters but the state, and without `limit` all are listed.
 */
export const listRecipes: Handler<"listRecipes"> = async ({
  console,
  query: { state, fingerprint, text, limit, offset },
  caller: { teams },
}) => {
  const wanted = text?.toLowerCase() ?? "";
  const found = (await console.recipes.list()).filter(
    (recipe) =>
      (teams === null || hasGroup(console, recipe.fingerprint)) &&
      (fingerprint === undefined || recipe.fingerprint === fingerprint) &&
      `${recipe.fingerprint}\n${recipe.recipe_id}\n${recipe.by}`.toLowerCase().includes(wanted),
  );
  const listed = found
    .filter((recipe) => state === undefined || recipe.state === state)
    .toSorted((a, b) => b.changed_at.localeCompare(a.changed_at));
  const counts = Object.fromEntries(
    RECIPE_STATES.map((one) => [one, found.filter((recipe) => recipe.state === one).length]),
  );
  const end = limit === undefined ? listed.length : offset + limit;
  return { recipes: listed.slice(offset, end), total: listed.length, counts };
};

/** A recipe: how far it is believed, whose repair it was taken from, what it healed, its group, and who did what. */
export const showRecipe: Handler<"showRecipe"> = async ({ console, params: { recipe_id } }) => {
  const found = await console.recipes.find(recipe_id);
  if (found === null) throw new AbsentError("recipe");
  const [group, audit] = await Promise.all([
    findGroupView(console, found.fingerprint),
    console.recipes.audit(recipe_id),
  ]);
  return { ...found, group, audit };
};

/** Says what a recipe would do for the messages of its fingerprint that lie in the ward. Changes nothing. */
export const tryRecipe: Handler<"tryRecipe"> = async ({
  console,
  params: { recipe_id },
  body: { recipe },
  signal,
}) => {
  const found = await console.recipes.find(recipe_id);
  if (found === null) throw new AbsentError("recipe");
  return tryOnMessages(console, { fingerprint: found.fingerprint, recipe, signal });
};

/** From now on the ladder applies it, without asking; what spoke against it before counts no more. */
export const approveRecipe: Handler<"approveRecipe"> = (call) =>
  changeRecipe("approve", call, { state: "trusted", ...UNBLEMISHED });

/** It is kept for the record and never applied. */
export const retireRecipe: Handler<"retireRecipe"> = (call) =>
  changeRecipe("retire", call, { state: "retired", proofs: [] });

/** Replaces a recipe's text and puts it on trial. With `version`, only if nobody changed it since that one. */
export const editRecipe: Handler<"editRecipe"> = (call) => {
  const { recipe } = call.body;
  return changeRecipe("edit", call, {
    recipe,
    state: "trial",
    taught_by: [EVERY_PRODUCER],
    proofs: [],
    ...UNBLEMISHED,
  });
};

const UNBLEMISHED = { failures: 0, failed_on: [], failures_of: {}, withheld_from: [] };

/** With `version`, only if the recipe is the one that its caller looked at. @throws {ChangedMeanwhileError} */
async function changeRecipe(
  action: "approve" | "retire" | "edit",
  { console: { recipes }, params, body: { why, version }, caller }: ChangeCall,
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

type ChangeCall = Pick<Parameters<Handler<"approveRecipe">>[0], "console" | "params" | "body" | "caller">;

/** A dry run of a recipe. */
type RecipeTrial = AnswerOf<ConsoleApi["tryRecipe"]>;

/** What a recipe would do for one message. `idle`: it does not apply to it. */
type MessageTrial = RecipeTrial["messages"][number];

/** Maximum messages of one dry run. */
const MESSAGES_MAX = 50;
/** Time limit of a dry run, in ms; results so far are returned. */
const TRIAL_MS_MAX = 5000;

const RESULTS: readonly MessageTrial["result"][] = ["failed", "proved", "idle"];

/** Tries a recipe, with the full proof, on messages of its fingerprint that lie in the ward. Touches none of them. */
async function tryOnMessages(
  console: { readonly store: Store; readonly teams: readonly Team[] },
  trial: { readonly fingerprint: string; readonly recipe: Recipe; readonly signal: AbortSignal },
): Promise<RecipeTrial> {
  const { ids, isMore } = await heldCases(console.store, trial.fingerprint);
  const untilMs = now() + TRIAL_MS_MAX;
  const messages: MessageTrial[] = [];
  for (const id of ids) {
    if (now() > untilMs || trial.signal.aborted) break;
    const stored = await console.store.cases.find(id);
    if (stored !== null) messages.push(tryOn(console.teams, stored, trial.recipe));
  }
  const count = (result: MessageTrial["result"]): number =>
    messages.filter((message) => message.result === result).length;
  return {
    proved: count("proved"),
    failed: count("failed"),
    idle: count("idle"),
    messages: messages.toSorted((a, b) => RESULTS.indexOf(a.result) - RESULTS.indexOf(b.result)),
    is_cut: isMore || messages.length < ids.length,
  };
}

function tryOn(teams: readonly Team[], stored: StoredCase, recipe: Recipe): MessageTrial {
  const idle: MessageTrial = { case_id: stored.case_id, result: "idle", objections: [] };
  const admission = latestAdmission(stored);
  const record = admission === null ? null : readMessage(admission);
  const subject = record === null ? null : subjectOf(record, teams);
  const [tried] = subject === null ? [] : proveRecipes([{ recipe }], subject);
  if (subject === null || tried === undefined) return idle;
  const { passes, objections } = tried.proof;
  return {
    case_id: stored.case_id,
    result: passes ? "proved" : "failed",
    objections: maskOf(subject, { values: [tried.value], input: null }).elsewhere(
      objections.map(({ path, code, message }) => ({ path, code, message })),
    ),
  };
}

/** Open cases that a recipe of this scope is for, newest first. */
async function heldCases(
  store: Store,
  fingerprint: string,
): Promise<{ readonly ids: readonly string[]; readonly isMore: boolean }> {
  // What a team ships for all faults of an agent is bound to `agent/*/contract`, which no case has.
  const [agent = "", contract] = fingerprint.split("/*/");
  const bound = contract === undefined ? { fingerprint } : { agent, contract };
  const { cases, cursor } = await findCases(store, {
    filter: { ...bound, statuses: OPEN_CASE_STATUSES },
    limit: MESSAGES_MAX,
  });
  return { ids: cases.map(({ case_id }) => case_id), isMore: cursor !== null };
}
