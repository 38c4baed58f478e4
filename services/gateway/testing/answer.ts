import { z } from "zod";

/** The JSON of a test's answer as the form the test expects. */
export async function answerOf<Schema extends z.ZodType>(
  reply: Response | Promise<Response>,
  schema: Schema,
): Promise<z.output<Schema>> {
  return schema.parse(await (await reply).json());
}

export const startedForm = z.looseObject({
  run_id: z.string(),
  message_id: z.string(),
  trace_id: z.string(),
});
export const problemForm = z.looseObject({
  code: z.string(),
  errors: z.array(z.looseObject({ pointer: z.string() })),
});
export const runForm = z.looseObject({
  hops: z.array(
    z.looseObject({ message_id: z.string(), next: z.array(z.looseObject({ message_id: z.string() })) }),
  ),
});
export const pageForm = z.looseObject({
  runs: z.array(z.looseObject({ run_id: z.string() })),
  next_cursor: z.string().nullable(),
});
