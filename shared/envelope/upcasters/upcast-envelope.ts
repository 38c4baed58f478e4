import { isRecord } from "#shared/json";
import { ENVELOPE_SCHEMA_VERSION } from "../envelope.ts";
import { EnvelopeInvalidError, EnvelopeVersionUnsupportedError } from "../errors.ts";
import { liftFrom0To1 } from "./from-0-to-1.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The step at index n upcasts schema n to n + 1. A new schema adds one step and one golden file. */
const STEPS: readonly ((envelope: Fields) => Fields)[] = [liftFrom0To1];

/**
 * Upcasts a parsed envelope of any known schema to the newest, unchecked.
 *
 * @throws {EnvelopeVersionUnsupportedError} Newer than this worker knows.
 * @throws {EnvelopeInvalidError} Not an object, or `schema` is not an integer from 0.
 */
export function upcastEnvelope(value: unknown): unknown {
  if (!isRecord(value)) {
    throw new EnvelopeInvalidError([{ path: "", code: "invalid_type", message: "not an object" }]);
  }
  const version = value["schema"];
  if (typeof version !== "number" || !Number.isSafeInteger(version) || version < 0) {
    throw new EnvelopeInvalidError([
      { path: "/schema", code: "invalid_type", message: "not an integer from 0" },
    ]);
  }
  if (version > ENVELOPE_SCHEMA_VERSION) throw new EnvelopeVersionUnsupportedError(ENVELOPE_SCHEMA_VERSION);
  if (version === ENVELOPE_SCHEMA_VERSION) return value;
  return STEPS.slice(version).reduce<Fields>((lifted, step) => step(lifted), value);
}
