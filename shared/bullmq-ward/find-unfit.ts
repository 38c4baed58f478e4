import type { z } from "zod";

/** zod types that no value of JSON satisfies, with what to write instead. */
const INSTEAD: Readonly<Record<string, string>> = {
  date: "z.iso.datetime(), or z.coerce.date(), because JSON holds dates as texts",
  bigint: "z.int(), or z.coerce.bigint()",
  map: "z.record(…), because JSON holds an object",
  set: "z.array(…), because JSON holds a list",
  nan: "z.null(), because JSON holds null",
  symbol: "z.string()",
  function: "a type that JSON has",
  file: "z.string()",
  promise: "the type that it resolves to",
};

/** A place of a contract that no job can satisfy. */
export interface Unfit {
  readonly path: string;
  readonly type: string;
  readonly instead: string;
}

/** Returns the first place of a zod schema that no JSON value satisfies, so that each job would be faulty there. */
export function findUnfit(schema: z.core.$ZodType, path = "", seen = new Set<unknown>()): Unfit | null {
  if (seen.has(schema)) return null;
  seen.add(schema);
  const inner = (one: z.core.$ZodType, step = ""): Unfit | null => findUnfit(one, path + step, seen);
  const first = (all: readonly (readonly [z.core.$ZodType, string])[]): Unfit | null =>
    all.reduce<Unfit | null>((found, [one, step]) => found ?? inner(one, step), null);
  // Each schema of zod is one of these, and has its definition.
  const { def } = schema as z.core.$ZodType & { readonly def: z.core.$ZodTypes["_zod"]["def"] };
  const instead = INSTEAD[def.type];
  if (instead !== undefined) return "coerce" in def && def.coerce ? null : { path, type: def.type, instead };
  switch (def.type) {
    case "object":
      return first(Object.entries(def.shape).map(([name, one]) => [one, `/${name}`]));
    case "array":
      return inner(def.element, "/*");
    case "tuple":
      return first(def.items.map((one, at) => [one, `/${at}`]));
    case "record":
      return inner(def.valueType, "/*");
    case "intersection":
      return first([
        [def.left, ""],
        [def.right, ""],
      ]);
    case "union": {
      const found = def.options.map((one) => inner(one));
      // Another option may hold in place of one that does not, but not inside of it.
      return found.includes(null)
        ? (found.find((one) => one !== null && one.path !== path) ?? null)
        : (found[0] ?? null);
    }
    case "optional":
    case "nonoptional":
    case "nullable":
    case "default":
    case "prefault":
    case "readonly":
      return inner(def.innerType);
    case "pipe":
      return inner(def.in);
    case "lazy":
      return inner(def.getter());
    default:
      return null;
  }
}
