import { expect, it } from "vitest";
import { z } from "zod";
import { DataContract } from "./data-contract.ts";

it.each([
  [z.object({ at: z.date() }), 'z.date\\(\\) at "/at"'],
  [z.object({ list: z.array(z.object({ at: z.date().optional() })) }), 'z.date\\(\\) at "/list/\\*/at"'],
  [z.record(z.string(), z.bigint()), 'z.bigint\\(\\) at "/\\*"'],
  [z.object({ to: z.union([z.object({ at: z.date() }), z.string()]) }), '"/to/at"'],
  [z.union([z.date(), z.bigint()]), "z.date"],
  [z.tuple([z.string(), z.map(z.string(), z.string())]), '"/1"'],
  [z.object({ a: z.set(z.string()).nullable() }), "z.set"],
  [z.lazy(() => z.object({ a: z.nan() })), "z.nan"],
  [z.date().transform((at) => at.getTime()), "z.date"],
  [z.intersection(z.object({ a: z.string() }), z.object({ at: z.date().readonly() })), '"/at"'],
])("says at the start at which place no job can satisfy a contract: %#", (schema, why) => {
  expect(() => new DataContract({ schema })).toThrow(new RegExp(`contract\\.schema .*${why}`));
});

it.each([
  [z.object({ at: z.coerce.date() }), { at: "2026-01-01" }],
  [z.object({ at: z.union([z.date(), z.iso.datetime()]) }), { at: "2026-01-01T00:00:00Z" }],
  [z.object({ at: z.preprocess((text) => new Date(String(text)), z.date()) }), { at: "2026-01-01" }],
  [
    z.object({
      at: z.codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: String }),
    }),
    { at: "2026-01-01T00:00:00Z" },
  ],
  [z.object({ at: z.date().catch(new Date(0)) }), { at: "x" }],
  [z.object({ n: z.coerce.bigint() }), { n: "1" }],
  [
    z.lazy(() =>
      z.object({
        get self() {
          return z.array(z.object({ a: z.string() }));
        },
      }),
    ),
    { self: [] },
  ],
  [z.instanceof(Object), {}],
])("takes a contract that jobs can satisfy: %#", (schema, data) => {
  const contract = new DataContract({ schema });
  expect(contract.findFaults(data)).toEqual([]);
});

it("says of a contract with an asynchronous check that it cannot be used", () => {
  const contract = new DataContract({ schema: z.string().refine(() => Promise.resolve(true)) });
  expect(() => contract.findFaults("x")).toThrow(/contract\.schema .*asynchronous/);
});
