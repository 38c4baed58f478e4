import { z } from "zod";
import { contract } from "#shared/contract";
import { Findings } from "./contracts.ts";

/** Has no pattern and no bound: sensitive data in it is replaced by `[card]` and the like before the check. */
const text = z.string();

const entry = {
  /** `for_a_person`: nobody could tell what the code is for. */
  status: z.enum(["explained", "for_a_person"]),
  title: text,
  language: text,
  purpose: text.nullable(),
  names: z.array(text),
  example: text.nullable(),
  // Absent where the run's board was lost.
  ...Findings.schema.partial().shape,
};

/** Contract of the results of this team. */
export const GalleryResult = contract(
  "gallery.result@1",
  z.discriminatedUnion("card", [
    z.object({ card: z.literal("whole"), code: text, ...entry }),
    /** An entry of the index, for code that is too long for a card. */
    z.object({ card: z.literal("index"), ...entry }),
  ]),
  { description: "The card of a snippet, or its entry in the index." },
);
