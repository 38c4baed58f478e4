import { z } from "zod";
import { contract } from "#shared/contract";
import { remark } from "../contract-fields.ts";

/** The answer to a question about a picture. */
export const PhotoAnswer = contract(
  "photo.answer@1",
  z.object({
    /** False: the picture does not show it. */
    is_shown: z.boolean(),
    answer: remark,
  }),
  { description: "An answer to a question about a picture, or that the picture does not show it." },
);
