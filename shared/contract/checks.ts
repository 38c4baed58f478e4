import type { Issue } from "#shared/errors";

/** Returns an issue at `path` where a value stands there twice. */
export function checkDistinct(values: readonly unknown[], path: string): Issue[] {
  return new Set(values).size === values.length
    ? []
    : [{ path, code: "named_twice", message: "each of them is named once" }];
}

/** Returns an issue at `path` for each id that was asked about and has not exactly one answer. */
export function checkAnswered(asked: readonly string[], answered: readonly string[], path: string): Issue[] {
  return asked
    .filter((id) => answered.filter((one) => one === id).length !== 1)
    .map((id) => ({ path, code: "missing_answer", message: `there has to be one answer to ${id}` }));
}

/** Returns a text in one form of Unicode and with single blanks, so that words are found across line breaks. */
export function flatten(text: string): string {
  return text.normalize("NFC").replaceAll(/\s+/g, " ").trim();
}
