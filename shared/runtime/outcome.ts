import type { Contract } from "#shared/contract";
import type { Failure } from "#shared/errors";
import type { CaseSubject } from "#shared/ward";
import type { HandoffDraft } from "./define-agent.ts";

/** What handling one message led to. A closed list: `settle` answers every member. */
export type Outcome =
  /** The branch ends with a result. */
  | { readonly kind: "completed"; readonly result: unknown }
  /** The work goes on elsewhere. */
  | { readonly kind: "handed_off"; readonly handoffs: readonly CheckedHandoff[] }
  /** The agent cannot take it; somebody else may. */
  | { readonly kind: "rejected"; readonly reason: string }
  /** It did not work. The route is chosen when it is settled. */
  | {
      readonly kind: "failed";
      readonly failure: Failure;
      readonly subject: CaseSubject;
      /** The contract that the subject should satisfy. Null: nothing was read that has one. */
      readonly contract: Contract | null;
      /** What a server asked us to wait, in ms. */
      readonly retryAfterMs: number | null;
    };

/** A handoff with the verdict on its payload: a bad one goes to the ward, and its sender's work stays done. */
export interface CheckedHandoff {
  readonly draft: HandoffDraft;
  readonly failure: Failure | null;
}
