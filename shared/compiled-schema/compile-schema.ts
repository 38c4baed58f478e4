import { compileFunction } from "node:vm";
import type { z } from "zod";
import { FitWriter } from "./fit-writer.ts";

/** True only of a value that its schema accepts and gives back unchanged. */
export type Fit = (value: unknown) => boolean;

const compiled = new WeakMap<z.ZodType, Fit | null>();

/**
 * A quick yes for a schema, many times faster than parsing: the value is accepted, and is the output itself. Anything
 * else says nothing: parse then. @returns null for a schema that is not understood here (transforms, unions).
 */
export function compileSchema(schema: z.ZodType): Fit | null {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const fit = compile(schema);
  compiled.set(schema, fit);
  return fit;
}

function compile(schema: z.ZodType): Fit | null {
  const writer = new FitWriter();
  const entry = writer.write(schema);
  if (entry === null) return null;
  const names = writer.constants.map((_, index) => writer.nameOf(index));
  // One function for each object of the schema, so that the engine learns every field's place by itself: closures that
  // are shared by all fields take three times as long. The names of fields are all that comes from the schema's author,
  // and each is written as a JSON text.
  const make = compileFunction(`"use strict";\n${writer.functions.join("\n")}\nreturn ${entry};`, names);
  const fit: unknown = make(...writer.constants);
  // The code that was written is a function of one value that returns a boolean.
  return fit as Fit;
}
