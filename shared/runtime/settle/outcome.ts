import type { Contract } from "#shared/contract";
import type { Branch } from "#shared/envelope";
import type { Failure } from "#shared/errors";
import type { Collected } from "#shared/store/fan-outs";
import type { CaseSubject } from "#shared/ward";
import type { FanOutDraft, HandoffDraft } from "../define/handler-outcome.ts";

/** Outcome of handling one message. A closed list: `settle` handles every member. */
export type Outcome =
  /** The branch of the run ends with a result. */
  | { readonly kind: "completed"; readonly result: unknown }
  /** The work continues at other agents. */
  | { readonly kind: "handed_off"; readonly handoffs: readonly CheckedHandoff[] }
  /** The work continues in several branches, which come together at a join. */
  | { readonly kind: "fanned_out"; readonly fanOut: CheckedFanOut }
  /** A branch of a fan-out returned to its join. */
  | {
      readonly kind: "collected";
      readonly as: Collected;
      readonly branch: Branch;
    }
  /** The branch of the run fails here, as declared. */
  | { readonly kind: "gave_up"; readonly failure: Failure }
  /** The agent rejects it; another one may accept it. */
  | { readonly kind: "rejected"; readonly reason: string }
  /** It failed. The route is chosen when it is settled. */
  | {
      readonly kind: "failed";
      readonly failure: Failure;
      readonly subject: CaseSubject;
      /** Contract of the subject. Null: nothing with a contract was read. */
      readonly contract: Contract | null;
      /** Retry-After of a server, in ms. */
      readonly retryAfterMs: number | null;
    };

/**
 * A handoff with the verdict on its payload: a malformed one goes to the ward, and its sender's work counts as done.
 */
export interface CheckedHandoff {
  readonly draft: HandoffDraft;
  readonly failure: Failure | null;
}

/** A fan-out whose branches were checked one by one. The join's payload matches its contract. */
export interface CheckedFanOut extends Omit<FanOutDraft, "branches"> {
  readonly branches: readonly CheckedHandoff[];
}
