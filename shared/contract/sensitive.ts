import type { z } from "zod";

/**
 * Marks a field as personal or secret: wherever a payload is shown, exported or sent to the surgeon's model, the value
 * is masked. Other marks of the schema stay. Call it last: zod drops marks when a schema is changed after them.
 *
 * @example z.object({ patient: sensitive(z.string().min(1)) })
 */
export function sensitive<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.meta({ ...schema.meta(), "x-sensitive": true });
}
