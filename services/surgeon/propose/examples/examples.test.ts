import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { prove } from "#shared/proof";
import { validate } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { messageIn, openSurgeonTestSystem, repairWith } from "../../testing/surgeon-test-system.ts";
import type { SurgeonTestSystem } from "../../testing/surgeon-test-system.ts";
import { makeExample } from "./make-example.ts";
import { shapeOf } from "./shape-of.ts";

describe("examples beside a question", () => {
  it("show how others of the same agent were healed, and no word of them, and are written down", async () => {
    const system = await openSurgeonTestSystem();
    const { endpoint, untilCase } = system;
    endpoint.answer = (input) => {
      const { order_id } = messageIn(input);
      const seats = /for (\d+) seats/.exec(String(input["original_query"]))?.[1];
      return repairWith({ order_id, seats: Number(seats) });
    };
    await system.start();
    system.startSurgeon();
    const cases: string[] = [];
    const submit = async (n: number): Promise<void> => {
      const { runId } = await system.submit(
        { order_id: `A-${n}`, [`Feld${n}`]: `Kanarienvogel ${n}` },
        { user: { original_query: `Refund A-${n} for ${n - 999} seats, says Wellensittich${n}.` } },
      );
      expect((await system.until(runId, ["completed", "quarantined"])).status).toBe("completed");
      cases.push((await untilCase(runId, ({ status }) => status === "discharged")).case_id);
    };
    for (let n = 1001; n < 1007; n += 1) await submit(n);
    expect(endpoint.questions).toHaveLength(6);
    expect(endpoint.questions[0]?.["examples"]).toEqual([]);
    const last = endpoint.questions.at(-1);
    expect(last?.["examples"]).toHaveLength(3);
    expect(((last?.["examples"] ?? []) as unknown[])[0]).toMatchObject({
      problems: expect.arrayContaining([{ path: "/seats", code: expect.any(String) }]),
      change: expect.arrayContaining([
        {
          op: "add",
          path: "/seats",
          after: expect.stringContaining("whole number"),
          from: "original_query",
        },
      ]),
    });
    // Nothing of one message stands in the question about another.
    for (const [asked, question] of endpoint.questions.entries()) {
      const text = JSON.stringify(question);
      for (let n = 1001; n < 1007; n += 1)
        expect(text.includes(`A-${n}`) || text.includes(`Feld${n}`) || text.includes(`${n}.`)).toBe(
          n === 1001 + asked,
        );
    }
    const history = (await untilCase(await runOf(system, cases.at(-1) ?? ""), () => true)).history;
    const model = history[0]?.attempts.find(({ procedure }) => procedure === "strong_model");
    expect(model?.examples).toEqual(cases.slice(2, 5).toReversed());
  });

  it("are twenty at most for an agent, the oldest gone, and forgotten with the retention", async () => {
    const system = await openSurgeonTestSystem();
    const { examples } = system.store.cases;
    const scope = { agent: "desk", contract: "c@1" };
    for (let n = 0; n < 25; n += 1) await examples.keep(scope, { case_id: `c${n}`, example: n }, 120_000);
    await examples.keep(scope, { case_id: "c24", example: 24 }, 120_000);
    expect((await examples.of(scope)).length).toBe(20);
    const key = system.store.keys.ward("examples:desk/c@1");
    expect(await system.store.redis.pttl(key)).toBeGreaterThan(50_000);
  });
});

async function runOf(system: SurgeonTestSystem, caseId: string): Promise<string> {
  return (await system.stored(caseId)).fields["run_id"] ?? "";
}

const SCHEMA = {
  type: "object",
  properties: {
    order_id: { type: "string" },
    seats: { type: "integer" },
    reason: { enum: ["damaged", "late", "other"] },
    currency: { type: "string", default: "EUR" },
    rows: { type: "array", items: { type: "object", properties: { name: { type: "string" } } } },
  },
  required: ["order_id", "seats"],
};

function exampleOf(original: JsonValue, repaired: JsonValue, original_query = "") {
  const proof = prove({
    original: { text: JSON.stringify(original), value: original },
    repaired,
    schema: SCHEMA,
    sources: { original_query },
    procedure: "model",
  });
  return makeExample({ original, schema: SCHEMA, problems: validate(original, SCHEMA), proof });
}

describe("an example of a repair", () => {
  it("says where, of what kind, how long and from where, and keeps what the contract says itself", () => {
    const original = { bestellung: "A-1234", seats: "12 pieces", reason: "kaputt" };
    const repaired = { order_id: "A-1234", seats: 12, reason: "damaged", currency: "EUR" };
    expect(exampleOf(original, repaired)).toEqual({
      problems: [
        { path: "/order_id", code: expect.any(String) },
        { path: "/seats", code: expect.any(String) },
        { path: "/reason", code: expect.any(String) },
      ],
      change: [
        { op: "remove", path: "/‹word, up to 16 characters›", before: "‹identifier, up to 8 characters›" },
        { op: "add", path: "/order_id", after: "‹identifier, up to 8 characters›", from: "original" },
        { op: "add", path: "/currency", after: '"EUR"', from: "contract" },
        {
          op: "replace",
          path: "/seats",
          before: "‹words, up to 16 characters›",
          after: "‹whole number, up to 2 characters›",
          from: expect.any(String),
        },
        {
          op: "replace",
          path: "/reason",
          before: "‹word, up to 8 characters›",
          after: '"damaged"',
          from: "original",
        },
      ],
    });
  });

  /** Nobody else's text holds these: a character, digits, and marks around them. */
  const canary = fc
    .tuple(fc.constantFrom("Zq", "ädä", "7741", "Xx@", "\u4f60"), fc.integer({ min: 100_000, max: 999_999 }))
    .map(([head, digits]) => `${head}${digits}`);

  /** JSON values of which every name, text and number is a canary. */
  const tainted = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      canary,
      fc.integer({ min: 10_000_000, max: 99_999_999 }),
      canary.map((one) => `please read ${one} and no more`),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(canary, tie("value"), { maxKeys: 3 }),
    ),
  })).value;

  it("holds no name, no text and no number of the message, whatever they are", () => {
    fc.assert(
      fc.property(tainted, tainted, canary, (one, other, code) => {
        const original = { order_id: one, rows: [one], junk: other };
        const repaired = { order_id: other, seats: 12_345_678, rows: other, more: one };
        const proof = prove({
          original: { text: JSON.stringify(original), value: original },
          repaired,
          schema: SCHEMA,
          sources: {},
          procedure: "model",
        });
        const problems = [...validate(original, SCHEMA), { path: `/rows/0/${code}`, code }];
        const text = JSON.stringify(makeExample({ original, schema: SCHEMA, problems, proof }));
        for (const word of JSON.stringify([one, other, code]).match(/[\p{L}\p{N}@]{5,}/gu) ?? [])
          if (!["please"].includes(word)) expect(text).not.toContain(word);
        expect(text).not.toMatch(/\d{5,}/);
      }),
    );
  });

  it("ends quickly on a text that was written to be slow to tell", () => {
    const slow = `${"1,".repeat(100_000)}!`;
    const before = performance.now();
    expect(shapeOf(slow)).toBe("‹long text, over 1024 characters›");
    for (const pattern of ["1 ".repeat(128), "1-".repeat(128), "a.".repeat(128)])
      shapeOf(`${pattern}!`.slice(0, 256));
    expect(performance.now() - before).toBeLessThan(5000);
  });
});
