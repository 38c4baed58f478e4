import type { JsonSchema } from "#shared/json";
import type { JsonValue } from "#shared/schema";
import type { Proof, ProofInput } from "../proof.ts";
import { prove } from "../prove.ts";

/** For tests: the place and the code of each objection. */
export const codesOf = ({ objections }: Proof): [string, string][] =>
  objections.map(({ path, code }) => [path, code]);

/** For tests: proofs of a model's repairs under a schema, with a second reader who reads the same. */
export function proving(schema: JsonSchema, sources: ProofInput["sources"] = {}) {
  return (original: JsonValue | string, repaired: JsonValue, more: Partial<ProofInput> = {}): Proof =>
    prove({
      original:
        typeof original === "string"
          ? { text: original }
          : { text: JSON.stringify(original), value: original },
      repaired,
      schema,
      sources,
      procedure: "model",
      second: { value: repaired, quotes: more.quotes ?? [] },
      ...more,
    });
}
