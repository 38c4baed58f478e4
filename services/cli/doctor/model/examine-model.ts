import type { ReasoningEffort } from "#shared/config";
import { ModelInputRefusedError, ModelMisconfiguredError, ModelRequestRefusedError } from "#shared/model";
import type { Probed, ProbeRequest } from "#shared/model/probe";
import { firstAid } from "#shared/repair";
import { askPlainly, GROUNDS, questionsFor, SCHEMA } from "./question.ts";

/**
 * `yes`: taken, and acted on as far as an answer shows. `refused`: the endpoint says no. `unread`: taken, and not
 * acted on. `failed`: the request failed for another reason. `not_asked`: the limits of cost or time were reached.
 */
export type FeatureState = "yes" | "refused" | "unread" | "failed" | "not_asked";

/** Ways to an answer with JSON, the best first. */
const WAYS = ["strict schema", "loose schema", "JSON mode", "tool call"] as const;
export const FEATURES = [
  "system role",
  "max_completion_tokens",
  ...WAYS,
  "reasoning_effort",
  "streaming",
] as const;

export type Feature = (typeof FEATURES)[number];

/** What was found of one model. */
export interface ModelReport {
  readonly model: string;
  readonly features: Readonly<Record<Feature, FeatureState>>;
  /** The best way by which an answer came; null where none did, and no team can run. */
  readonly answersBy: (typeof WAYS)[number] | "prompt" | null;
  /** Most tokens of reasoning in one answer; null for a model that was not seen to reason. */
  readonly reasoningTokens: number | null;
  /** Of the slowest answer, in ms; null for none. */
  readonly slowestMs: number | null;
  /** Why no answer came: what is wrong, and what to do. */
  readonly problem: { readonly code: string; readonly message: string; readonly remedy: string } | null;
}

/** Sends a request within the limits of cost and time; null where they are reached. */
export type Ask = (request: ProbeRequest, streams?: boolean) => Promise<Probed | null>;

/** Asks one model what it takes, one request for each part. @param effort - To ask with. */
export async function examineModel(
  model: string,
  { ask, effort }: { readonly ask: Ask; readonly effort: ReasoningEffort },
): Promise<ModelReport> {
  const features: Partial<Record<Feature, FeatureState>> = {};
  const answers: Extract<Probed, { readonly ok: true }>[] = [];
  const send: Ask = async (request, streams) => {
    const reply = await ask(request, streams);
    if (reply?.ok === true) answers.push(reply);
    return reply;
  };
  const { ground, first } = await findGround(send);
  const isAnswering = first?.ok === true;
  if (isAnswering) {
    features["system role"] = ground.takesSystem ? "yes" : "refused";
    features["max_completion_tokens"] = ground.limit === "max_completion_tokens" ? "yes" : "refused";
    const questions = questionsFor(ground, effort);
    for (const feature of [...WAYS, "reasoning_effort", "streaming"] as const)
      features[feature] = stateOf(feature, await send(questions[feature], feature === "streaming"));
  }
  const byPrompt = isAnswering && isGood(first) ? "prompt" : null;
  const answersBy = WAYS.find((way) => features[way] === "yes") ?? byPrompt;
  const thoughts = answers.map(({ usage, thoughts: own }) => usage.reasoning_tokens ?? Math.ceil(own / 4));
  const reasoning = Math.max(0, ...thoughts);
  return {
    model,
    features: Object.fromEntries(
      FEATURES.map((feature) => [feature, features[feature] ?? "not_asked"]),
      // Every feature gets a state; the keys are those of FEATURES.
    ) as Record<Feature, FeatureState>,
    answersBy,
    reasoningTokens: reasoning > 0 ? reasoning : null,
    slowestMs: isAnswering ? Math.max(...answers.map(({ durationMs }) => durationMs)) : null,
    problem: answersBy === null ? problemOf(first) : null,
  };
}

/** Finds how a request has to be written for an answer to come at all. */
async function findGround(ask: Ask) {
  let [ground] = GROUNDS as readonly [(typeof GROUNDS)[number]];
  let first: Probed | null = null;
  for (ground of GROUNDS) {
    first = await ask(askPlainly(ground));
    if (first === null || first.ok || !isRefusal(first.error)) break;
  }
  return { ground, first };
}

function problemOf(reply: Probed | null): NonNullable<ModelReport["problem"]> {
  if (reply === null)
    return { code: "NOT_ASKED", message: "The limits of cost or time were reached.", remedy: "Raise them." };
  if (!reply.ok) {
    const { code, message, remedy } = reply.error;
    return { code, message, remedy };
  }
  return {
    code: "NO_JSON",
    message: "It answers, and in no form with the JSON that it was asked for.",
    remedy: "Configure another model in SUTURE_MODEL_*.",
  };
}

/** Returns true for a refusal of the request's form. */
function isRefusal(error: unknown): boolean {
  return (
    (error instanceof ModelMisconfiguredError && error.parameter !== null && error.parameter !== "model") ||
    error instanceof ModelRequestRefusedError ||
    error instanceof ModelInputRefusedError
  );
}

function stateOf(feature: Feature, reply: Probed | null): FeatureState {
  if (reply === null) return "not_asked";
  if (!reply.ok) return isRefusal(reply.error) ? "refused" : "failed";
  if (feature === "streaming") return reply.pieces > 0 ? "yes" : "unread";
  return feature === "reasoning_effort" || isGood(reply) ? "yes" : "unread";
}

function isGood(reply: Extract<Probed, { readonly ok: true }>): boolean {
  return firstAid(reply.completion.text, SCHEMA).ok;
}
