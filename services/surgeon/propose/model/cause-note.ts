import { readFileSync } from "node:fs";
import { followSignals, timestamp } from "#shared/clock";
import { readJson } from "#shared/json";
import { causeSchema, OPEN_CASE_STATUSES } from "#shared/store/cases";
import type { CauseNote } from "#shared/store/cases";
import type { Disposal } from "#shared/store/queues";
import { findCases, NOTE_EXAMPLES_MAX } from "#shared/ward";
import { readContext } from "../../cases/case.ts";
import type { Surgery } from "../../surgery.ts";
import { conceal } from "./conceal.ts";
import { askPaid } from "./paid-call.ts";
import { CAUSE_SCHEMA, withoutControls, writeCauseQuestion } from "./question.ts";

const INSTRUCTIONS = readFileSync(new URL("./cause-note.md", import.meta.url), "utf8");

const TOKENS_MAX = 2000;
/** Cases that are looked at for examples that a model may see. */
const LOOKED_AT_MAX = 20;
/** Longest text of a note, in characters. */
const TEXT_CHARS_MAX = 2000;

/**
 * Writes the cause note that was asked for: one model call, within the money of the hour, the group, and the example
 * that has cost least. It changes no case. Without an answer the note says why, and can be asked for again.
 */
export async function writeCauseNote(
  surgery: Surgery,
  fingerprint: string,
  lost: AbortSignal,
): Promise<Disposal> {
  const { causeNotes } = surgery.store.cases;
  const asked = await causeNotes.find(fingerprint);
  if (asked?.state !== "asked") return "done";
  const { signal, letGo } = followSignals([lost, surgery.stopping]);
  try {
    const written = await ask(surgery, fingerprint, signal);
    const state = written.text === null ? "failed" : "written";
    await causeNotes.set(fingerprint, { ...asked, ...written, state, at: timestamp() });
    return "done";
  } catch (error) {
    // Another delivery finds the answer that was paid for.
    if (signal.aborted) return "return";
    throw error;
  } finally {
    letGo();
  }
}

type Written = Pick<CauseNote, "text" | "problem" | "model" | "cost" | "examples">;

async function ask(surgery: Surgery, fingerprint: string, signal: AbortSignal): Promise<Written> {
  const examples = await readExamples(surgery, fingerprint);
  const ids = examples.map(({ context }) => context.stored.case_id);
  const fail = (problem: string): Written => ({ text: null, problem, model: null, cost: 0, examples: ids });
  const [payer] = examples.toSorted((a, b) => costOf(a) - costOf(b));
  const group = await surgery.store.whole.cases.groups.find(fingerprint);
  if (payer === undefined || group === null) return fail("No open case of it may be shown to a model.");
  const on = { surgery, context: payer.context, signal, modelTry: 1 } as const;
  const facts = {
    agent_that_refused: payer.context.stored.fields["agent"] ?? "",
    producer: group.producer,
    came_back_with: group.regression?.producer ?? "-",
    first_seen: timestamp(group.first_seen_ms),
    last_seen: timestamp(group.last_seen_ms),
    messages: group.count,
  };
  const question = {
    instructions: INSTRUCTIONS,
    input: writeCauseQuestion(facts, examples),
    jsonSchema: CAUSE_SCHEMA,
    schemaName: "cause_note",
    step: "note",
    tokensMax: TOKENS_MAX,
  };
  const isWhole = (text: string): boolean => readCause(text) !== null;
  const answer = await askPaid(on, question, { part: "note", isWhole });
  if (answer.kind === "unanswered") return fail(answer.proposal.reason);
  const { text, bill } = answer.paid;
  const cause = readCause(text);
  const problem = cause === null ? "The model's answer cannot be read." : null;
  return { text: cause, problem, model: bill.model, cost: bill.cost, examples: ids };
}

async function readExamples(surgery: Surgery, fingerprint: string) {
  const filter = { fingerprint, statuses: OPEN_CASE_STATUSES };
  const { cases } = await findCases(surgery.store, { filter, limit: LOOKED_AT_MAX });
  const stored = await Promise.all(cases.map(({ case_id }) => surgery.store.cases.find(case_id)));
  const readable = stored.flatMap((one) => {
    const context = one === null ? null : readContext(surgery, one);
    const concealed = context === null ? null : conceal(surgery, context, null);
    return context === null || concealed === null ? [] : [{ context, concealed }];
  });
  return readable.slice(0, NOTE_EXAMPLES_MAX);
}

function costOf({ context }: Awaited<ReturnType<typeof readExamples>>[number]): number {
  return Number(context.stored.fields["cost_micro"] ?? 0);
}

/** Returns the texts of an answer, bounded and without control characters; null where it cannot be read. */
function readCause(text: string): CauseNote["text"] {
  const { success, data } = causeSchema.safeParse(readJson(text));
  if (!success) return null;
  const plain = (words: string): string => withoutControls(words).slice(0, TEXT_CHARS_MAX);
  const { what_goes_wrong, since_when, change_in, change } = data;
  return {
    what_goes_wrong: plain(what_goes_wrong),
    since_when: plain(since_when),
    change_in,
    change: plain(change),
  };
}
