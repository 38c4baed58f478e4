import type { AnswerOf, ConsoleApi } from "#shared/api";
import { now } from "#shared/clock";
import { proveRecipes } from "#shared/recipes";
import type { Recipe } from "#shared/recipes";
import type { Team } from "#shared/runtime";
import { OPEN_CASE_STATUSES } from "#shared/store/cases";
import type { Store } from "#shared/store";
import type { StoredCase } from "#shared/store/cases";
import { findCases, latestAdmission } from "#shared/ward";
import { maskOf } from "../masking/mask-sensitive.ts";
import { readMessage, subjectOf } from "./read-message.ts";

/** A dry run of a recipe. */
type RecipeTrial = AnswerOf<ConsoleApi["tryRecipe"]>;

/** What a recipe would do for one message. `idle`: it does not apply to it. */
type MessageTrial = RecipeTrial["messages"][number];

/** Maximum messages of one dry run. */
const MESSAGES_MAX = 50;
/** Ids of a group looked through for open cases. */
const SCANNED_MAX = 1000;
const PAGE = 100;
/** Time limit of a dry run, in ms; results so far are returned. */
const TRIAL_MS_MAX = 5000;

const RESULTS: readonly MessageTrial["result"][] = ["failed", "proved", "idle"];

/** Tries a recipe, with the full proof, on messages of its fingerprint that lie in the ward. Touches none of them. */
export async function tryOnMessages(
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

/** Open cases that a recipe of this scope is for, oldest first. */
async function heldCases(
  store: Store,
  fingerprint: string,
): Promise<{ readonly ids: readonly string[]; readonly isMore: boolean }> {
  // What a team ships for all faults of an agent is bound to `agent/*/contract`, which no case has.
  const [agent = "", contract] = fingerprint.split("/*/");
  if (contract !== undefined) {
    const { cases } = await findCases(store, { filter: { agent }, limit: PAGE });
    const open = cases.filter((one) => one.contract === contract && OPEN_CASE_STATUSES.includes(one.status));
    const ids = open.map(({ case_id }) => case_id);
    return { ids: ids.slice(0, MESSAGES_MAX), isMore: ids.length > MESSAGES_MAX };
  }
  const held: string[] = [];
  for (let from = 0; from < SCANNED_MAX && held.length <= MESSAGES_MAX; from += PAGE) {
    const ids = await store.cases.idsOf({ kind: "group", fingerprint }, { from, limit: PAGE });
    const heads = await Promise.all(ids.map((id) => store.cases.findHead(id)));
    held.push(...heads.flatMap((one) => (one !== null && isOpen(one) ? [one.case_id] : [])));
    if (ids.length < PAGE) break;
  }
  return { ids: held.slice(0, MESSAGES_MAX), isMore: held.length > MESSAGES_MAX };
}

function isOpen({ status }: StoredCase): boolean {
  return OPEN_CASE_STATUSES.includes(status);
}
