/** What a model's endpoint may do instead of answering well. */
export const MODEL_FAULTS = [
  "rate_limited",
  "server_error",
  "html",
  "hang",
  "drip",
  "truncated",
  "fenced",
  "wrong_schema",
] as const;

export type ModelFault = (typeof MODEL_FAULTS)[number];
