import { redactText, redactValue } from "#shared/guard";
import type { Content } from "../run-steps.ts";

/** A longer value is cut in a list, in characters of its JSON text. */
const CONTENT_CHARS_MAX = 8192;

/** A value that is not shown, and why. */
export function noContent(state: Exclude<Content["state"], "whole" | "cut" | "partly_kept">): Content {
  return { state, chars: null, value: null, text: null, contract: null };
}

/**
 * Returns a value as it is shown: without keys, tokens and passwords, whoever asks, and cut unless all of it is wanted.
 *
 * @param value - Masked before, as the caller may see it.
 */
export function toContent(
  value: unknown,
  { contract, isWhole }: { readonly contract: string | null; readonly isWhole: boolean },
): Content {
  const shown = withoutSecrets(value ?? null);
  const text = JSON.stringify(shown);
  const { length: chars } = text;
  if (isWhole || chars <= CONTENT_CHARS_MAX)
    return { state: "whole", chars, value: shown, text: null, contract };
  return {
    state: "cut",
    chars,
    value: null,
    text: text.slice(0, CONTENT_CHARS_MAX).toWellFormed(),
    contract,
  };
}

/** Returns the beginning of a value of which no more was recorded. @param chars - Length of all of it. */
export function toHead(head: string, chars: number): Content {
  const text = redactText(head, ["secret"]).text.slice(0, CONTENT_CHARS_MAX).toWellFormed();
  return { state: "partly_kept", chars, value: null, text, contract: null };
}

function withoutSecrets(value: unknown): unknown {
  return redactValue(value, ["secret"]).value;
}
