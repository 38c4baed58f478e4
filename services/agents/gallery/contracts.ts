import { z } from "zod";
import { contract } from "#shared/contract";

const CODE_CHARACTERS_MAX = 8000;

const title = z.string().min(1).max(120);
const language = z.string().min(1).max(30).toLowerCase();
const code = z.string().min(1).max(CODE_CHARACTERS_MAX).meta({ "x-locked": true });

export const Snippet = contract(
  "gallery.snippet@1",
  z.object({ title, language, code, author: z.string().min(1).max(120) }),
  { description: "A piece of code for the gallery, with its author." },
);

/** Input of an explainer: nothing about the author. */
export const Unexplained = contract("gallery.unexplained@1", z.object({ title, language, code }));

const words = z.string().min(1).max(2000).meta({ "x-surgeon-writes": true });

export const Explanation = contract(
  "gallery.explanation@1",
  z.object({
    /** Null: the reader cannot tell. */
    purpose: words.nullable(),
    /** Names of the snippet that the explanation speaks of. */
    names: z.array(z.string().min(1).max(120)).max(20),
    /** A call of the code; null where none can be shown. */
    example: z.string().max(2000).nullable(),
  }),
  { answersIn: "xml", description: "What a snippet is for, and how it is called." },
);

/** Input of a cataloguer. */
export const Explained = contract("gallery.explained@1", Unexplained.schema.extend(Explanation.schema.shape));

/** An entry of the run's board: what the desk found and only the cataloguer needs. */
export const Findings = contract(
  "gallery.findings@1",
  z.object({
    author: z.string(),
    lines: z.int().nullable(),
    licence: z.string(),
    /** Checks that failed, with why. */
    problems: z.array(z.object({ step: z.string(), why: z.string() })),
  }),
);

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

export const GalleryResult = contract(
  "gallery.result@1",
  z.discriminatedUnion("card", [
    z.object({ card: z.literal("whole"), code: text, ...entry }),
    /** An entry of the index, for code that is too long for a card. */
    z.object({ card: z.literal("index"), ...entry }),
  ]),
  { description: "The card of a snippet, or its entry in the index." },
);
