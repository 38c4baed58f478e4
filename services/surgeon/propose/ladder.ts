import { now } from "#shared/clock";
import type { Proof } from "#shared/proof";
import type { JsonValue } from "#shared/schema";
import type { Attempt } from "#shared/ward";
import type { Patient } from "../cases/repair-context.ts";
import { proveRepair } from "../prove/prove-repair.ts";
import type { Surgery } from "../surgery.ts";
import { firstAid } from "./first-aid.ts";
import { secondLook, strongModel } from "./model/strong-model.ts";
import type { Objected, Procedure, Proposal } from "./procedure.ts";
import { recipe } from "./recipe.ts";

/**
 * The order, cheapest first, in two parts: what costs and touches nothing, and what is paid for. Triage stands before
 * them, a person after them.
 */
const FREE_RUNGS: readonly Procedure[] = [recipe, firstAid];
const PAID_RUNGS: readonly Procedure[] = [strongModel, secondLook];

/** What the ladder came to. */
export type Verdict =
  | {
      readonly kind: "healed";
      readonly value: JsonValue;
      readonly attempts: readonly Attempt[];
      /** What the healer says would repair every such letter. Of any form. */
      readonly recipe?: unknown;
    }
  | { readonly kind: "unhealed"; readonly diagnosis: string; readonly attempts: readonly Attempt[] }
  | { readonly kind: "wait"; readonly delayMs: number; readonly reason: string };

/**
 * Tries the rungs that cost nothing and touch nothing, one after the other, until a proposal is proved. Whoever
 * proposes, the proof decides.
 */
export function climbFreely(surgery: Surgery, patient: Patient): Promise<Verdict> {
  return tryEach({ surgery, patient, signal: surgery.stopping, before: [] }, FREE_RUNGS);
}

/** Goes on with the rungs that are paid for. @param before - What was tried so far. */
export function climbOn(
  surgery: Surgery,
  patient: Patient,
  tried: { readonly before: readonly Attempt[]; readonly signal: AbortSignal },
): Promise<Verdict> {
  return tryEach({ surgery, patient, ...tried }, PAID_RUNGS);
}

interface Table {
  readonly surgery: Surgery;
  readonly patient: Patient;
  readonly signal: AbortSignal;
  readonly before: readonly Attempt[];
}

async function tryEach(table: Table, rungs: readonly Procedure[]): Promise<Verdict> {
  const { surgery, patient, signal } = table;
  const attempts = [...table.before];
  let objected: Objected | null = null;
  for (const procedure of rungs) {
    const startedMs = now();
    const proposal: Proposal | null = await procedure.propose(surgery, patient, { signal, objected });
    objected = null;
    if (proposal === null) continue;
    if (proposal.kind === "wait") return proposal;
    const told = { procedure, proposal, durationMs: now() - startedMs };
    if (proposal.kind === "refusal") {
      attempts.push(toAttempt(told, null));
      continue;
    }
    const { value } = proposal;
    const proof = proposal.proof ?? proveRepair(patient, { value, provenAs: procedure.provenAs });
    const healed = isHealed(patient, proof);
    attempts.push(toAttempt(told, proof, healed));
    if (healed) return { kind: "healed", value, attempts, recipe: proposal.recipe };
    if (!proof.passes) objected = { by: procedure.name, value, objections: proof.objections };
  }
  return { kind: "unhealed", diagnosis: diagnose(attempts), attempts };
}

/** A proposal that changes nothing heals nothing: the same letter would die again. */
function isHealed(patient: Patient, proof: Proof): boolean {
  const isUnchanged = patient.value !== undefined && proof.diff.length === 0;
  const isText =
    patient.letter.record.subject.kind === "answer" ||
    typeof patient.letter.envelope.data_payload === "string";
  return proof.passes && (isText || !isUnchanged);
}

type Repair = Exclude<Proposal, { kind: "wait" }>;

function toAttempt(
  told: { readonly procedure: Procedure; readonly proposal: Repair; readonly durationMs: number },
  proof: Proof | null,
  healed = false,
): Attempt {
  const { procedure, proposal, durationMs } = told;
  const isIdle = proof?.passes === true && !healed;
  return {
    procedure: procedure.name,
    outcome: healed ? "healed" : proof === null || isIdle ? "refused" : "objected",
    reason: isIdle ? "Its proposal changes nothing." : proposal.reason,
    diff: proof?.diff ?? [],
    provenance: proof?.provenance ?? [],
    objections: proof?.objections ?? [],
    ...proposal.bill,
    duration_ms: durationMs,
    ...(proposal.said === undefined ? {} : { said: proposal.said }),
    ...(proposal.examples === undefined ? {} : { examples: proposal.examples }),
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

/** What a person reads first: the last objection counts for more than any refusal. */
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
