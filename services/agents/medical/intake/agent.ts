import type { ContractOutput } from "#shared/contract";
import { agent, readPrompt } from "#shared/runtime";
import type { Context, Transitions } from "#shared/runtime";
import { Alarm, Complaint, Visit } from "../contracts.ts";
import type { Turn } from "../contract-fields.ts";
import { findEmergencySigns } from "../emergency/find-emergency-signs.ts";
import { IntakeAnswer } from "./answer.ts";
import { redactTurns } from "./redact-turns.ts";
import { portionsOf } from "./portions.ts";
import { checkSaid, Judgements } from "../check-said.ts";
import { standIns } from "../rehearsal/stand-ins.ts";

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
      const kept = signs.map(({ sign, quote }) => ({ sign, quote: redactOne(quote) }));
      const reason = kept[0]?.sign ?? "emergency";
      return ctx.handoff("emergency", { visit_id, signs: kept, certain: sure.length > 0 }, { reason });
    }
    const turns = redactTurns(said);
    const answer = await collectComplaint(ctx, turns);
    if (answer.emergency !== "no") {
      const quote = (answer.complaint ?? lastOf(turns)).slice(0, 400);
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

function redactOne(quote: string): string {
  return redactTurns([{ role: "patient", text: quote }])[0]?.text ?? quote;
}

function lastOf(turns: readonly Turn[]): string {
  return turns.findLast(({ role }) => role === "patient")?.text ?? "?";
}
