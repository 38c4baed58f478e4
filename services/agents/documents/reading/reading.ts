import { z } from "zod";

const share = z.number().min(0).max(1);

/** A colour of a picture by its usual name, with the share of pixels that have it. */
const namedColour = z.object({ name: z.string().max(20), share });

/** What can be measured in a picture. Shares lie between 0 and 1. */
export const pictureMeasures = z.object({
  width: z.int().positive(),
  height: z.int().positive(),
  brightness: share,
  contrast: share,
  /** Pixels as light and as colourless as paper. */
  paper_share: share,
  /** Dark, colourless pixels. */
  ink_share: share,
  /** Neighbours that differ sharply. */
  edge_share: share,
  /** Colours that take at least a thousandth of the picture, out of 512. */
  colours: z.int().nonnegative(),
  /** Rows of ink with paper between them, as lines of writing are. */
  lines: z.int().nonnegative(),
  /** Strongest first. */
  dominant: z.array(namedColour).max(3),
});

export type PictureMeasures = z.output<typeof pictureMeasures>;

/** What reading a file in the child gives: its pages as text, or a picture's measures. */
export const reading = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("pages"), pages: z.array(z.string()) }),
  z.object({ kind: z.literal("picture"), measures: pictureMeasures }),
]);

export type Reading = z.output<typeof reading>;

/** Why a file cannot be read. */
export const FAULTS = [
  "empty",
  "damaged",
  "encrypted",
  "without_text",
  "too_many_pixels",
  "too_many_pages",
  "too_much_text",
  "too_much_memory",
  "too_slow",
] as const;

export type Fault = (typeof FAULTS)[number];

/** What the child writes to file descriptor 3. */
export const childAnswer = z.union([z.object({ reading }), z.object({ fault: z.enum(FAULTS) })]);

/** Types of files that can be read. */
export const READABLE_TYPES = [
  "application/pdf",
  "application/xml",
  "text/plain",
  "image/png",
  "image/jpeg",
] as const;

export type ReadableType = (typeof READABLE_TYPES)[number];

/** What the child is told on its command line. */
export interface ChildTask {
  readonly type: ReadableType;
  readonly pixelsMax: number;
  readonly pagesMax: number;
  readonly charactersMax: number;
}
