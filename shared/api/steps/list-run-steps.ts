import type { RunMask } from "#shared/masking";
import { NotFoundError } from "#shared/store";
import type { Store } from "#shared/store";
import type { RunEvent, RunRecord } from "#shared/store/runs";
import type { RUN_STEPS, RunStep } from "../run-steps.ts";
import type { AnswerOf } from "../operation.ts";
import { fillStep } from "./fill-step.ts";
import type { StepReader } from "./fill-step.ts";
import { groupByMessage, lastCompletionOf, planSteps } from "./plan-steps.ts";
import type { MessageEvents } from "./plan-steps.ts";
import { readSealed } from "./read-sealed.ts";
import type { SealedReading } from "./read-sealed.ts";

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
  for (let at = first; at < messages.length; at += 1) {
    const message = messages[at];
    if (message === undefined) break;
    const reader = await openMessage(seen, message, { isWhole: false });
    const from = at === first ? offset : 0;
    for (const [index, planned] of reader.plan.entries()) {
      if (index < from) continue;
      if (steps.length >= page.limit || (steps.length > 0 && chars > PAGE_CHARS_MAX))
        return answer(`${at}.${index}`);
      const step = await fillStep(reader, planned);
      chars += (step.input.chars ?? 0) + (step.output.chars ?? 0);
      steps.push(step);
    }
  }
  return answer(null);
}

/** Returns one step with its values uncut. @throws {NotFoundError} */
export async function showRunStep(seen: SeenRun, stepId: string): Promise<RunStep> {
  const message = groupByMessage(seen.events).find(({ message_id }) => stepId.startsWith(`${message_id}.`));
  if (message === undefined) throw new NotFoundError("step", stepId);
  const reader = await openMessage(seen, message, { isWhole: true });
  const planned = reader.plan.find(({ facts }) => facts.step_id === stepId);
  if (planned === undefined) throw new NotFoundError("step", stepId);
  return fillStep(reader, planned);
}

async function openMessage(
  seen: SeenRun,
  message: MessageEvents,
  { isWhole }: { readonly isWhole: boolean },
): Promise<StepReader> {
  const { store, run, events } = seen;
  const entry = await store.ledger.read(message.agent, message.message_id);
  const read = new Map<string, Promise<SealedReading>>();
  const readMessage: StepReader["readMessage"] = (place) => {
    const known = read.get(place.message_id) ?? readPlace(store, place);
    read.set(place.message_id, known);
    return known;
  };
  return {
    ...seen,
    isWhole,
    message,
    entry,
    plan: planSteps(message, entry, { runId: run.run_id, lastCompletion: lastCompletionOf(events) }),
    sealed: await readSealed(store, message, entry),
    readMessage,
  };
}

async function readPlace(
  store: Store,
  place: { readonly message_id: string; readonly agent: string },
): Promise<SealedReading> {
  return readSealed(store, place, await store.ledger.read(place.agent, place.message_id));
}
