/** What a model's endpoint may do instead of answering well. */
export const MODEL_FAULTS = [
  "rate_limited",
  "rate_limited_bare",
  "overloaded",
  "server_error",
  "html",
  "hang",
  "drip",
  "truncated",
  "huge",
  "fenced",
  "wrong_schema",
] as const;

export type ModelFault = (typeof MODEL_FAULTS)[number];
