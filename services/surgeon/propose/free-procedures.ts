import { isApprovalStep } from "#shared/context";
import type { FailureClass } from "#shared/errors";
import { proposeByRecipes, proposeByRules } from "#shared/recipes";
import { faultsOf } from "../cases/case.ts";
import type { RepairContext } from "../cases/case.ts";
import { recipeScope } from "../recipes/load-recipes.ts";
import { isFor, producerOf } from "../recipes/recipe-cache.ts";
import type { UsableRecipe } from "../recipes/recipe-cache.ts";
import type { Surgery } from "../surgery.ts";
import { FREE, refuse } from "./procedure.ts";
import type { Procedure, Proposal } from "./procedure.ts";

/** `operate`: run the ladder; `resend`: send unchanged; `person`: quarantine, with the text for the person. */
type Triage =
  | { readonly kind: "operate" | "resend" }
  | { readonly kind: "person"; readonly diagnosis: string };

/** `repair`: the ladder; `check`: the ladder, if the contract is broken; any other text: quarantine, diagnosed so. */
const REMEDIES: Readonly<Record<FailureClass, "repair" | "check" | { readonly diagnosis: string }>> = {
  parse_error: "repair",
  validation_error: "repair",
  content_error: "repair",
  handler_error: "check",
  timeout: "check",
  transient: "check",
  unavailable: "check",
  rate_limited: "check",
  untrusted: { diagnosis: "It is not from who it says it is." },
  unsafe: { diagnosis: "The guard found something in it that must not be acted on." },
  expired: { diagnosis: "Its time was over. A release runs it now, with a fresh life." },
  hop_limit: { diagnosis: "It was handed on too often." },
  loop_detected: { diagnosis: "It came back to an agent that had it before." },
  budget_exceeded: { diagnosis: "Its run has spent its budget." },
  cancelled: { diagnosis: "Its run was cancelled." },
  crash_loop: { diagnosis: "Its worker died again and again." },
  unsupported_version: { diagnosis: "No worker knows its version." },
  rejected: { diagnosis: "No agent takes it." },
};

/** Decides whether a repair of the payload, a resend or a person can help. Pure. */
export function triage(context: RepairContext): Triage {
  const { subject } = context.message.record;
  if (subject.kind === "answer" && isApprovalStep(subject.step))
    return { kind: "person", diagnosis: "Only a person may say whether the call may be made." };
  const failureClass = context.message.record.failures[0]?.failure_class ?? "handler_error";
  const remedy = REMEDIES[failureClass];
  if (typeof remedy === "object") return { kind: "person", ...remedy };
  if (remedy === "repair" || faultsOf(context).length > 0) return { kind: "operate" };
  if (failureClass !== "handler_error") return { kind: "resend" };
  return {
    kind: "person",
    diagnosis:
      "The agent's code failed; the payload keeps its contract, so there is nothing to repair in it.",
  };
}

/** Applies the fingerprint's trusted recipes, else its producer's on trial, else those that the team ships. */
export const recipe: Procedure = {
  name: "recipe",
  async propose(surgery: Surgery, context: RepairContext): Promise<Proposal> {
    const { agent, contract } = context.message.record;
    const producer = producerOf(context.message);
    const lists: UsableRecipe[][] = [];
    for (const bound of [context.stored.fingerprint, recipeScope({ agent, contract })]) {
      const usable = (await surgery.recipeCache.of(bound)).filter((one) => isFor(one, producer));
      for (const state of ["trusted", "trial"]) lists.push(usable.filter((one) => one.state === state));
    }
    const found = proposeByRecipes(context, lists);
    if (found.kind === "refusal") return refuse(found.reason);
    const { by, value, proof } = found;
    const isOnTrial = by.state === "trial";
    const reason = isOnTrial ? "A recipe on trial." : "A trusted recipe.";
    return { kind: "repair", reason, bill: FREE, recipeId: by.recipe_id, isOnTrial, value, proof };
  },
};

/** Deterministic repair of syntax and shape: no model, no cost, no guess. */
export const firstAid: Procedure = {
  name: "first_aid",
  async propose(_surgery: Surgery, context: RepairContext): Promise<Proposal> {
    const found = proposeByRules(context);
    if (found.kind === "refusal") return refuse(found.reason);
    const { value, proof, notes } = found;
    const steps = [...new Set(notes.map((note) => note.step))].join(", ");
    return { kind: "repair", value, reason: steps === "" ? "As it stands." : steps, bill: FREE, proof };
  },
};
