import type { Contract } from "#shared/contract";
import type { Branch } from "#shared/envelope";
import type { Failure } from "#shared/errors";
import type { Collected } from "#shared/store/fan-outs";
import type { CollectedBranch } from "#shared/store/settlement";
import type { CaseSubject } from "#shared/ward";
import type { FanOutDraft, HandoffDraft } from "../define/define-agent.ts";

/** What handling one message led to. A closed list: `settle` answers every member. */
export type Outcome =
  /** The branch ends with a result. */
  | { readonly kind: "completed"; readonly result: unknown }
  /** The work goes on elsewhere. */
  | { readonly kind: "handed_off"; readonly handoffs: readonly CheckedHandoff[] }
  /** The work goes on in many places, and comes together again in one. */
  | { readonly kind: "fanned_out"; readonly fanOut: CheckedFanOut }
  /** A branch of a fan-out has come back to its join, which was let go before or will be. */
  | {
      readonly kind: "collected";
      /** Null: an isolated agent leaves the count to a relay. */
      readonly as: Collected["as"] | null;
      readonly branch: Branch;
      readonly brought: CollectedBranch;
    }
  /** The branch of the run fails here, as its author declared. */
  | { readonly kind: "gave_up"; readonly failure: Failure }
  /** Another cluster has it. */
  | { readonly kind: "carried"; readonly cluster: string }
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

/** A fan-out whose branches were looked at one by one. Its join's payload keeps the contract. */
export interface CheckedFanOut extends Omit<FanOutDraft, "branches"> {
  readonly branches: readonly CheckedHandoff[];
}
