import { labelsOfDelivery } from "./delivery.ts";
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
} from "#shared/guard";
import type { GuardDeclaration, Taint } from "#shared/guard";
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

/** Returns a payload's taint after its check for prompt injection, as declared. @throws {InjectionSuspectedError} */
export function guardInput(
  delivery: Delivery & { readonly message: Message },
  { declared, input }: { readonly declared: GuardDeclaration; readonly input: unknown },
): Taint {
  const taint = joinTaint(delivery.taint, declared.untrusted?.payload ?? {});
  const { injection } = declared;
  if (injection === undefined) return taint;
  const issues = [
    ...lookForInjection(input, { taint, at: injection.at }),
    ...lookAtHistory(delivery.message, injection.at),
    ...lookAtTerms(delivery, injection.at),
  ];
  suspect(delivery, { reaction: injection.reaction, issues });
  return taint;
}

function suspect(
  delivery: Delivery,
  { reaction, issues }: { readonly reaction: "flag" | "quarantine"; readonly issues: readonly Issue[] },
): void {
  if (issues.length === 0) return;
  const { agent, logger } = delivery.place;
  if (reaction === "quarantine") {
    const error = new InjectionSuspectedError(agent.id, issues);
    if (!isReleased(delivery, error.code)) throw error;
  }
  delivery.received.add(INJECTION_LABEL);
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
  delivery.received.add(label);
  const { injection } = delivery.place.agent.options.guard ?? {};
  if (injection === undefined) return;
  const found = lookForInjection(JSON.parse(result), { taint: { "": [label] }, at: injection.at });
  const issues = found.map((issue) => ({ ...issue, path: `/tools/${tool}${issue.path}` }));
  suspect(delivery, { reaction: injection.reaction, issues });
}

/** Notes a step that reads text from outside, as the guard declares. */
export function noteStep({ place, received }: Delivery, name: string): void {
  const label = new Map(Object.entries(place.agent.options.guard?.untrusted?.steps ?? {})).get(name);
  if (label !== undefined) received.add(label);
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

/** Looks for orders to machines in the client's preferences and constraints: a prompt may hold these. */
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
  const labels = labelsOfDelivery(delivery, options.uses).filter((label) => refused.includes(label));
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
  const before = new Set(received);
  const value = await work();
  for (const label of received.difference(before)) {
    await place.store.ledger.recordStep(hold, { name: `${PREFIX}${label}`, result: "true" });
  }
  return value;
}

/** Restores the taint labels that were recorded with steps. */
export function restoreLabels({ received }: Delivery, steps: ReadonlyMap<string, string>): void {
  for (const name of steps.keys()) if (name.startsWith(PREFIX)) received.add(name.slice(PREFIX.length));
}
