import type { Contract, ContractOutput } from "#shared/contract";

/** What somebody else answered, or why they did not, and what they say that it cost. */
export type RemoteReply = RemoteCost & ({ readonly text: string } | { readonly failed: string });

interface RemoteCost {
  /** USD. */
  readonly cost: number;
  readonly tokens: number;
}

/** Where a question to somebody else stands. */
export interface RemoteCall {
  /** Aborted on timeout, lost lock and shutdown. */
  readonly signal: AbortSignal;
  /** Returns true once the run has been cancelled. */
  isCancelled(): Promise<boolean>;
}

/** A question to somebody else than a model, such as an agent of another operator. */
export interface RemoteRequest<C extends Contract> {
  /** Contract of the answer. List it in the agent's `answers`. */
  readonly answers: C;
  /** Who is asked, for the ward and its statistics: part of the producer's name. */
  readonly from: string;
  /** Label of everything that is done after the answer was read, as of text from outside. */
  readonly taint: string;
  /** Asks. Called again by a later delivery if it throws. */
  ask(call: RemoteCall): Promise<RemoteReply>;
}

/** The answer; or why the remote side failed. `isNew`: this delivery learned it, and no record of an earlier one. */
export type RemoteAnswer<C extends Contract> =
  | { readonly ok: true; readonly value: ContractOutput<C> }
  | { readonly ok: false; readonly failed: string; readonly isNew: boolean };
