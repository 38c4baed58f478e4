import type { Contract, SemanticCheck } from "#shared/contract";
import type { z } from "zod";

/** Returns a contract with a further check, one that knows the text which this answer is about. */
export function withCheck<Schema extends z.ZodType>(
  contract: Contract<Schema>,
  check: SemanticCheck<z.output<Schema>>,
): Contract<Schema> {
  const { check: own } = contract.options;
  return {
    ...contract,
    options: { ...contract.options, check: (answer) => [...(own?.(answer) ?? []), ...check(answer)] },
  };
}
