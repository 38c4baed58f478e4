import { now } from "#shared/clock";
import type { Proof } from "#shared/proof";
import type { Evidence } from "#shared/repair";
import type { JsonValue } from "#shared/schema";
import { proveRepair } from "#shared/ward";
import type { Attempt } from "#shared/ward/moves";
import type { RepairContext } from "../cases/repair-context.ts";
import type { Surgery } from "../surgery.ts";
import { findExposed } from "./find-exposed.ts";
import { firstAid } from "./first-aid.ts";
import { strongModelRetry, strongModel } from "./model/strong-model.ts";
import type { Objected, Procedure, Proposal } from "./procedure.ts";
import { recipe } from "./recipe.ts";

/** The procedures in order, cheapest first. Triage comes before them, a person after them. */
const FREE: readonly Procedure[] = [recipe, firstAid];
const PAID: readonly Procedure[] = [strongModel, strongModelRetry];

/** The ladder's result. */
export type Verdict =
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

/** Tries the paid procedures. @param tried.before - The attempts so far. */
export function tryPaidProcedures(
  surgery: Surgery,
  context: RepairContext,
  tried: { readonly before: readonly Attempt[]; readonly signal: AbortSignal },
): Promise<Verdict> {
  return tryEach({ surgery, context, ...tried }, PAID);
}

interface Ladder {
  readonly surgery: Surgery;
  readonly context: RepairContext;
  readonly signal: AbortSignal;
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
    const { value, steps = [] } = proposal;
    const proved = proposal.proof ?? proveRepair(context, { value, provenAs: procedure.provenAs, steps });
    const proof = withObjections(proved, findExposed(context, value));
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
