import { expect, it } from "vitest";
import { z } from "zod";
import { DataContract } from "./data-contract.ts";
import type { DataContractOptions } from "./data-contract.ts";
import { describeCase } from "./describe-case.ts";
import { CaseGroups } from "./group-cases.ts";
import type { JobCase } from "./job-case.ts";
import { proposeRepair } from "./propose.ts";

const Order = z.strictObject({
  order: z.string(),
  amount: z.int(),
  currency: z.enum(["EUR", "USD"]),
  lines: z.array(z.strictObject({ sku: z.string(), count: z.int() })),
  prices: z.record(z.string(), z.number()),
});
const SOUND = {
  order: "A-1",
  amount: 3,
  currency: "EUR",
  lines: [{ sku: "s", count: 1 }],
  prices: { apple: 1 },
};
const CONTRACTS: readonly (readonly [string, DataContractOptions["schema"]])[] = [
  ["zod", Order],
  ["JSON Schema", { ...z.toJSONSchema(Order) }],
];

function caseOf(data: unknown, failedReason = "failed"): JobCase {
  return {
    seal: "unsealed",
    queue: "orders",
    id: "1",
    name: "order",
    data: JSON.stringify(data),
    bytes: 1,
    version: "v",
    digest: "d",
    failedReason,
    stacktrace: "[]",
    options: "{}",
    parent: null,
    deduplicationId: null,
    attemptsMade: 1,
    attemptsStarted: 1,
    addedAtMs: 1,
    failedAtMs: 2,
  };
}

function groupsOf(cases: readonly JobCase[], options: DataContractOptions | null): number {
  const groups = new CaseGroups();
  for (const one of cases) groups.add(one, options === null ? null : new DataContract(options));
  return groups.list().length;
}

it.each(CONTRACTS)("makes one group of particulars and ten of ten kinds of fault, by %s", (_, schema) => {
  const particular = [
    "twelve",
    "a dozen",
    "n/a",
    "12 pcs",
    "Müller & Söhne",
    "(none)",
    "x",
    "7",
    "ann@a.example",
  ].map((amount) => caseOf({ ...SOUND, amount }, `amount ${amount} is no number`));
  expect(groupsOf(particular, { schema })).toBe(1);
  const places = [
    { ...SOUND, lines: [{ sku: "s", count: "two" }] },
    { ...SOUND, lines: [SOUND.lines[0], { sku: "s", count: "drei" }] },
  ];
  expect(
    groupsOf(
      places.map((data) => caseOf(data)),
      { schema },
    ),
  ).toBe(1);
  const keyed = [{ apple: "dear" }, { "pear tree": "cheap" }].map((prices) => caseOf({ ...SOUND, prices }));
  expect(groupsOf(keyed, { schema })).toBe(1);
  const kinds: unknown[] = [
    { ...SOUND, amount: "x" },
    { ...SOUND, amount: null },
    { ...SOUND, amount: [1] },
    { ...SOUND, amount: 1.5 },
    { ...SOUND, amount: undefined },
    { ...SOUND, currency: "GBP" },
    { ...SOUND, order: 5 },
    { ...SOUND, lines: {} },
    { ...SOUND, lines: [{ sku: "s" }] },
    { ...SOUND, extra: 1 },
  ];
  expect(
    groupsOf(
      kinds.map((data) => caseOf(data)),
      { schema },
    ),
  ).toBe(10);
});

it.each([
  ["", '{ "n": 1e-400, "big": 12345678901234567890, "amount": "7" , "s":"\\u0041"}', '"7"', "7"],
  ["/in", '{ "n" : -0,\t"in": {"amount": "7", "n": 1.50}, "big":[1E5, 1e-400]}', '"7"', "7"],
  ["", '{"Amount":7,"n":12345678901234567890,"o":[ 1e-400 ]}', '"Amount"', '"amount"'],
  ["", String.raw`"{\"amount\": \"7\", \"n\": 1e-400 }"`, /.*/, '{"amount": 7, "n": 1e-400 }'],
  [
    "/in",
    String.raw`{"n":1e-400 ,"in":"{\"amount\":\"7\",\"big\":12345678901234567890}"}`,
    /"{.*}"/,
    '{"amount":7,"big":12345678901234567890}',
  ],
])("keeps the bytes of all that a repair at %j does not edit, of %s", (at, data, from, to) => {
  const schema = { type: "object", properties: { amount: { type: "integer" } }, required: ["amount"] };
  const proposal = proposeRepair({ ...caseOf(""), data }, new DataContract({ schema, at }), []);
  if (proposal.kind === "none") throw new Error(proposal.reason);
  const sorted = (text: string): string => text.split(/[{},]/).toSorted().join();
  expect(sorted(proposal.data)).toBe(sorted(data.replace(from, to)));
});

it("masks what a contract marks as sensitive, in data, error and stack, and whole data that cannot be read", () => {
  const schema = {
    type: "object",
    properties: { email: { type: "string", "x-sensitive": true }, amount: { type: "integer" } },
  };
  const contract = new DataContract({ schema, at: "/to" });
  const told = describeCase(
    { ...caseOf({ to: { email: "ann@a.example", amount: "x" }, copy: "ann@a.example" }, "no ann@a.example") },
    contract,
  );
  expect(JSON.stringify(told)).not.toContain("ann@a");
  expect(told.data).toContain('"amount":"x"');
  const broken = {
    ...caseOf(""),
    data: '{"to": {"email": "ann@a.example"',
    failedReason: "at ann@a.example",
  };
  expect(JSON.stringify(describeCase(broken, contract))).not.toContain("ann@a");
  expect(describeCase(broken, null)).toBe(broken);
});

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
