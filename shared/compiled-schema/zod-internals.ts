/**
 * Owns what this room reads of zod beside its API: `_zod.def` and `_zod.version`.
 *
 * Version guard: a schema of another minor version than `KNOWN` has no definition here, because a new version may give
 * a definition a further meaning. Then `compileSchema` returns null and zod's parser checks every value: about ten
 * times slower, never wrong. After an update of zod: run `compile-schema.test.ts` with the new version, read zod's
 * changes of `$ZodTypes` and `$ZodChecks`, and raise `KNOWN`. The test fails until then.
 *
 * Report for upstream (zod): "Parsing a valid plain object copies it, and takes ten times as long as a compiled check
 * of the same schema. Please offer a documented way to ask only whether a value is valid and would be returned
 * unchanged, or make the types of `_zod.def` part of the stable API, so that libraries can compile one."
 */
const KNOWN = { major: 4, minor: 6 } as const;

/** Zod's description of a schema or a check. All of it is verified before it is used. */
export type Definition = Readonly<Record<string, unknown>>;

/** Returns the definition of a check, or of a schema of any version. */
export function definitionOf(part: unknown): Definition {
  // The types differ with each class, so that each field is verified where it is used.
  return Object(internalsOf(part)["def"]);
}

/** Returns true for a schema of the version that this room knows. */
export function isKnownSchema(schema: unknown): boolean {
  const { major, minor }: Definition = Object(internalsOf(schema)["version"]);
  return major === KNOWN.major && minor === KNOWN.minor;
}

function internalsOf(part: unknown): Definition {
  return Object(Object(part)["_zod"]);
}
