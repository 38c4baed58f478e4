import { z } from "zod";
import { contract } from "#shared/contract";
import type { ContractOutput } from "#shared/contract";
import { agent, readPrompt } from "#shared/runtime";
import type { Context, Transitions } from "#shared/runtime";
import { Alarm, Complaint, Visit, complaint, PORTIONS_MAX } from "../contracts.ts";
import type { Turn } from "../contracts.ts";
import { findEmergencySigns } from "../emergency/find-emergency-signs.ts";
import { redactTurns } from "./redact-turns.ts";
import { checkSaid, Judgements, findDose } from "../check-said.ts";
import { standIns } from "../recordings.ts";

export const IntakeAnswer = contract(
  "intake.collected@2",
  z.object({
    /** Null: nothing that hurts or is wrong was said yet. */
    complaint: complaint.nullable(),
    /** Asked where there is no complaint. */
    question: z.string().min(5).max(300).nullable().meta({ "x-surgeon-writes": true }),
    /** `yes`: help may be needed within the hour. `no` does not overrule signs that were found before. */
    emergency: z.enum(["yes", "no", "cannot_tell"]),
  }),
  {
    description: "What the patient came for, or the next question; never a diagnosis.",
    check: ({ complaint: said, question, emergency }) => {
      if (said === null && question === null && emergency === "no")
        return [{ path: "/question", code: "missing", message: "without a complaint something is asked" }];
      return findDose(question ?? "", "/question");
    },
  },
);

const to = { emergency: Alarm, specialty: Complaint };

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "collect");

type Collected = ContractOutput<typeof IntakeAnswer>;
/** Numbers of the turns, from 1, that no model was shown. */
type Unread = Pick<ReturnType<typeof portionsOf>, "unread">;

/** Collects the complaint. Emergency signs, doubtful ones too, are handed off before any model is asked. */
export const intake = agent("intake@1", {
  accepts: Visit,
  to,
  description: "Collects a patient's turns, asks on, and passes emergencies to people at once.",
  capabilities: ["intake"],
  tier: "router",
  answers: [IntakeAnswer, Judgements],
  standIns: { ...standIns.collect, check: standIns.check },
  needs: { "collect/*": { fields: ["/turns"] }, check: { fields: ["/texts"] } },
  contextTokensMax: 16_000,
  guard: {
    mayCause: [],
    untrusted: { payload: { "/turns": "patient" } },
    injection: { reaction: "flag" },
  },
  handle: async ({ visit_id, turns: said }, ctx) => {
    const { sure, doubtful } = findEmergencySigns(said);
    const signs = sure.length > 0 ? sure : doubtful;
    if (signs.length > 0) {
      // Identifying data is redacted in alarms, too.
      const quotes = redactTurns(signs.map(({ quote: text }) => ({ role: "patient", text })));
      const kept = signs.map(({ sign, quote }, index) => ({ sign, quote: quotes[index]?.text ?? quote }));
      const reason = kept[0]?.sign ?? "emergency";
      return ctx.handoff("emergency", { visit_id, signs: kept, certain: sure.length > 0 }, { reason });
    }
    const turns = redactTurns(said);
    const answer = await collectComplaint(ctx, turns);
    if (answer.emergency !== "no") {
      const last = turns.findLast(({ role }) => role === "patient")?.text ?? "?";
      const quote = (answer.complaint ?? last).slice(0, 400);
      const certain = answer.emergency === "yes";
      const sign = certain ? "told_by_model" : "not_understood";
      return ctx.handoff("emergency", { visit_id, signs: [{ sign, quote }], certain }, { reason: sign });
    }
    if (answer.complaint === null) {
      if (answer.question !== null) await checkSaid(ctx, [answer.question]);
      return ctx.complete({
        status: "more_needed",
        visit_id,
        question: answer.question,
        unread: answer.unread,
      });
    }
    return ctx.handoff(
      "specialty",
      { visit_id, complaint: answer.complaint, turns },
      { reason: "a complaint" },
    );
  },
});

/** Asks a model portion by portion until a complaint is found. */
export async function collectComplaint<To extends Transitions>(
  ctx: Context<To>,
  turns: readonly Turn[],
): Promise<Collected & Unread> {
  let answer: Collected = { complaint: null, question: null, emergency: "no" };
  const { portions, unread } = portionsOf(turns);
  for (const [index, portion] of portions.entries()) {
    answer = await ctx.model(`collect/${index + 1}`, {
      instructions: INSTRUCTIONS,
      input: { turns: portion.turns },
      answers: IntakeAnswer,
    });
    if (answer.complaint !== null || answer.emergency !== "no") break;
  }
  return { ...answer, unread };
}

/** Characters of one portion: some six thousand tokens. */
const PORTION_CHARACTERS_MAX = 24_000;
/** The assistant's questions are only needed to understand a short answer. */
const ASKED_CHARACTERS_MAX = 400;

interface Portion {
  /** The number of its first turn, from 1. */
  readonly first: number;
  readonly turns: Turn[];
}

/** Returns a conversation in portions for a model, oldest first, and the numbers of the turns in none of them. */
export function portionsOf(turns: readonly Turn[]): {
  readonly portions: readonly Portion[];
  readonly unread: { readonly first: number; readonly last: number } | null;
} {
  const portions: Portion[] = [];
  let characters = Infinity;
  for (const [index, { role, text }] of turns.entries()) {
    const shown = role === "patient" ? text : text.slice(0, ASKED_CHARACTERS_MAX);
    if (characters + shown.length > PORTION_CHARACTERS_MAX) {
      portions.push({ first: index + 1, turns: [] });
      characters = 0;
    }
    portions.at(-1)?.turns.push({ role, text: shown });
    characters += shown.length;
  }
  const [skipped] = portions.slice(PORTIONS_MAX - 1);
  const last = portions.at(-1);
  if (portions.length <= PORTIONS_MAX || skipped === undefined || last === undefined)
    return { portions, unread: null };
  return {
    portions: [...portions.slice(0, PORTIONS_MAX - 1), last],
    unread: { first: skipped.first, last: last.first - 1 },
  };
}
