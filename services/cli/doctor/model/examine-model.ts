import type { ReasoningEffort } from "#shared/config";
import { ModelInputRefusedError, ModelMisconfiguredError, ModelRequestRefusedError } from "#shared/model";
import type { Probed, ProbeRequest } from "#shared/model/probe";
import { firstAid } from "#shared/repair";
import {
  askAtLength,
  askBeyond,
  askByTool,
  askBySchema,
  askInJsonMode,
  askPlainly,
  askWithPicture,
  SCHEMA,
  SHORT_TOKENS,
} from "./question.ts";
import type { Ground } from "./question.ts";
import { FEATURES } from "./report.ts";
import type { Feature, FeatureState, Latency, ModelReport } from "./report.ts";

/** Sends a request within the limits of cost and time; null where they are reached. */
export type Ask = (request: ProbeRequest, streams?: boolean) => Promise<Probed | null>;

const LATENCY_CALLS = 5;
const WORDS = ["ready", "table", "window", "garden", "letter"];

/** Asks one model what it takes, one request for each part. @param effort - To ask with. */
export async function examineModel(
  model: string,
  { ask, effort }: { readonly ask: Ask; readonly effort: ReasoningEffort },
): Promise<ModelReport> {
  const seen = new Seen(model);
  const ground = await findGround(seen, ask);
  if (ground === null) return seen.report(null, null);
  const judge = async (feature: Feature, request: ProbeRequest, streams = false): Promise<void> => {
    seen.note(feature, stateOf(await seen.keep(ask(request, streams)), feature));
  };
  await judge("strict schema", askBySchema(ground, true));
  await judge("loose schema", askBySchema(ground, false));
  await judge("JSON mode", askInJsonMode(ground));
  await judge("tool call", askByTool(ground));
  await judge("temperature", { ...askPlainly(ground), temperature: 0.2 });
  await judge("reasoning_effort", { ...askPlainly(ground), reasoning_effort: effort });
  await judge("pictures", askWithPicture(ground));
  await judge("streaming", askPlainly(ground), true);
  const latency = await measure(seen, { ask, ground });
  return seen.report(ground, latency);
}

/** Finds how a request has to be written for an answer to come at all. */
async function findGround(seen: Seen, ask: Ask): Promise<Ground | null> {
  let ground: Ground = { takesSystem: true, limit: null };
  let first = await seen.keep(ask(askPlainly(ground)));
  if (first !== null && !first.ok && isAbout(first.error, "messages")) {
    seen.note("system role", "refused");
    ground = { ...ground, takesSystem: false };
    first = await seen.keep(ask(askPlainly(ground)));
  } else if (first?.ok === true) seen.note("system role", "yes");
  if (first === null || !first.ok) {
    seen.fail(first);
    return null;
  }
  seen.notePlain(isGood(first));
  for (const limit of ["max_completion_tokens", "max_tokens"] as const) {
    const reply = await seen.keep(ask(askBeyond(ground, limit)));
    const state = stateOf(reply, limit);
    seen.note(limit, state);
    if (state === "yes" && ground.limit === null) ground = { ...ground, limit };
  }
  return ground;
}

async function measure(
  seen: Seen,
  { ask, ground }: { readonly ask: Ask; readonly ground: Ground },
): Promise<Latency | null> {
  const times: number[] = [];
  let cached = 0;
  for (const word of WORDS.slice(0, LATENCY_CALLS)) {
    const reply = await seen.keep(ask(askAtLength(ground, word, seen.isStrict)));
    if (reply?.ok !== true) continue;
    times.push(reply.durationMs);
    cached = Math.max(cached, reply.usage.cached_tokens ?? 0);
    seen.note("usage fields", reply.reportsUsage ? "yes" : "unread");
  }
  if (times.length === 0) return null;
  seen.note("cached tokens", cached > 0 ? "yes" : "unread");
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return { calls: times.length, p50: at(0.5), p95: at(0.95) };
}

/** What was seen of one model so far. */
class Seen {
  private readonly model: string;
  private readonly states = new Map<Feature, FeatureState>();
  private isPlainGood = false;
  private reasoning: number | null = null;
  private problem: ModelReport["problem"] = null;

  constructor(model: string) {
    this.model = model;
  }

  note(feature: Feature, state: FeatureState): void {
    this.states.set(feature, state);
  }

  notePlain(isGoodAnswer: boolean): void {
    this.isPlainGood = isGoodAnswer;
  }

  get isStrict(): boolean {
    return this.states.get("strict schema") === "yes";
  }

  /** Learns from a reply whether the model reasons. */
  async keep(replying: Promise<Probed | null>): Promise<Probed | null> {
    const reply = await replying;
    if (reply?.ok !== true) return reply;
    const tokens = reply.usage.reasoning_tokens ?? Math.ceil(reply.thoughts / 4);
    if (tokens > 0) this.reasoning = Math.max(this.reasoning ?? 0, tokens);
    return reply;
  }

  fail(reply: Probed | null): void {
    this.problem =
      reply === null || reply.ok
        ? { code: "NOT_ASKED", message: "The limits of cost or time were reached.", remedy: "Raise them." }
        : { code: reply.error.code, message: reply.error.message, remedy: reply.error.remedy };
  }

  report(ground: Ground | null, latency: Latency | null): ModelReport {
    // Every feature gets a state.
    const features = Object.fromEntries(
      FEATURES.map((feature) => [feature, this.states.get(feature) ?? "not_asked"]),
      // The keys are those of FEATURES.
    ) as Record<Feature, FeatureState>;
    const ways = ["strict schema", "loose schema", "JSON mode", "tool call"] as const;
    const way = ways.find((one) => features[one] === "yes") ?? (this.isPlainGood ? "prompt" : null);
    const answersBy = ground === null ? null : way;
    const noJson = {
      code: "NO_JSON",
      message: "It answers, and in no form with the JSON that it was asked for.",
      remedy: "Configure another model in SUTURE_MODEL_*.",
    };
    return {
      model: this.model,
      features,
      answersBy,
      reasoningTokens: this.reasoning,
      latency,
      problem: this.problem ?? (answersBy === null ? noJson : null),
    };
  }
}

/** Returns true for a refusal that names a part of the request. */
function isAbout(error: unknown, parameter: string): boolean {
  return error instanceof ModelMisconfiguredError && error.parameter === parameter;
}

function isRefusal(error: unknown): boolean {
  return (
    (error instanceof ModelMisconfiguredError && error.parameter !== null && error.parameter !== "model") ||
    error instanceof ModelRequestRefusedError ||
    error instanceof ModelInputRefusedError
  );
}

/** Features whose effect shows in the answer's form. */
const OF_FORM: readonly Feature[] = ["strict schema", "loose schema", "JSON mode", "tool call"];

function stateOf(reply: Probed | null, feature: Feature): FeatureState {
  if (reply === null) return "not_asked";
  if (!reply.ok) return isRefusal(reply.error) ? "refused" : "failed";
  if (feature === "max_completion_tokens" || feature === "max_tokens") {
    const isCut = reply.completion.finish === "length" || reply.usage.output_tokens <= SHORT_TOKENS;
    return isCut ? "yes" : "unread";
  }
  if (feature === "streaming") return reply.pieces > 0 ? "yes" : "unread";
  return !OF_FORM.includes(feature) || isGood(reply) ? "yes" : "unread";
}

function isGood(reply: Extract<Probed, { readonly ok: true }>): boolean {
  return firstAid(reply.completion.text, SCHEMA).ok;
}
