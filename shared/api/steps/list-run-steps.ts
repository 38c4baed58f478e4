import type { RunMask } from "#shared/masking";
import { NotFoundError } from "#shared/store";
import type { Store } from "#shared/store";
import type { RunEvent, RunRecord } from "#shared/store/runs";
import type { RUN_STEPS, RunStep } from "../run-steps.ts";
import type { AnswerOf } from "../operation.ts";
import { groupByMessage, planSteps } from "./plan-steps.ts";
import type { MessageEvents } from "./plan-steps.ts";
import { readSealed } from "./read-sealed.ts";

/** A page ends early once its messages are together this long, in characters: reading them takes time. */
const PAGE_CHARS_MAX = 2_000_000;

type StepsPage = AnswerOf<(typeof RUN_STEPS)["listRunSteps"]>;

/** A run whose steps are shown, and to whom. */
export interface SeenRun {
  readonly store: Store;
  /** As the caller may see it. */
  readonly run: RunRecord;
  /** All of its events, as the caller may see them. */
  readonly events: readonly RunEvent[];
  readonly mask: RunMask;
  /** The instructions of models are the operator's. */
  readonly seesInstructions: boolean;
}

/** Returns a page of what passed between the steps of a run. */
export async function listRunSteps(
  seen: SeenRun,
  page: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<StepsPage> {
  const messages = groupByMessage(seen.events);
  const [first = 0, offset = 0] = (page.cursor ?? "0.0").split(".").map(Number);
  const steps: RunStep[] = [];
  let chars = 0;
  const answer = (next_cursor: string | null): StepsPage => ({
    run_id: seen.run.run_id,
    steps,
    is_masked: !seen.mask.isClear,
    next_cursor,
  });
  for (const [at, message] of messages.entries()) {
    if (at < first) continue;
    for (const [index, { read }] of (await openMessage(seen, message, false)).entries()) {
      if (at === first && index < offset) continue;
      if (steps.length >= page.limit || (steps.length > 0 && chars > PAGE_CHARS_MAX))
        return answer(`${at}.${index}`);
      const step = await read();
      chars += (step.input.chars ?? 0) + (step.output.chars ?? 0);
      steps.push(step);
    }
  }
  return answer(null);
}

/** Returns one step with its values uncut. @throws {NotFoundError} */
export async function showRunStep(seen: SeenRun, stepId: string): Promise<RunStep> {
  const message = groupByMessage(seen.events).find(({ message_id }) => stepId.startsWith(`${message_id}.`));
  const planned = message === undefined ? [] : await openMessage(seen, message, true);
  const found = planned.find((one) => one.stepId === stepId);
  if (found === undefined) throw new NotFoundError("step", stepId);
  return found.read();
}

/** Returns the user whose run it is, as its first message says; null: none, or the message is not readable. */
export async function findUser({ store, events }: SeenRun): Promise<string | null> {
  const [first] = groupByMessage(events);
  if (first === undefined) return null;
  const sealed = await readSealed(store, first);
  return sealed.kind === "read" ? sealed.envelope.user_context.user_id : null;
}

/** Returns the steps of a message, each with what reads its values. */
async function openMessage(seen: SeenRun, message: MessageEvents, isWhole: boolean) {
  const { store, run, events } = seen;
  const entry = await store.ledger.read(message.agent, message.message_id);
  // The result of the latest completion is the run's.
  const lastCompletion = events.findLast(({ type }) => type === "completed")?.id ?? null;
  const plan = planSteps(message, entry, { runId: run.run_id, lastCompletion });
  const sealed = await readSealed(store, message);
  const reader = { ...seen, isWhole, message, sealed, hasSent: plan.some(({ facts }) => facts.to !== null) };
  return plan.map(({ facts, fill }) => ({
    stepId: facts.step_id,
    read: async () => ({ ...facts, ...(await fill(reader)) }),
  }));
}
