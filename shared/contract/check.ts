import type { z } from "zod";
import type { Issue } from "#shared/errors";
import { compileSchema } from "#shared/compiled-schema";
import { pointerStep } from "#shared/json";
import type { Contract, ContractOutput } from "./contract.ts";
import { PayloadContentError, PayloadInvalidError } from "./errors.ts";

/** Issues that one error names; a list of wrong items would otherwise give as many as it has items. */
const ISSUES_MAX = 100;

/** Zod's issues as ours: one for every fault up to 100, with its JSON pointer. Unknown keys are named one by one. */
export function toIssues(error: z.ZodError, under = ""): Issue[] {
  return error.issues.slice(0, ISSUES_MAX).flatMap((issue) => {
    const path = under + issue.path.map(pointerStep).join("");
    if (issue.code === "unrecognized_keys") {
      return issue.keys.slice(0, ISSUES_MAX).map((key) => ({
        path: path + pointerStep(key),
        code: "unknown_field",
        message: "this field is not part of the contract",
      }));
    }
    return [{ path, code: issue.code, message: issue.message }];
  });
}

/**
 * Checks a payload against its contract's schema, then its semantic check.
 * @param under - JSON pointer of the payload inside what the reader sees. Default: "".
 * @throws {PayloadInvalidError} with every fault of form. {PayloadContentError} with every fault of meaning.
 */
export function checkPayload<C extends Contract>(
  contract: C,
  payload: unknown,
  under = "",
): ContractOutput<C> {
  // The quick yes where it can be had; the parser otherwise, for its faults and for an output of another form.
  const isFit = compileSchema(contract.schema)?.(payload) === true;
  const parsed = isFit ? ({ success: true, data: payload } as const) : contract.schema.safeParse(payload);
  if (!parsed.success) throw new PayloadInvalidError(contract.id, toIssues(parsed.error, under));
  const faults = contract.options.check?.(parsed.data) ?? [];
  const found = faults.map((issue) => ({ ...issue, path: under + issue.path }));
  if (found.length > 0) throw new PayloadContentError(contract.id, found);
  // safeParse of the contract's own schema gives its output type; zod's generic form loses that over `C["schema"]`.
  return parsed.data as ContractOutput<C>;
}

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
