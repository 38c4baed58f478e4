import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { JsonSchema } from "#shared/json";
import type { Repair, Repairer } from "./judge-answers.ts";

/** Only what is called here; the peers are no dependency of the product, so their own types are not at hand. */
interface Modules {
  readonly jsonrepair: { jsonrepair(text: string): string };
  readonly portOfJsonRepair: { loads(text: string): unknown };
  readonly llmRepair: { parseFromLLM(text: string, options: { mode: "repair" }): unknown };
  readonly jsonc: { parse(text: string, errors: unknown[], options: { allowTrailingComma: true }): unknown };
  readonly partial: { parse(text: string): unknown };
  readonly ai: { parsePartialJson(text: string): Promise<{ value: unknown }> };
  readonly langchain: { JsonOutputParser: new () => { parse(text: string): Promise<unknown> } };
  readonly Ajv: new (options: object) => { compile(schema: object): (value: unknown) => boolean };
}

const PACKAGES = {
  jsonrepair: "jsonrepair",
  portOfJsonRepair: "json-repair-js",
  llmRepair: "json-llm-repair",
  jsonc: "jsonc-parser",
  partial: "partial-json",
  ai: "ai",
  langchain: "@langchain/core/output_parsers",
} as const;

/** Each package read as its own documentation shows; none where they are not installed. */
export async function loadPeers(): Promise<Repairer[]> {
  if (!existsSync(new URL("./peers/node_modules", import.meta.url))) return [];
  const repairs = repairsOf(await importAll());
  return Object.entries(repairs).map(([name, repair]) => ({ name, repair }));
}

async function importAll(): Promise<Modules> {
  const require = createRequire(new URL("./peers/package.json", import.meta.url));
  const load = async (name: string): Promise<Record<string, unknown>> => {
    const module: Record<string, unknown> = await import(pathToFileURL(require.resolve(name)).href);
    const inner = module["default"];
    // CommonJS modules come as the default of a module, and some of those hold a default again.
    return { default: inner, ...(typeof inner === "object" ? inner : undefined), ...without(module, inner) };
  };
  const loaded = await Promise.all(
    Object.entries(PACKAGES).map(async ([key, name]) => [key, await load(name)] as const),
  );
  const ajv = await load("ajv/dist/2020.js");
  const modules: unknown = { ...Object.fromEntries(loaded), Ajv: ajv["Ajv2020"] };
  // Each has what the documentation of its exact version names.
  return modules as Modules;
}

/** A module's names; its default only where that is no object, whose own names count. */
function without(module: Record<string, unknown>, inner: unknown): Record<string, unknown> {
  const names = Object.entries(module).filter(([name]) => name !== "default" || typeof inner !== "object");
  return Object.fromEntries(names);
}

function repairsOf(modules: Modules): Record<string, Repair> {
  const mended = (input: string): unknown => JSON.parse(modules.jsonrepair.jsonrepair(input));
  const coerce = coercion(modules.Ajv);
  return {
    jsonrepair: mended,
    "jsonrepair + ajv coercion": (input, schema) => coerce(mended(input), schema),
    "naive pipeline": (input, schema) => coerce(naive(input, mended), schema),
    "json-repair-js (port of json_repair)": (input) => modules.portOfJsonRepair.loads(input),
    "json-llm-repair": (input) => modules.llmRepair.parseFromLLM(input, { mode: "repair" }),
    "jsonc-parser": (input) => modules.jsonc.parse(input, [], { allowTrailingComma: true }),
    "partial-json": (input) => modules.partial.parse(input),
    ai: async (input) => (await modules.ai.parsePartialJson(input)).value,
    "@langchain/core": (input) => new modules.langchain.JsonOutputParser().parse(input),
  };
}

/** Parses as a careful application does: the text, else its fence, else what its outermost brackets hold, mended. */
function naive(input: string, mended: (text: string) => unknown): unknown {
  const fence = /```(?:json)?\s*([^]*?)```/i.exec(input)?.[1];
  const brackets = /[[{][^]*[\]}]/.exec(input)?.[0];
  for (const text of [input, fence, brackets]) {
    try {
      if (text !== undefined) return JSON.parse(text);
    } catch {
      // The next of the three may do.
    }
  }
  return mended(fence ?? brackets ?? input);
}

/** Coerces types with ajv where plain validation fails. */
function coercion(Ajv: Modules["Ajv"]): (value: unknown, schema: JsonSchema | undefined) => unknown {
  const plain = new Ajv({ strict: false, logger: false, validateFormats: false });
  const coercing = new Ajv({
    strict: false,
    logger: false,
    validateFormats: false,
    coerceTypes: "array",
    useDefaults: true,
  });
  const known = new WeakMap<
    JsonSchema,
    { fits: (value: unknown) => boolean; coerces: (value: unknown) => boolean }
  >();
  return (value, schema) => {
    if (schema === undefined) return value;
    const made = known.get(schema) ?? {
      fits: plain.compile({ ...schema, $schema: undefined }),
      coerces: coercing.compile({ ...schema, $schema: undefined }),
    };
    known.set(schema, made);
    if (made.fits(value)) return value;
    // Coercion writes into its argument.
    const holder = structuredClone(value);
    return made.coerces(holder) ? holder : undefined;
  };
}
