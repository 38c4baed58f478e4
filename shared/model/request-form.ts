/** Ways to ask for the form of an answer, best first. */
export const ANSWER_MODES = ["schema", "json_mode", "tool_call", "prompt"] as const;

export type AnswerMode = (typeof ANSWER_MODES)[number];

/**
 * Something that an endpoint does not do for a model. `strict_schema`: it takes no schema that it has to enforce;
 * `loose_schema`: none that is a hint; `reading_schema`: it takes one and does not show it to the model. `system_role`:
 * its template takes no system message, or no two messages of one role in a row; `tools`: no tools that the model may
 * choose from; `strict_tools`: none whose arguments it has to enforce. `stream`: it does not stream its answers;
 * `stream_tools`: none beside tools; `stream_usage`: it reports no tokens in a stream.
 */
export type Lack =
  | "strict_schema"
  | "loose_schema"
  | "reading_schema"
  | "json_mode"
  | "tool_call"
  | "max_completion_tokens"
  | "max_tokens"
  | "temperature"
  | "reasoning_effort"
  | "tools"
  | "strict_tools"
  | "system_role"
  | "stream"
  | "stream_tools"
  | "stream_usage";

/** The form in which a call is sent. */
export interface RequestForm {
  readonly mode: AnswerMode;
  /** The instructions hold the schema, too. */
  readonly isSpelledOut: boolean;
  /** The field that bounds the answer; null where the endpoint takes none. */
  readonly limit: "max_completion_tokens" | "max_tokens" | null;
  readonly takesTemperature: boolean;
  readonly takesEffort: boolean;
  readonly takesSystem: boolean;
  /** Way in which tools are offered. A template that knows no system knows no tools either. */
  readonly toolsBy: "calls" | "prompt";
  readonly takesStrictTools: boolean;
  readonly takesStream: boolean;
  readonly takesStreamedTools: boolean;
  readonly takesStreamedUsage: boolean;
}

/** Returns the best form of a call that an endpoint takes. */
export function formWithout(lacks: ReadonlySet<Lack>, isStrict: boolean): RequestForm {
  const refusing: Readonly<Record<Exclude<AnswerMode, "prompt">, Lack>> = {
    schema: isStrict ? "strict_schema" : "loose_schema",
    json_mode: "json_mode",
    tool_call: "tool_call",
  };
  const mode = ANSWER_MODES.find((one) => one === "prompt" || !lacks.has(refusing[one])) ?? "prompt";
  return {
    mode,
    isSpelledOut:
      mode === "json_mode" || mode === "prompt" || (mode === "schema" && lacks.has("reading_schema")),
    limit: (["max_completion_tokens", "max_tokens"] as const).find((one) => !lacks.has(one)) ?? null,
    takesTemperature: !lacks.has("temperature"),
    takesEffort: !lacks.has("reasoning_effort"),
    takesSystem: !lacks.has("system_role"),
    toolsBy: lacks.has("tools") || lacks.has("system_role") ? "prompt" : "calls",
    takesStrictTools: !lacks.has("strict_tools"),
    takesStream: !lacks.has("stream"),
    takesStreamedTools: !lacks.has("stream_tools"),
    takesStreamedUsage: !lacks.has("stream_usage"),
  };
}

/** The form of a call to an endpoint of which nothing is known. */
export const FULL_FORM: RequestForm = formWithout(new Set(), true);

/** Parameters that we send, as endpoints name them: a refusal that names one is about our request's form. */
export const PARAMETERS = [
  "model",
  "messages",
  "response_format",
  "tools",
  "max_completion_tokens",
  "max_tokens",
  "temperature",
  "reasoning_effort",
  "stream",
  "stream_options",
] as const;

export type RefusedParameter = (typeof PARAMETERS)[number];
