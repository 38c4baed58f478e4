import { escapeStep, isRecord } from "#shared/json";
import { SENSITIVE_MASK } from "#shared/masking";
import type { RunMask } from "#shared/masking";
import { restoreInput } from "./recorded-input.ts";
import type { RecordedInput } from "./recorded-input.ts";

/**
 * Returns the input of a model call as people see it under a mask: what came from the message as its contract says, and
 * nothing of what has no contract. Undefined where a reference leads nowhere.
 *
 * @param message.payload - As it is, unmasked; undefined if it is not kept.
 */
export function showInput(
  input: Pick<RecordedInput, "value" | "refs">,
  message: { readonly payload: unknown; readonly contract: string },
  mask: RunMask,
): unknown {
  const { payload, contract } = message;
  if (mask.isClear) return restoreInput(input, payload);
  const masked = payload === undefined ? undefined : mask.payload(payload, contract);
  return maskNames(restoreInput(input, masked, mask.unknown), mask);
}

/** Masks member names that no contract declares: they may be data. */
function maskNames(value: unknown, mask: RunMask): unknown {
  if (Array.isArray(value)) return value.map((item) => maskNames(item, mask));
  if (!isRecord(value)) return value;
  let hidden = 0;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isDeclared = mask.paths([`/${escapeStep(key)}`])[0] === `/${escapeStep(key)}`;
      if (!isDeclared) hidden += 1;
      // Numbered, so that hidden members stay apart.
      return [isDeclared ? key : `${SENSITIVE_MASK} ${hidden}`, maskNames(inner, mask)];
    }),
  );
}
