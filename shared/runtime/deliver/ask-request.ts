import type { Contract } from "#shared/contract";
import type { RequestedCall, ToolRound } from "#shared/model";
import type { ModelRequest } from "../define/model-request.ts";
import type { Tool } from "../tools/define-tool.ts";
import type { PromptRoom } from "../tools/tool-room.ts";
import type { Delivery, Message } from "./delivery.ts";
import type { Shortened } from "./after-time-out.ts";

/** A call of `ctx.model`, and where it is made. */
export interface AskRequest<C extends Contract> {
  readonly delivery: Delivery & { readonly message: Message };
  readonly step: string;
  readonly request: ModelRequest<C>;
  readonly signal: AbortSignal;
  readonly assertOpen: () => void;
  /** Room for what tools give, where the prompt has a budget. Default: any. */
  readonly room?: PromptRoom;
}

/** A model call as recorded in the ledger: its cost and its answer. */
export interface MadeCall {
  readonly text: string;
  readonly model: string;
  readonly cost: number;
  readonly tokens: number;
  /** SHA-256 of the request: a recorded call is reused only for the same one. */
  readonly asked: string;
  /** Why there is none: too large, or of no use to its endpoint. Its text is "" and its cost an upper bound. */
  readonly problem?: string;
  /** The model came to the end of its tokens. */
  readonly isCutOff?: boolean;
  /** The model ended it by itself. */
  readonly isWhole?: boolean;
  /** Tokens to ask for where it is asked again with more room. */
  readonly higherLimit?: number;
  /** Tool calls that it asked for instead of answering. */
  readonly calls?: readonly RequestedCall[];
  readonly toolsBy?: "calls" | "prompt";
  /** What told the call from others with the same instructions. */
  readonly perspective?: string;
  /** Parts of the input that were sent shorter, because the call had timed out before. */
  readonly shortened?: readonly Shortened[];
}

/** One request of a step: `t1` and on with tools on offer, then `1` for an answer, `2` after an unusable one. */
export interface Round {
  readonly name: string;
  readonly tools?: readonly Tool[];
  readonly exchange: readonly ToolRound[];
  readonly reask?: { readonly previousAnswer: string; readonly problems: string };
  /** Set where the round's answer was cut off: the tokens to ask for, and how often they were raised. */
  readonly room?: { readonly tokens: number; readonly nth: number };
}

/** Returns a recorded model call. */
export function readCall(text: string): MadeCall {
  // Written by `keep` of `model-step.ts`, behind the fence.
  return JSON.parse(text) as MadeCall;
}
