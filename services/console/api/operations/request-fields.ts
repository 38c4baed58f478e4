import { z } from "zod";

/** Fields that several operations share. */
const ID_CHARS_MAX = 200;
const WHY_CHARS_MAX = 2000;
const PAYLOAD_CHARS_MAX = 1_048_576;
const PAGE_MAX = 200;

export const idField = z.string().min(1).max(ID_CHARS_MAX);

/** Why somebody does something: for whoever reads the audit. */
export const whyField = z.string().trim().min(1).max(WHY_CHARS_MAX);

/** The version that the person looked at; what changed since is refused. */
export const versionField = z.int().min(0).exactOptional();

/** SHA-256, hex. */
export const digestField = z
  .string()
  .regex(/^[0-9a-f]{64}$/, "must be a SHA-256 in hex")
  .exactOptional();

export const caseParams = z.object({ case_id: idField });
export const batchParams = z.object({ batch_id: idField });
export const recipeParams = z.object({ recipe_id: idField });
export const groupParams = z.object({ fingerprint: idField });
export const agentParams = z.object({ agent: idField });

export const limitQuery = z.coerce.number().pipe(z.int().min(1).max(PAGE_MAX)).default(50);

const OFFSET_MAX = 1_000_000;

export const offsetQuery = z.coerce.number().pipe(z.int().min(0).max(OFFSET_MAX)).default(0);

/** A decision that needs nothing but its reason. */
export const whyBody = z.strictObject({ why: whyField, version: versionField });

/** As above, where the reason may be left out, and so may the body. */
export const optionalWhyBody = z
  .strictObject({ why: z.string().trim().max(WHY_CHARS_MAX).default(""), version: versionField })
  .default({ why: "" });

/**
 * A new value: `payload_text` as JSON text, in which digits stay as typed, or `payload` as a value.
 */
export const payloadFields = {
  payload: z.unknown().optional(),
  payload_text: z.string().max(PAYLOAD_CHARS_MAX).exactOptional(),
};

/** The new value as JSON text; undefined where there is none. */
export function payloadTextFrom(body: {
  readonly payload?: unknown;
  readonly payload_text?: string;
}): string | undefined {
  return body.payload_text ?? (body.payload === undefined ? undefined : JSON.stringify(body.payload));
}
