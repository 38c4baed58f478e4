import { z } from "zod";
import type { Variable } from "./variable.ts";

/** Which API keys belong to one person: `key=person` pairs. */
export const people: Variable<ReadonlyMap<string, string>> = {
  schema: z
    .string()
    .regex(
      /^[A-Za-z0-9._@-]{1,64}=[A-Za-z0-9._@-]{1,64}(?:,[A-Za-z0-9._@-]{1,64}=[A-Za-z0-9._@-]{1,64}){0,999}$/,
      "must be key=person, several with commas between them",
    )
    // The pattern lets through nothing but pairs.
    .transform((pairs) => new Map(pairs.split(",").map((pair) => pair.split("=") as [string, string])))
    .optional()
    .transform((known): ReadonlyMap<string, string> => known ?? new Map()),
  example: "ada-phone=ada,ada-laptop=ada",
};
