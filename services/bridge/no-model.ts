import type { ModelClient } from "#shared/model";
import { NoModelError } from "./errors.ts";

/** A model client that refuses every call: the runtime requires one, and a bridge calls no model. */
export const NO_MODEL: ModelClient = {
  rehearsal: false,
  endpoint: "",
  modelFor: () => "none",
  roomOf: () => 0,
  ask: () => Promise.reject(new NoModelError()),
  close: () => undefined,
};
