import { z } from "zod";

/** What reading a file in the child gives: its pages as text, or a picture's size in pixels. */
export const reading = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("pages"), pages: z.array(z.string()) }),
  z.object({ kind: z.literal("picture"), width: z.int().positive(), height: z.int().positive() }),
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
