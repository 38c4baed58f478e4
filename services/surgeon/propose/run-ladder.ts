import { now } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import { SURGEON_ID } from "#shared/envelope";
import type { Proof } from "#shared/proof";
import type { Evidence } from "#shared/repair";
import type { JsonValue } from "#shared/schema";
import type { SlotEnd } from "#shared/store/cases";
import type { Disposal } from "#shared/store/queues";
import { paidAnswerField } from "#shared/ward";
import { claimCase } from "#shared/ward/moves";
import type { Attempt } from "#shared/ward/moves";
import { discharge, postpone, quarantine } from "../cases/case.ts";
import type { LeasedCase, RepairContext } from "../cases/case.ts";
import { judgeTrials } from "../recipes/judge-trial.ts";
import { learn } from "../recipes/learn.ts";
import type { Surgery } from "../surgery.ts";
import { findExposed } from "./find-exposed.ts";
import { firstAid, recipe } from "./free-procedures.ts";
import { endModelSlot, takeModelSlot } from "./model-slots.ts";
import { strongModel, strongModelRetry } from "./model/strong-model.ts";
import { operationOf } from "./procedure.ts";
import type { Objected, Procedure, Proposal } from "./procedure.ts";

/** Runs the ladder: the free procedures, then the model; records their attempts. */
export async function runLadder(leased: LeasedCase, context: RepairContext): Promise<Disposal> {
  const { surgery, stored } = leased;
  // Uses an answer that a crashed surgeon paid for, so that its price reaches the run.
  if (hasPaidAnswer(context)) return runPaid(leased, context, UNTRIED);
  const verdict = await tryFreeProcedures(surgery, context);
  if (verdict.kind === "wait") return settleVerdict(leased, context, verdict);
  await judgeTrials(surgery, stored.case_id, verdict.attempts);
  return verdict.kind === "healed"
    ? settleVerdict(leased, context, verdict)
    : runPaid(leased, context, verdict);
}

type Unhealed = Extract<Verdict, { kind: "unhealed" }>;

const UNTRIED: Unhealed = { kind: "unhealed", diagnosis: "", attempts: [] };

function hasPaidAnswer({ stored, operation }: RepairContext): boolean {
  return stored.fields[paidAnswerField(operation, 1)] !== undefined;
}

/** Asks the model once the group has a free slot, unless a recipe was learned in the meantime. */
async function runPaid(leased: LeasedCase, context: RepairContext, before: Unhealed): Promise<Disposal> {
  const { surgery, stored } = leased;
  const slot = await takeModelSlot(leased);
  if (slot === "parked" || slot === "return") return slot;
  if (slot === "lost") return "done";
  if (!hasPaidAnswer(context) && (await surgery.recipeCache.refresh())) {
    const again = await tryFreeProcedures(surgery, context);
    if (again.kind === "healed") {
      await judgeTrials(surgery, stored.case_id, again.attempts);
      await settleVerdict(leased, context, again);
      await endModelSlot(leased, { kind: "recipe" });
      return "done";
    }
  }
  const asked = await askModel(leased, context, before.attempts);
  if (asked === null) return "done";
  await settleVerdict(asked.leased, { ...context, stored: asked.leased.stored }, asked.verdict);
  await endModelSlot(leased, asked.ended);
  return "done";
}

/** Claims the case, tries paid procedures, learns from a proved repair. @returns null if the case has another job. */
async function askModel(
  leased: LeasedCase,
  context: RepairContext,
  before: readonly Attempt[],
): Promise<{ readonly verdict: Verdict; readonly leased: LeasedCase; readonly ended: SlotEnd } | null> {
  const { surgery, stored: from, fence, signal } = leased;
  crashPoint("W16:after_turn_before_claim");
  const stored = await claimCase(surgery.store, { from, by: SURGEON_ID, fence });
  if (stored === null) return null;
  crashPoint("W16:after_claim_before_question");
  const claimed = { ...context, stored };
  const verdict = await tryEach({ surgery, context: claimed, signal, before }, PAID);
  return { verdict, leased: { ...leased, stored }, ended: await endOf(surgery, claimed, verdict) };
}

async function endOf(surgery: Surgery, context: RepairContext, verdict: Verdict): Promise<SlotEnd> {
  if (verdict.kind === "wait") return { kind: "rest", untilMs: now() + verdict.delayMs, why: verdict.reason };
  if (verdict.kind === "unhealed") return { kind: "no_recipe" };
  const { value, recipe: proposed } = verdict;
  const isUsable = await learn(surgery, context, { value, proposed, by: SURGEON_ID });
  return { kind: isUsable ? "recipe" : "no_recipe" };
}

/** Ends a case by what the ladder came to: postpones, quarantines, or sends the repair. */
async function settleVerdict(leased: LeasedCase, context: RepairContext, verdict: Verdict): Promise<"done"> {
  switch (verdict.kind) {
    case "wait":
      return postpone(leased, verdict.delayMs, verdict.reason);
    case "unhealed":
      return quarantine(leased, verdict.diagnosis, { operation: operationOf(context, verdict.attempts) });
    case "healed":
      return sendRepair(leased, context, verdict);
    default:
      return verdict satisfies never;
  }
}

async function sendRepair(
  leased: LeasedCase,
  context: RepairContext,
  { value, attempts }: Extract<Verdict, { kind: "healed" }>,
): Promise<"done"> {
  const last = attempts.at(-1);
  const operation = operationOf(context, attempts);
  crashPoint("W16:before_verdict");
  const sent = await discharge(leased, context.message, {
    remedy: { value, ...(context.contractId === "" ? {} : { contract: context.contractId }) },
    kind: "discharged",
    by: SURGEON_ID,
    why: last?.reason ?? "",
    operation,
    detail: { procedure: last?.procedure ?? null },
  });
  // Proved, and yet no message can carry it: too large, or no key for its receiver.
  if (sent instanceof Error)
    return quarantine(leased, `The repair cannot be sent (${sent.code}).`, { operation });
  return "done";
}

/** The procedures in order, cheapest first. Triage comes before them, a person after them. */
const FREE: readonly Procedure[] = [recipe, firstAid];
const PAID: readonly Procedure[] = [strongModel, strongModelRetry];

/** The ladder's result. */
type Verdict =
  | {
      readonly kind: "healed";
      readonly value: JsonValue;
      readonly attempts: readonly Attempt[];
      /** A recipe that the procedure proposes for all such messages. Unchecked. */
      readonly recipe?: unknown;
    }
  | { readonly kind: "unhealed"; readonly diagnosis: string; readonly attempts: readonly Attempt[] }
  | { readonly kind: "wait"; readonly delayMs: number; readonly reason: string };

/** Tries the free procedures, in order, until a proposal is proved. Writes nothing. */
export function tryFreeProcedures(surgery: Surgery, context: RepairContext): Promise<Verdict> {
  return tryEach({ surgery, context, signal: surgery.stopping, before: [] }, FREE);
}

interface Ladder {
  readonly surgery: Surgery;
  readonly context: RepairContext;
  readonly signal: AbortSignal;
  /** The attempts so far. */
  readonly before: readonly Attempt[];
}

async function tryEach(
  { surgery, context, signal, before }: Ladder,
  procedures: readonly Procedure[],
): Promise<Verdict> {
  const attempts = [...before];
  let objected: Objected | null = null;
  for (const procedure of procedures) {
    const startedMs = now();
    const proposal: Proposal | null = await procedure.propose(surgery, context, { signal, objected });
    objected = null;
    if (proposal === null) continue;
    if (proposal.kind === "wait") return proposal;
    const made = { procedure, proposal, durationMs: now() - startedMs };
    if (proposal.kind === "refusal") {
      attempts.push(toAttempt(made, null));
      continue;
    }
    const { value } = proposal;
    const proof = withObjections(proposal.proof, findExposed(context, value));
    const healed = isHealed(context, proof);
    attempts.push(toAttempt(made, proof, healed));
    if (healed) return { kind: "healed", value, attempts, recipe: proposal.recipe };
    if (!proof.passes) objected = { by: procedure.name, value, objections: proof.objections };
  }
  return { kind: "unhealed", diagnosis: diagnose(attempts), attempts };
}

function withObjections(proof: Proof, more: Proof["objections"]): Proof {
  return more.length === 0 ? proof : { ...proof, passes: false, objections: [...proof.objections, ...more] };
}

/** A proposal without a change is no repair: the message would fail again. */
function isHealed(context: RepairContext, proof: Proof): boolean {
  const isUnchanged = context.value !== undefined && proof.diff.length === 0;
  const isText =
    context.message.record.subject.kind === "answer" ||
    typeof context.message.envelope.data_payload === "string";
  return proof.passes && (isText || !isUnchanged);
}

/** Maximum number of values, and of unused pieces, of a recorded evidence. */
const EVIDENCE_MAX = 100;

/** Returns the evidence of the values that do not stand in the text as they are. */
function changedIn({ values, unused }: Evidence): Evidence {
  const changed = values.filter(({ rules }) => !rules.includes("as_written"));
  return { values: changed.slice(0, EVIDENCE_MAX), unused: unused.slice(0, EVIDENCE_MAX) };
}

type Repair = Exclude<Proposal, { kind: "wait" }>;

function toAttempt(
  made: { readonly procedure: Procedure; readonly proposal: Repair; readonly durationMs: number },
  proof: Proof | null,
  healed = false,
): Attempt {
  const { procedure, proposal, durationMs } = made;
  const isIdle = proof?.passes === true && !healed;
  return {
    procedure: procedure.name,
    outcome: healed ? "healed" : proof === null || isIdle ? "refused" : "objected",
    reason: isIdle ? "Its proposal changes nothing." : proposal.reason,
    diff: proof?.diff ?? [],
    provenance: proof?.provenance ?? [],
    objections: proof?.objections ?? [],
    ...(proof?.evidence === undefined ? {} : { evidence: changedIn(proof.evidence) }),
    ...proposal.bill,
    duration_ms: durationMs,
    ...(proposal.said === undefined ? {} : { said: proposal.said }),
    ...(proposal.kind === "repair" ? recipeOf(proposal) : {}),
  };
}

function recipeOf({
  recipeId,
  isOnTrial,
}: Repair & { kind: "repair" }): Pick<Attempt, "recipe_id" | "on_trial"> {
  if (recipeId === undefined) return {};
  return { recipe_id: recipeId, ...(isOnTrial === true ? { on_trial: true } : {}) };
}

/** The text for a person: the last objection, else all refusals. */
function diagnose(attempts: readonly Attempt[]): string {
  const objected = attempts.findLast((attempt) => attempt.outcome === "objected");
  if (objected !== undefined) {
    const codes = [...new Set(objected.objections.map((objection) => objection.code))].join(", ");
    return `What ${objected.procedure} proposes was not proved (${codes}); it is kept for a person to look at.`;
  }
  return attempts
    .map((attempt) => `${attempt.procedure}: ${attempt.reason}`)
    .join(" ")
    .slice(0, 2000);
}
