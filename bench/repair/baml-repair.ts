import type { JsonSchema } from "#shared/json";
import type { JsonValue } from "#shared/schema";
import { BAML_FUNCTION, fromBaml, toBaml } from "./to-baml.ts";
import type { BamlContract } from "./to-baml.ts";

interface Runtime {
  createContextManager(): object;
  parseLlmResponse(
    name: string,
    response: string,
    allowsPartials: boolean,
    context: object,
    ...unused: [null, null, object]
  ): JsonValue;
}

/** What is called of BAML's native module. */
export interface BamlModule {
  readonly BamlRuntime: { fromFiles(root: string, files: object, environment: object): Runtime };
}

/** Parses as BAML parses a model's response, by the same contract in BAML's own language. Refuses without one. */
export function bamlRepair({
  BamlRuntime,
}: BamlModule): (input: string, schema: JsonSchema | undefined) => unknown {
  const compiled = new WeakMap<JsonSchema, { contract: BamlContract; runtime: Runtime; context: object }>();
  const compile = (schema: JsonSchema): { contract: BamlContract; runtime: Runtime; context: object } => {
    const contract = toBaml(schema);
    const runtime = BamlRuntime.fromFiles("baml_src", { "main.baml": contract.source }, {});
    return { contract, runtime, context: runtime.createContextManager() };
  };
  return (input, schema) => {
    if (schema === undefined) return undefined;
    const known = compiled.get(schema) ?? compile(schema);
    compiled.set(schema, known);
    const value = known.runtime.parseLlmResponse(BAML_FUNCTION, input, false, known.context, null, null, {});
    return fromBaml(value, known.contract.members);
  };
}
