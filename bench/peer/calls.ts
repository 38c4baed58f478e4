import type { Driven } from "./drive.ts";
import type { PeerName, PeerOptions } from "./peer.ts";

/** The calls to a peer's process: each with its argument and its answer. Another checkout's process hears the same. */
export interface Calls {
  open: [PeerOptions & { readonly peer: PeerName }, void];
  /** Starts the agents. */
  work: [null, void];
  drive: [LoadRequest, Load];
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

export type AnswerMessage =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly problem: string };
