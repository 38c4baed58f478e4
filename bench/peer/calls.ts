import type { Driven } from "./drive.ts";
import type { PeerName, PeerOptions } from "./peer.ts";

/** The calls to a peer's process: each with its argument and its answer. */
export interface Calls {
  open: [PeerOptions & { readonly peer: PeerName }, void];
  /** Starts the agents. */
  work: [null, void];
  drive: [LoadRequest, Load];
  /** CPU time of the process since it began, in ms. */
  cpu: [null, number];
  /** Makes the process report every end of a run that it sees. */
  reportEnds: [null, void];
  /** Passes ends that another process reported to this one. */
  applyEnds: [readonly string[], void];
  close: [null, void];
}

export type CallName = keyof Calls;

export interface LoadRequest {
  readonly runs: number;
  /** Runs under way at once. */
  readonly outstanding: number;
}

export interface Load extends Driven {
  /** CPU time of this process: agents and the driver that submits. */
  readonly nodeCpuMs: number;
}

/** As it travels between the processes. */
export interface CallMessage {
  readonly id: number;
  readonly call: CallName;
  readonly argument: unknown;
  readonly timeoutMs: number;
}

/** Ids of runs that have ended. */
export interface EndsMessage {
  readonly ended: readonly string[];
}

export type AnswerMessage =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly problem: string };
