import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { JsonSchema } from "#shared/contract";
import type { JsonValue } from "#shared/schema";

/** Reads a damaged text; what it gives is validated afterwards. Throws or gives undefined where it refuses. */
export type Repair = (input: string, schema: JsonSchema | undefined) => unknown;

export interface Peer {
  readonly name: string;
  /** Undefined where the peers are not installed. */
  readonly repair: Repair | undefined;
}

const NAMES = [
  "json5",
  "jsonrepair",
  "jsonrepair + ajv coercion",
  "naive pipeline",
  "json-llm-repair",
  "dirty-json",
  "partial-json",
  "best-effort-json-parser",
  "ai",
  "@langchain/core",
] as const;

type Name = (typeof NAMES)[number];

/** Only what is called here; the peers are no dependency of the product, so their own types are not at hand. */
interface Modules {
  readonly json5: { parse(text: string): unknown };
  readonly jsonrepair: { jsonrepair(text: string): string };
  readonly llmRepair: { parseFromLLM(text: string, options: { mode: "repair" }): unknown };
  readonly dirty: { parse(text: string): unknown };
  readonly partial: { parse(text: string): unknown };
  readonly bestEffort: { parse(text: string): unknown; disableErrorLogging(): void };
  readonly ai: { parsePartialJson(text: string): Promise<{ value: unknown }> };
  readonly langchain: { JsonOutputParser: new () => { parse(text: string): Promise<unknown> } };
  readonly Ajv: new (options: object) => { compile(schema: object): (value: unknown) => boolean };
}

/** The packages of the research page, each read as its own documentation shows; without repair where not installed. */
export async function loadPeers(): Promise<Peer[]> {
  const modules = existsSync(new URL("./peers/node_modules", import.meta.url))
    ? await importAll()
    : undefined;
  const repairs = modules === undefined ? undefined : repairsOf(modules);
  modules?.bestEffort.disableErrorLogging();
  return NAMES.map((name) => ({ name, repair: repairs?.[name] }));
}

async function importAll(): Promise<Modules> {
  const require = createRequire(new URL("./peers/package.json", import.meta.url));
  const load = async (name: string): Promise<Record<string, unknown>> => {
    const module: Record<string, unknown> = await import(pathToFileURL(require.resolve(name)).href);
    // CommonJS modules come as the default of a module.
    return { ...(module["default"] as Record<string, unknown> | undefined), ...module };
  };
  const [json5, jsonrepair, llmRepair, dirty, partial, bestEffort, ai, langchain, ajv] = await Promise.all(
    [
      "json5",
      "jsonrepair",
      "json-llm-repair",
      "dirty-json",
      "partial-json",
      "best-effort-json-parser",
      "ai",
      "@langchain/core/output_parsers",
      "ajv/dist/2020.js",
    ].map(load),
  );
  const modules: unknown = {
    json5,
    jsonrepair,
    llmRepair,
    dirty,
    partial,
    bestEffort,
    ai,
    langchain,
    Ajv: ajv?.["Ajv2020"],
  };
  return modules as Modules;
}

function repairsOf(modules: Modules): Record<Name, Repair> {
  const mended = (input: string): unknown => JSON.parse(modules.jsonrepair.jsonrepair(input));
  const coerce = coercion(modules.Ajv);
  return {
    json5: (input) => modules.json5.parse(input),
    jsonrepair: mended,
    "jsonrepair + ajv coercion": (input, schema) => coerce(mended(input), schema),
    "naive pipeline": (input, schema) => coerce(naive(input, mended), schema),
    "json-llm-repair": (input) => modules.llmRepair.parseFromLLM(input, { mode: "repair" }),
    "dirty-json": (input) => modules.dirty.parse(input),
    "partial-json": (input) => modules.partial.parse(input),
    "best-effort-json-parser": (input) => modules.bestEffort.parse(input),
    ai: async (input) => (await modules.ai.parsePartialJson(input)).value,
    "@langchain/core": (input) => new modules.langchain.JsonOutputParser().parse(input),
  };
}

/** What a careful application writes: the text, else its fence, else what its outermost brackets hold, mended. */
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

/** Whether a peer's answer is JSON at all. */
export function isJson(value: unknown): value is JsonValue {
  try {
    return value !== undefined && JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}
