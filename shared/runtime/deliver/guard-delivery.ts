import { GuardState, labelsOfEffect } from "./delivery.ts";
import type { Issue } from "#shared/errors";
import {
  ActionTaintedError,
  INJECTION_LABEL,
  InjectionSuspectedError,
  SCOPE_FIELD,
  actionOf,
  assertMayCause,
  joinTaint,
  lookForInjection,
  readTaint,
} from "#shared/guard";
import type { GuardDeclaration } from "#shared/guard";
import { RELEASED_STEP } from "#shared/ward/moves";
import type { OnceOptions } from "../tools/define-tool.ts";
import type { Delivery, Message } from "./delivery.ts";
import { healedAnswerOf } from "./healed-answer.ts";
import { checkForbidden, readTerms } from "./read-terms.ts";

/** Returns true if a person has released this message after a refusal with that code. */
function isReleased(delivery: Delivery, code: string): boolean {
  const codes = healedAnswerOf(delivery, RELEASED_STEP);
  return Array.isArray(codes) && codes.includes(code);
}

/** Checks the input for prompt injection, as its agent declares. @throws {InjectionSuspectedError} */
export function guardInput(
  delivery: Delivery & { readonly message: Message },
  { declared, input }: { readonly declared: GuardDeclaration; readonly input: unknown },
): GuardState {
  const { conversation } = delivery.message.envelope;
  const taint = joinTaint(readTaint(conversation.metadata), declared.untrusted?.payload ?? {});
  const guard = new GuardState(declared, { payload: taint, others: delivery.received });
  const { injection } = declared;
  if (injection === undefined) return guard;
  const issues = [
    ...lookForInjection(input, { taint, at: injection.at }),
    ...lookAtHistory(delivery.message, injection.at),
    ...lookAtTerms(delivery, injection.at),
  ];
  suspect(delivery, { guard, reaction: injection.reaction, issues });
  return guard;
}

function suspect(
  delivery: Delivery,
  found: {
    readonly guard: GuardState;
    readonly reaction: "flag" | "quarantine";
    readonly issues: readonly Issue[];
  },
): void {
  const { guard, issues } = found;
  if (issues.length === 0) return;
  const { agent, logger } = delivery.place;
  if (found.reaction === "quarantine") {
    const error = new InjectionSuspectedError(agent.id, issues);
    if (!isReleased(delivery, error.code)) throw error;
  }
  guard.add(INJECTION_LABEL);
  logger.warn(
    { message_id: delivery.hold.messageId, agent: agent.id, paths: issues.map(({ path }) => path) },
    "a text looks as if it gave orders to machines",
  );
}

/**
 * Notes that a tool's result (JSON text) was read: its label holds from now on, and it is checked for prompt injection.
 * @throws {InjectionSuspectedError} It looks like instructions to a model, and no person has released it.
 */
export function guardToolResult(
  delivery: Delivery,
  read: { readonly tool: string; readonly label: string | null; readonly result: string },
): void {
  const { tool, label, result } = read;
  if (label === null) return;
  delivery.received.add([label]);
  const { guard } = delivery;
  const injection = guard?.declared.injection;
  if (guard === null || injection === undefined) return;
  const found = lookForInjection(JSON.parse(result), { taint: { "": [label] }, at: injection.at });
  const issues = found.map((issue) => ({ ...issue, path: `/tools/${tool}${issue.path}` }));
  suspect(delivery, { guard, reaction: injection.reaction, issues });
}

/** Texts of users and tools are untrusted, whatever the payload's labels say. */
function lookAtHistory({ envelope }: Message, at: number | undefined): Issue[] {
  const said = envelope.conversation.history.map(({ role, content }) =>
    role === "user" || role === "tool" ? content : "",
  );
  return lookForInjection(said, { taint: { "": ["history"] }, at }).map((issue) => ({
    ...issue,
    path: `/conversation/history${issue.path}`,
  }));
}

/** Whatever the client writes into preferences and constraints that a prompt may hold is untrusted. */
function lookAtTerms(
  { place, message }: Delivery & { readonly message: Message },
  at: number | undefined,
): Issue[] {
  const { preferences, constraints } = readTerms(place.agent, message.envelope);
  const terms = { user_context: { preferences }, task_context: { constraints } };
  return lookForInjection(terms, { taint: { "": ["task"] }, at });
}

/**
 * Checks a side effect: declared, within the run's scope, and not caused by text that its agent refuses.
 * @throws {ActionUndeclaredError | ActionOutOfScopeError | ActionTaintedError | ActionForbiddenError}
 */
export function guardAction(
  delivery: Delivery & { readonly message: Message },
  effect: { readonly key: string; readonly options: Pick<OnceOptions<unknown>, "action" | "uses"> },
): void {
  const { agent } = delivery.place;
  const { envelope } = delivery.message;
  const { meta } = envelope;
  const { guard: declared } = agent.options;
  const { key, options } = effect;
  const action = actionOf(key, options.action);
  checkForbidden(agent.id, action, envelope);
  if (declared === undefined && meta[SCOPE_FIELD] === undefined) return;
  assertMayCause({ agent: agent.id, action, guard: declared, meta });
  const refused = declared?.refusesTaint?.[action] ?? [];
  if (refused.length === 0 || delivery.guard === null) return;
  const labels = labelsOfEffect(delivery, options).filter((label) => refused.includes(label));
  if (labels.length === 0) return;
  const error = new ActionTaintedError(agent.id, { action, labels });
  if (!isReleased(delivery, error.code)) throw error;
}

const PREFIX = "label/";

/** Runs work whose result is recorded, after its taint labels: a re-run reads the record and not their sources. */
export async function keepLabels<Value>(
  { place, hold, received }: Delivery,
  work: () => Promise<Value> | Value,
): Promise<Value> {
  const before = new Set(received.all());
  const value = await work();
  for (const label of received.all()) {
    if (!before.has(label))
      await place.store.ledger.recordStep(hold, { name: `${PREFIX}${label}`, result: "true" });
  }
  return value;
}

/** Restores the taint labels that were recorded with steps. */
export function restoreLabels({ received }: Delivery, steps: ReadonlyMap<string, string>): void {
  const names = [...steps.keys()].filter((name) => name.startsWith(PREFIX));
  received.add(names.map((name) => name.slice(PREFIX.length)));
}
