import type { CountTokens } from "#shared/context";
import type { Contract } from "#shared/contract";
import { checkBudget } from "#shared/envelope/limits";
import type { ModelImage, ModelTier, RequestedCall, ToolRound } from "#shared/model";
import type { ModelRequest, ReferredImage } from "../define/handler-context.ts";
import type { Tool } from "../tools/define-tool.ts";
import type { Shortened } from "./after-time-out.ts";
import type { Delivery, Message } from "./delivery.ts";

/** Room in a step's prompt, in tokens, beside what it holds anyway. */
export interface PromptRoom {
  readonly tokens: number;
  readonly count: CountTokens;
}

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
  /** Reason for which there is none: too large, or unusable. Its text is "" then, its cost an upper bound. */
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
  /** Addition that told the call from others with the same instructions. */
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

/** Returns the model tier of a step: the step's own, else the agent's. */
export function tierOf({ place }: Delivery, asked: ModelTier | undefined): ModelTier {
  return asked ?? place.agent.options.tier ?? "worker";
}

/** Returns the name of the model that a step asks. */
export function modelOf(delivery: Delivery, asked: ModelTier | undefined): string {
  const tier = tierOf(delivery, asked);
  return preferredModel(delivery, tier) ?? delivery.place.model.modelFor(tier);
}

/** Returns the model that the message's user prefers, for the tier `worker`, if it is (still) allowed. */
export function preferredModel(
  { place, message }: Pick<Delivery, "place" | "message">,
  tier: ModelTier,
): string | undefined {
  if (tier !== "worker") return undefined;
  const wanted = message?.envelope.user_context.preferences["user_chat_model"];
  return place.limits.userModels.find((one) => one === wanted);
}

/** Refuses a call without budget left: a limit of 0 allows none. @param next - What it costs at least. Default: 0. */
export function assertAffordable(
  delivery: Pick<Delivery, "message" | "spent">,
  next = { cost: 0, tokens: 0 },
): void {
  const billing = delivery.message?.envelope.billing;
  if (billing === undefined) return;
  const { cost, tokens } = delivery.spent.known;
  checkBudget(
    {
      ...billing,
      cost_so_far: billing.cost_so_far + cost,
      tokens_consumed: billing.tokens_consumed + tokens,
    },
    next,
  );
}

/** Reads pictures for one call, one after another. */
export async function readImages(
  images: readonly ReferredImage[],
  signal: AbortSignal,
): Promise<ModelImage[]> {
  const loaded: ModelImage[] = [];
  for (const image of images) loaded.push({ mimeType: image.mimeType, bytes: await image.read(signal) });
  return loaded;
}
