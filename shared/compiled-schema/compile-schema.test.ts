import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { compileSchema } from "./index.ts";

const leaf: fc.Arbitrary<z.ZodType> = fc.constantFrom<z.ZodType[]>(
  z.string(),
  z.string().min(1).max(3),
  z.string().regex(/^a/),
  z.string().regex(/a/g),
  z.number(),
  z.number().min(0).max(5),
  z.number().gt(0).lt(5),
  z.int().min(0),
  z.boolean(),
  z.null(),
  z.unknown(),
  z.literal(["a", 1]),
  z.enum(["a", "b"]),
  z.coerce.string(),
  z.string().trim(),
  z.string().default("a"),
  z.iso.date(),
  z.email(),
  z.string().refine((text) => text !== "a"),
  z.unknown().refine((value) => value !== undefined),
  z.string().refine(async (text) => text === "a"),
  z.string().refine(() => {
    throw new Error("refined");
  }),
  z.string().superRefine((text, context) => {
    if (text === "a") context.addIssue("no");
  }),
  z.string().transform((text) => text.length),
  z.bigint(),
  z.date(),
  z.undefined(),
  z.any(),
);

const field = fc.constantFrom("a", "b", "constructor", "__proto__", "toString");

const schema: fc.Arbitrary<z.ZodType> = fc.letrec<{ any: z.ZodType }>((tie) => {
  const shape = fc.uniqueArray(
    fc.tuple(field, fc.oneof({ depthSize: "small" }, leaf, tie("any")), fc.nat(5)),
    {
      selector: ([key]) => key,
      maxLength: 3,
    },
  );
  const fields = shape.map((entries) =>
    Object.fromEntries(
      entries.map(([key, member, how]) => [
        key,
        how === 0
          ? member.optional()
          : how === 1
            ? z.exactOptional(member)
            : how === 2
              ? member.nullish()
              : member,
      ]),
    ),
  );
  return {
    any: fc.oneof(
      { depthSize: "small" },
      leaf,
      tie("any").map((member) => member.nullable()),
      tie("any").map((member) => z.array(member).min(1).max(2)),
      tie("any").map((member) => z.record(z.string(), member)),
      tie("any").map((member) => z.record(z.enum(["a", "b"]), member)),
      fields.map((members) => z.object(members)),
      fields.map((members) => z.strictObject(members)),
      fields.map((members) => z.looseObject(members)),
      fields.map((members) => z.object(members).catchall(z.number())),
      fields.map((members) => z.object(members).refine((value) => Object.keys(value).length > 1)),
      fc.tuple(tie("any"), tie("any")).map((members) => z.union(members)),
      fc.tuple(tie("any"), tie("any")).map((members) => z.tuple(members)),
    ),
  };
}).any;

const scalar = fc.constantFrom<unknown[]>(
  "",
  "a",
  "ab",
  "abcd",
  0,
  1,
  -1,
  2.5,
  Number.NaN,
  Infinity,
  2 ** 60,
  true,
  null,
  undefined,
  5n,
);
const value: fc.Arbitrary<unknown> = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    scalar,
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(field, tie("any"), { maxKeys: 3, noNullPrototype: false }),
    fc.constantFrom<unknown[]>(new Date(0), new Map(), JSON.parse('{"__proto__": 1, "a": "a"}'), () => 1),
  ),
})).any;

describe("a quick yes", () => {
  it("is only said of what the parser takes and gives back as it is", () => {
    let yes = 0;
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 1, maxLength: 8 }), (declared, values) => {
        const fit = compileSchema(declared);
        for (const one of values) {
          if (fit?.(one) !== true) continue;
          yes += 1;
          expect(declared.safeParse(one)).toEqual({ success: true, data: one });
        }
      }),
      {
        numRuns: 5000,
        examples: [[z.record(z.string(), z.unknown()), [{ constructor: () => 1 }, { constructor: 1 }]]],
      },
    );
    expect(yes).toBeGreaterThan(100);
  });

  it("is said of every sound value of the types it knows", () => {
    const declared = z.strictObject({
      name: z
        .string()
        .min(1)
        .regex(/^[a-z]+$/),
      count: z.int().min(0).nullable(),
      kind: z.enum(["a", "b"]),
      note: z.string().optional(),
      rows: z.array(z.looseObject({ id: z.string() })).max(3),
      more: z.record(z.string(), z.unknown()),
    });
    const sound = { name: "abc", count: 1, kind: "a", rows: [{ id: "1", extra: [] }], more: { x: {} } };
    const fit = compileSchema(declared);
    expect(fit?.(sound)).toBe(true);
    expect(fit?.({ ...sound, count: null, note: "n" })).toBe(true);
    for (const [key, bad] of Object.entries({
      name: "A",
      count: 1.5,
      kind: "c",
      note: 1,
      rows: [{}],
      more: [],
    })) {
      expect(fit?.({ ...sound, [key]: bad }), key).toBe(false);
    }
    expect(fit?.({ ...sound, further: 1 })).toBe(false);
  });

  it("leaves schemas of another version of zod to the parser, in part or as a whole", () => {
    const ofVersion = <S extends z.ZodType>(declared: S, version: object): S => {
      const internals = declared["_zod"];
      Object.assign(internals, { version: { ...internals.version, ...version } });
      return declared;
    };
    expect(compileSchema(ofVersion(z.string(), { patch: 999 }))?.("a")).toBe(true);
    for (const other of [{ minor: 5 }, { minor: 7 }, { major: 5 }]) {
      expect(compileSchema(ofVersion(z.strictObject({ a: z.string() }), other))).toBeNull();
      expect(compileSchema(z.strictObject({ a: z.array(ofVersion(z.string(), other)) }))).toBeNull();
    }
  });

  it("grows with the schema, not with the ways through it", () => {
    let declared: z.ZodType = z.object({ leaf: z.string() });
    let sound: unknown = { leaf: "a" };
    for (let level = 0; level < 40; level += 1) {
      declared = z.object({ one: declared, other: z.array(declared) });
      sound = { one: sound, other: [] };
    }
    expect(compileSchema(declared)?.(sound)).toBe(true);
  });

  it("takes any name of a field for a name", () => {
    const odd = ['"', "\\", "\n", "\u2028", "`${1}`", '"] || true; //', "</script>"];
    const declared = z.strictObject(Object.fromEntries(odd.map((name) => [name, z.int()])));
    expect(compileSchema(declared)?.(Object.fromEntries(odd.map((name) => [name, 1])))).toBe(true);
    for (const name of odd) {
      const unsound = Object.fromEntries(odd.map((one) => [one, one === name ? "1" : 1]));
      expect(compileSchema(declared)?.(unsound), name).toBe(false);
    }
  });
});
