import { z } from "zod";
import type { Issue } from "#shared/errors";
import type { ModelTier } from "#shared/model";
import type { Delivery } from "../deliver/delivery.ts";

/** Preferences that every team takes. */
export const RUN_PREFERENCES = z.object({
  /** Model of the tier `worker` for all steps of the run, of those that the operator allows. */
  user_chat_model: z.string().max(200).optional(),
});

/** Returns the fault of a preferred model that the operator does not allow. */
export function findModelFault(
  preferences: Readonly<Record<string, unknown>>,
  allowed: readonly string[],
): Issue[] {
  const { user_chat_model: wanted } = preferences;
  if (wanted === undefined || allowed.some((one) => one === wanted)) return [];
  const message = `may be one of: ${allowed.join(", ") || "none (SUTURE_USER_MODELS)"}`;
  return [{ path: "/user/preferences/user_chat_model", code: "not_allowed", message }];
}

/**
 * Returns the model that a message's user prefers, for steps of the tier `worker`. One that is not allowed, or not any
 * more, is not asked: the tier's own is.
 */
export function preferredModel(
  { place, message }: Pick<Delivery, "place" | "message">,
  tier: ModelTier,
): string | undefined {
  if (tier !== "worker") return undefined;
  const wanted = message?.envelope.user_context.preferences["user_chat_model"];
  return place.limits.userModels.find((one) => one === wanted);
}
