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

/** How a model's endpoint may be away for everybody. */
export const MODEL_OUTAGES = ["429", "500", "503", "reset", "hang"] as const;

export type ModelOutage = (typeof MODEL_OUTAGES)[number];
