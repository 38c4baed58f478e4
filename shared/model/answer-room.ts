import type { ModelReasoning } from "#shared/config";
import { kept } from "#shared/json";
import { buildRequest } from "./build-request.ts";
import type { BuiltRequest } from "./build-request.ts";
import { ModelInputRefusedError, ModelMisconfiguredError } from "./errors.ts";
import type { CallCost, ModelCall, ModelTier } from "./model-client.ts";
import { costAtMost, TOKENS_OUT_UNLIMITED } from "./prices.ts";
import type { PriceTable } from "./prices.ts";
import { reportedReasoning } from "./read-completion.ts";
import type { Completion } from "./read-completion.ts";
import { FULL_FORM } from "./request-form.ts";
import type { RequestForm } from "./request-form.ts";

interface Known {
  /** It reasons before it answers: reasoning is counted as part of its answers. */
  reasons: boolean;
  /** The most tokens that its endpoint is known to allow an answer. */
  limitMax: number;
}

interface Asked {
  readonly model: string;
  readonly call: Pick<ModelCall, "tokensMax" | "room" | "effort">;
  readonly reasoning: ModelReasoning;
  readonly tokensMax: number;
}

export interface RoomOptions {
  readonly models: Readonly<Record<ModelTier, string>>;
  /** By tier. Default: no effort is sent, and no budget for reasoning added. */
  readonly reasoning?: Readonly<Partial<Record<ModelTier, ModelReasoning>>>;
  /** Most tokens of an answer that is asked for again because it was cut off. Default 32,768. */
  readonly answerTokensMax?: number;
}

/**
 * Returns what finds how many tokens each answer may have: the call's own budget, and the tier's reasoning budget where
 * the model reasons. That is learned from answers, from the effort that is set, and remembered by the process.
 */
export function openRooms({ models, reasoning = {}, answerTokensMax: tokensMax = 32_768 }: RoomOptions) {
  const known = new Map<string, Known>();
  return (call: Asked["call"] & Pick<ModelCall, "tier" | "model">): RoomedCall => {
    const { tier, model = models[tier] } = call;
    const found = kept(known, model, () => ({ reasons: false, limitMax: Infinity }));
    const asked = { model, call, reasoning: reasoning[tier] ?? { effort: null, tokens: 0 }, tokensMax };
    return new RoomedCall(found, asked);
  };
}

/** The room of one call. */
export class RoomedCall {
  private readonly known: Known;
  private readonly asked: Asked;
  /** The bound that was refused although the call's own would do, with its field; null while none was. */
  private refused: { readonly limit: number; readonly field: RequestForm["limit"] } | null = null;
  private isTooLong = false;

  constructor(known: Known, asked: Asked) {
    this.known = known;
    this.asked = asked;
  }

  /** Tokens of reasoning that are to be expected with a form. */
  reasoningIn(form: RequestForm): number {
    const { call, reasoning } = this.asked;
    const { effort = reasoning.effort } = call;
    const isAsked = effort !== null && effort !== "none" && form.takesEffort;
    return this.known.reasons || isAsked ? reasoning.tokens : 0;
  }

  /** Returns the bound of an answer in tokens; undefined where the call has none. */
  limitIn(form: RequestForm): number | undefined {
    const { tokensMax: own, room = 0 } = this.asked.call;
    if (own === undefined) return room === 0 ? undefined : this.within(room, 0);
    if (this.isTooLong || (this.refused !== null && this.refused.field === form.limit)) return own;
    return this.within(Math.max(own + this.reasoningIn(form), room), own);
  }

  /** The most tokens that the answer can have, as far as is known before it is asked for. */
  get most(): number {
    return this.limitIn(FULL_FORM) ?? TOKENS_OUT_UNLIMITED + this.reasoningIn(FULL_FORM);
  }

  private within(limit: number, own: number): number {
    return Math.max(own, Math.min(limit, this.known.limitMax));
  }

  /** Builds the call's request in a form. */
  build(call: ModelCall, form: RequestForm): BuiltRequest {
    const { effort = this.asked.reasoning.effort } = this.asked.call;
    const limit = this.limitIn(form);
    const roomed = {
      ...call,
      ...(limit === undefined ? {} : { tokensMax: limit }),
      ...(effort === null ? {} : { effort }),
    };
    return buildRequest(roomed, this.asked.model, form);
  }

  /** Returns what says what the call costs at most. */
  costAtMost(call: ModelCall, form: RequestForm, prices: PriceTable): () => CallCost {
    const { model } = this.asked;
    const request = this.build(call, form);
    return () => costAtMost(request, { model, prices, reasoning: this.reasoningIn(form) });
  }

  /** Returns true when a refusal speaks of added room: the request is sent again without; no fault of the input. */
  isRefusedFor(failure: unknown, form: RequestForm): boolean {
    const { tokensMax: own = 0 } = this.asked.call;
    const limit = this.limitIn(form);
    if (limit === undefined || limit <= own || own === 0 || form.limit === null) return false;
    if (failure instanceof ModelInputRefusedError && failure.reason === "too_long") {
      this.isTooLong = true;
      return true;
    }
    if (!(failure instanceof ModelMisconfiguredError) || failure.parameter !== form.limit) return false;
    this.refused = { limit, field: form.limit };
    return true;
  }

  /** Learns from an answer. */
  answered(form: RequestForm, completion: Completion, thoughts: number): void {
    if (thoughts > 0 || reportedReasoning(completion.usage) > 0) this.known.reasons = true;
    const { refused } = this;
    if (refused?.field === form.limit)
      this.known.limitMax = Math.min(this.known.limitMax, Math.floor(refused.limit / 2));
  }

  /**
   * Returns the tokens to ask again with for a cut-off answer: twice, or what reasoning needs; undefined for no more.
   * @param had - What the answer was limited to, or how long it was where the request had no bound.
   */
  moreThan(form: RequestForm, had: number): number | undefined {
    if (form.limit === null || this.isTooLong) return undefined;
    const { call, tokensMax } = this.asked;
    const needed = (call.tokensMax ?? TOKENS_OUT_UNLIMITED) + this.reasoningIn(form);
    const more = Math.min(Math.max(had * 2, needed), tokensMax, this.known.limitMax);
    return more > had ? more : undefined;
  }
}
