import type { ModelClient } from "#shared/model";
import { NoModelError } from "./errors.ts";

/** A bridge carries and asks no model; the runtime wants to be given one. */
export const NO_MODEL: ModelClient = {
  rehearsal: false,
  endpoint: "",
  modelFor: () => "none",
  ask: () => Promise.reject(new NoModelError()),
  close: () => undefined,
};
