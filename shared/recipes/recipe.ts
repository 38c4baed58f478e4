import { z } from "zod";
import type { JsonSchema } from "#shared/json";
import type { Note } from "#shared/repair";
import type { JsonValue, Places } from "#shared/schema";

/** Limits of one recipe, which is a small correction and no program. */
export const OPERATIONS_MAX = 50;

/** A JSON pointer with `*` for every item of a list or member of an object. */
const pointer = z
  .string()
  .max(1024)
  .regex(/^(\/[^/]*)*$/, "a JSON pointer starts with / or is empty");
const name = z.string().min(1).max(256);
const scalar = z.union([z.string().max(4096), z.number(), z.boolean(), z.null()]);

const operation = z.discriminatedUnion("op", [
  z.strictObject({ op: z.literal("rename"), path: pointer, to: name }),
  z.strictObject({ op: z.literal("move"), from: pointer, path: pointer }),
  z.strictObject({
    op: z.literal("wrap"),
    path: pointer,
    in: z.union([z.literal("array"), z.strictObject({ key: name })]),
  }),
  z.strictObject({ op: z.literal("unwrap"), path: pointer, key: name.optional() }),
  z.strictObject({
    op: z.literal("coerce"),
    path: pointer,
    to: z.enum(["string", "number", "integer", "boolean"]),
  }),
  z.strictObject({
    op: z.literal("map_value"),
    path: pointer,
    map: z
      .array(z.strictObject({ from: scalar, to: scalar }))
      .min(1)
      .max(200),
  }),
  z.strictObject({ op: z.literal("set_default"), path: pointer, value: z.json() }),
  z.strictObject({ op: z.literal("delete"), path: pointer }),
  z.strictObject({ op: z.literal("parse_json"), path: pointer }),
  z.strictObject({ op: z.literal("split"), path: pointer, by: z.string().min(1).max(16) }),
  z.strictObject({ op: z.literal("join"), path: pointer, by: z.string().max(16) }),
]);

/** A repair as data: operations on JSON pointers with `*`, applied in order. No expressions, code or patterns. */
export const Recipe = z.strictObject({
  version: z.literal(1),
  operations: z.array(operation).min(1).max(OPERATIONS_MAX),
});

export type Recipe = z.infer<typeof Recipe>;
export type RecipeOperation = Recipe["operations"][number];

/** Operations from one value to another; undefined where they would have to quote the message. */
export type Steps = RecipeOperation[] | undefined;

/** Two values at one path, with the repair's notes and the contract. */
export interface Change {
  readonly before: JsonValue;
  readonly after: JsonValue;
  /** JSON pointer with `*` for list indexes. */
  readonly path: string;
  /** The path in the whole repair, with indexes. */
  readonly steps: readonly string[];
  readonly derivation: Derivation;
}

/** State shared by one derivation. */
interface Derivation {
  /** The repair's notes by pointers with `*` for list indexes. */
  readonly notes: ReadonlyMap<string, readonly Note[]>;
  /** The contract; undefined where only the notes are known. */
  readonly contract: { readonly places: Places; readonly schema: JsonSchema } | undefined;
  /** Other texts from which a value may come. */
  readonly elsewhere: readonly string[];
  /** Remaining comparisons, a limit because the message's author controls its size. */
  readonly work: { left: number };
  /** Compares paths below this one. */
  readonly compare: (change: Change) => Steps;
}

/** Returns true when the repair has a note of this step at a path. */
export function isNoted(
  { derivation }: Change,
  { path, step }: { readonly path: string; readonly step: string },
): boolean {
  return derivation.notes.get(path)?.some((note) => note.step === step) === true;
}
