import { z } from "zod";
import { isRecord, readJson } from "#shared/json";

const WORDS_MAX = 4_000;

/** An endpoint's account of a failure, in OpenAI's terms whatever its own are. Unchecked words: they go no further. */
interface ErrorBody {
  readonly message: string;
  readonly type: string | null;
  readonly code: string | null;
  /** The part of our request that it names, as a path with dots. */
  readonly param: string | null;
  /** Wait that it asks for in the body, in milliseconds. Null: none. */
  readonly retryAfterMs: number | null;
}

/** The type of an error that lists, in FastAPI's way, what of a request breaks its form. */
export const VALIDATION = "request_validation";

const NOTHING: ErrorBody = { message: "", type: null, code: null, param: null, retryAfterMs: null };

const word = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .catch(null);
const issueSchema = z.object({
  type: word,
  loc: z.array(z.union([z.string(), z.number()])).catch([]),
  msg: z.string().catch(""),
});
const googleDetailSchema = z.object({
  retryDelay: z.string().optional().catch(undefined),
  fieldViolations: z
    .array(z.object({ field: z.string().optional().catch(undefined) }))
    .optional()
    .catch(undefined),
});
const errorSchema = z.object({
  message: z.unknown().optional(),
  type: word,
  status: word,
  code: word,
  param: word,
  detail: z.unknown().optional(),
  failed_generation: z.unknown().optional(),
  metadata: z.object({ raw: z.string().optional() }).optional().catch(undefined),
  details: z.array(googleDetailSchema.catch({})).optional().catch(undefined),
});

/**
 * Reads the body of a failed response: OpenAI's object, in an array (Google), without `error` (vLLM, Mistral), a string
 * (Ollama), FastAPI's `detail`, a router's (OpenRouter), and plain text. Never throws.
 */
export function readErrorBody(text: string): ErrorBody {
  return readValue(readJson(text), 0) ?? { ...NOTHING, message: text.slice(0, WORDS_MAX) };
}

function readValue(value: unknown, depth: number): ErrorBody | null {
  if (depth > 4) return null;
  if (typeof value === "string") return readText(value, depth);
  if (Array.isArray(value)) {
    const [first]: readonly unknown[] = value;
    return isRecord(first) && "loc" in first ? readIssues(value) : readValue(first, depth + 1);
  }
  if (typeof value !== "object" || value === null) return null;
  if ("error" in value && value.error !== null) return readValue(value.error, depth + 1);
  const parsed = errorSchema.safeParse(value);
  return parsed.success ? readObject(parsed.data, depth) : null;
}

function readObject(error: z.infer<typeof errorSchema>, depth: number): ErrorBody | null {
  // A router of many endpoints passes on in `metadata` what one of them said.
  const passedOn = readValue(readJson(error.metadata?.raw ?? ""), depth + 1);
  if (passedOn !== null) return passedOn;
  const within = readValue(error.detail ?? error.message, depth + 1);
  if (within === null && (error.type ?? error.code ?? error.status ?? null) === null) return null;
  if (within?.type === VALIDATION) return within;
  const google = error.details ?? [];
  const violated = google.flatMap(({ fieldViolations = [] }) => fieldViolations.map(({ field }) => field));
  return {
    message: within?.message ?? "",
    type: error.type ?? error.status ?? null,
    code: error.code ?? (error.failed_generation === undefined ? null : "failed_generation"),
    param: error.param ?? violated.find((field) => field !== undefined && field !== "") ?? null,
    retryAfterMs: secondsOf(google.find(({ retryDelay }) => retryDelay !== undefined)?.retryDelay),
  };
}

/** Words, which may hold the details of what was refused as JSON. */
function readText(text: string, depth: number): ErrorBody {
  const start = text.slice(0, 1);
  const inner = start === "{" || start === "[" ? readValue(readJson(text), depth + 1) : null;
  return inner ?? { ...NOTHING, message: text.slice(0, WORDS_MAX) };
}

/** FastAPI quotes the input in each issue: only places and messages are read. */
function readIssues(value: readonly unknown[]): ErrorBody {
  const issues = value.flatMap((one) => issueSchema.safeParse(one).data ?? []);
  const [first] = issues;
  const path = (first?.loc ?? []).filter((step) => step !== "body" && step !== "");
  return {
    ...NOTHING,
    message: issues
      .map(({ msg }) => msg)
      .join("\n")
      .slice(0, WORDS_MAX),
    type: VALIDATION,
    code: first?.type ?? null,
    param: path.length === 0 ? null : path.join("."),
  };
}

function secondsOf(delay: string | undefined): number | null {
  const found = /^(\d{1,7}(?:\.\d{1,9})?)s$/.exec(delay ?? "");
  return found === null ? null : Math.ceil(Number(found[1]) * 1_000);
}
