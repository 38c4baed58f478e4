import { z } from "zod";
import { selectFields } from "#shared/context";
import { toIssues } from "#shared/contract";
import { readConstraints } from "#shared/envelope";
import type { Envelope } from "#shared/envelope";
import { ExpiredError, checkBudget } from "#shared/envelope/limits";
import { defineError } from "#shared/errors";
import type { Issue } from "#shared/errors";
import { ActionForbiddenError } from "#shared/guard";
import { RUN_RULES, constraintFields } from "../define/task-terms.ts";
import type { DeclaredTerms, Terms } from "../define/task-terms.ts";

/** The declared fields of a user's preferences and of a task's constraints. */
interface ReadTerms {
  readonly preferences: Readonly<Record<string, unknown>>;
  readonly constraints: Readonly<Record<string, unknown>>;
}

/** Reads declared preferences and constraints. @throws {TermsInvalidError} Not as declared, or given twice. */
export function readTerms(
  agent: { readonly id: string; readonly options: DeclaredTerms },
  { user_context, task_context }: Envelope,
): ReadTerms {
  const { preferences, constraints } = agent.options;
  return {
    preferences: readOwn(preferences, user_context.preferences, {
      id: agent.id,
      at: "/user_context/preferences",
    }),
    constraints: readOwn(constraints, readRules(agent.id, task_context.constraints), {
      id: agent.id,
      at: CONSTRAINTS_AT,
    }),
  };
}

const CONSTRAINTS_AT = "/task_context/constraints";
const NOTHING: Readonly<Record<string, unknown>> = {};

function readRules(id: string, wire: readonly string[]): Readonly<Record<string, unknown>> {
  if (wire.length === 0) return NOTHING;
  const { values, repeated } = readConstraints(wire);
  if (repeated.length === 0) return values;
  throw new TermsInvalidError(
    id,
    repeated.map((name) => ({
      path: `${CONSTRAINTS_AT}/${name}`,
      code: "repeated",
      message: "the constraint is given twice",
    })),
  );
}

function readOwn(
  schema: Terms | undefined,
  given: Readonly<Record<string, unknown>>,
  { id, at }: { readonly id: string; readonly at: string },
): Readonly<Record<string, unknown>> {
  if (schema === undefined) return NOTHING;
  // Fields of the team's other agents are not this one's to see, nor to refuse.
  const own = Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(schema.shape, name)));
  const parsed = schema.safeParse(own);
  if (parsed.success) return parsed.data;
  throw new TermsInvalidError(id, toIssues(parsed.error, at));
}

/** The constraints that the runtime enforces in every team. */
type RunRules = z.output<typeof RUN_RULES>;

function runRulesOf(agent: string, { task_context }: Envelope): RunRules | null {
  if (task_context.constraints.length === 0) return null;
  const parsed = RUN_RULES.safeParse(readRules(agent, task_context.constraints));
  if (parsed.success) return parsed.data;
  throw new TermsInvalidError(agent, toIssues(parsed.error, CONSTRAINTS_AT));
}

/**
 * Checks a message against its task's deadline and maximum cost. The gateway lowers expiry and budget by them; this
 * holds for what other producers send, and for a discharge, whose expiry is new.
 * @throws {ExpiredError | BudgetExceededError | TermsInvalidError}
 */
export function checkRunRules(agent: string, envelope: Envelope, nowMs: number): void {
  const rules = runRulesOf(agent, envelope);
  if (rules === null) return;
  if (rules.deadline !== undefined && nowMs > Date.parse(rules.deadline))
    throw new ExpiredError(rules.deadline);
  const { billing } = envelope;
  if (rules.max_cost_usd !== undefined)
    checkBudget({ ...billing, cost_limit: Math.min(billing.cost_limit, rules.max_cost_usd) });
}

/** @throws {ActionForbiddenError} The task forbids the action. */
export function checkForbidden(agent: string, action: string, envelope: Envelope): void {
  if (runRulesOf(agent, envelope)?.forbidden_actions?.includes(action) === true)
    throw new ActionForbiddenError(agent, action);
}

const LENGTH_RULES = z.object({ max_words: constraintFields.max_words });

/** Returns an issue for texts of an answer that have more words together than the task's `max_words`. */
export function findTooLong(
  value: unknown,
  { wordsIn, envelope }: { readonly wordsIn: readonly string[]; readonly envelope: Envelope },
): Issue[] {
  const { values } = readConstraints(envelope.task_context.constraints);
  const wordsMax = LENGTH_RULES.safeParse({ max_words: values["max_words"] }).data?.max_words;
  if (wordsMax === undefined) return [];
  const words = countWords(selectFields(value, wordsIn).value);
  if (words <= wordsMax) return [];
  const message = `${words} words; the task allows ${wordsMax}`;
  return [{ path: wordsIn[0] ?? "", code: "too_many_words", message }];
}

const WORDS = new Intl.Segmenter(undefined, { granularity: "word" });

/** Counts the words of all texts in a value, also of languages that put no space between them. */
function countWords(value: unknown): number {
  if (typeof value === "string") {
    let words = 0;
    for (const { isWordLike } of WORDS.segment(value)) if (isWordLike === true) words += 1;
    return words;
  }
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, inner) => sum + countWords(inner), 0);
}

/** A message's preferences or constraints are not what its agent declares. It must not be handled without them. */
class TermsInvalidError extends defineError((agent: string, issues: readonly Issue[]) => ({
  code: "TERMS_INVALID",
  failureClass: "unsafe",
  severity: "fatal",
  message: `${agent} cannot read the task's preferences or constraints at ${issues.map(({ path }) => path).join(", ")}.`,
  remedy: "Discard the message and submit the task again with what `GET /v1/teams` says that the team takes.",
  issues,
})) {}
