import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract, sensitive } from "#shared/contract";
import type { Contract } from "#shared/contract";
import type { GuardDeclaration } from "#shared/guard";
import { agent, team } from "#shared/runtime";
import type { JsonValue } from "#shared/schema";
import type { CaseDetail } from "#shared/ward";
import { findExposed } from "./propose/find-exposed.ts";
import {
  messageIn,
  openSurgeonAtWork,
  openSurgeonTestSystem,
  readGerman,
  Refund,
  repairWith,
} from "./testing/surgeon-test-system.ts";
import type { SurgeonTestSystem } from "./testing/surgeon-test-system.ts";

const ACCOUNT = "DE89 3704 0044 0532 0130 00";

/** The desk's contract with what is personal in it marked, as the surgeon knows it. */
const Marked = contract(
  "desk.refund@1",
  Refund.schema.extend({
    account: sensitive(z.string().min(3).meta({ "x-locked": true })).optional(),
    amount: sensitive(z.number()).optional(),
  }),
);

/** As above, with places that viewers read. */
const Open = contract(
  "desk.refund@1",
  Marked.schema.extend({ note: z.string().optional(), tags: z.record(z.string(), z.string()).optional() }),
);

/** With a field that has to be filled. */
const Seen = contract(
  "desk.refund@1",
  Refund.schema.extend({ who: sensitive(z.string()).optional(), note: z.string() }),
);

const Kind = z.enum(["delivery", "pickup", "gift", "return"]);
const Kinds = contract("desk.refund@1", Refund.schema.extend({ kind: Kind, secret: sensitive(Kind) }));

async function open(accepts: Contract = Marked): Promise<SurgeonTestSystem> {
  const system = await openSurgeonTestSystem();
  await system.start();
  const marked = team("help", [agent("desk@1", { accepts, handle: (_input, ctx) => ctx.complete({}) })]);
  system.startSurgeon({ teams: [marked] });
  return system;
}

describe("what a contract marks as sensitive", () => {
  it("is not shown to the model, wherever it stands, and is put back into the repair", async () => {
    const system = await open();
    const { endpoint } = system;
    endpoint.answer = readGerman;
    const message = { bestellung: "A-1234", seats: 2, account: ACCOUNT, amount: 987_654.25 };
    const { runId } = await system.submit(message, {
      user: { original_query: `Pay 987654.25 to ${ACCOUNT} (${JSON.stringify({ konto: ACCOUNT })}).` },
      conversation: { history: [{ role: "user", content: `My account is ${ACCOUNT.toLowerCase()}` }] },
    });
    expect((await system.until(runId)).status).toBe("completed");
    expect(system.handled).toEqual([{ order_id: "A-1234", seats: 2, account: ACCOUNT, amount: 987_654.25 }]);
    const asked = JSON.stringify(endpoint.questions);
    expect(asked).toContain("[[sensitive-");
    expect(asked).not.toMatch(/3704 ?0044|987654|987_654/i);
    expect(endpoint.questions[0]?.["placeholders"]).toMatchObject({ "[[sensitive-1]]": expect.any(String) });
    // The recipe that healed it is kept for the next ones, without it.
    expect(JSON.stringify(await system.recipes.list())).not.toMatch(/3704 ?0044|sensitive/);
  });

  it("stays hidden where the message is no JSON, or misspells the name that is marked", async () => {
    const system = await open();
    const { endpoint } = system;
    endpoint.answer = (input) => {
      const { konto, ...rest } = messageIn(input);
      return repairWith({ ...rest, account: konto });
    };
    const { runId } = await system.submit({ order_id: "A-1234", seats: 2, konto: ACCOUNT });
    await system.until(runId, ["completed", "quarantined"]);
    endpoint.answer = () => ({ verdict: "irreparable", payload: "", reason: "no", recipe: null });
    const broken = await system.submit(`{"order_id": "A-1", seats: 2, "account": "${ACCOUNT}", }`);
    await system.until(broken.runId, ["completed", "quarantined"]);
    expect(endpoint.questions.length).toBeGreaterThan(0);
    expect(JSON.stringify(endpoint.questions)).not.toMatch(/3704 ?0044/);
  });

  it("leaves a message that nobody can read to a person, and asks no model", async () => {
    const system = await open();
    const { endpoint } = system;
    await system.run(`please pay ${ACCOUNT} at once`, {}, ["quarantined"]);
    expect(endpoint.questions).toEqual([]);
  });

  it("gives a model that wants to read a value no way to, and a person the case", async () => {
    const system = await open();
    const { endpoint } = system;
    // It writes another placeholder, and half of one.
    endpoint.answer = (input) => {
      const { bestellung, ...rest } = messageIn(input);
      return repairWith({ ...rest, order_id: bestellung, account: "[[sensitive-99]]" });
    };
    await system.run({ bestellung: "A-1234", seats: 2, account: ACCOUNT }, {}, ["quarantined"]);
    expect(system.handled).toEqual([]);
  });

  it.each([
    ["whole", (who: string) => ({ note: who })],
    ["inside a text", (who: string) => ({ note: `for ${who}` })],
    ["beside its place", (who: string) => ({ note: who, who })],
  ])("is not moved by a model to where viewers read it: %s", async (_name, moved) => {
    const system = await open(Seen);
    for (const name of ["who", "kunde"]) {
      system.endpoint.answer = (input) => {
        const { [name]: who, ...rest } = messageIn(input);
        return repairWith({ ...rest, ...moved(String(who)) });
      };
      const { runId } = await system.submit({ order_id: "A-1234", seats: 2, [name]: "for Zoë Öhm" });
      const one = await system.untilCase(runId, ({ status }) => status === "quarantined");
      const outcomes = one.history.flatMap(({ attempts }) => attempts.map(({ outcome }) => outcome));
      expect(outcomes).not.toContain("healed");
    }
  });

  it("is not told to a model by what is missing from the contract's own words", async () => {
    const system = await open(Kinds);
    const { questions } = system.endpoint;
    for (const secret of Kind.options) {
      // The contract lists the one, and the other is beside it.
      for (const message of [
        { kind: "parcel", [secret]: 1 },
        { kind: "gift", order_id: "?" },
      ]) {
        await system.run({ order_id: "A-1234", seats: 2, secret, ...message }, {}, ["quarantined"]);
      }
    }
    const asked = questions.map((one) =>
      JSON.stringify(one).replaceAll(/message [\da-f]+|end [\da-f]+/g, "mark"),
    );
    expect(asked).toHaveLength(2 * Kind.options.length);
    expect(new Set(asked).size).toBe(2);
  });
});

it("a value of a sensitive place is not moved by a recipe or first aid to where viewers read it", () => {
  const { jsonSchema: schema } = Open;
  const value = { order_id: "A-1234", seats: 2, account: ACCOUNT };
  const context = { schema, value, text: JSON.stringify(value) };
  const exposed = (repaired: JsonValue) => findExposed(context, repaired).map(({ path }) => path);
  expect(exposed({ ...value, note: ACCOUNT })).toEqual(["/note"]);
  expect(exposed({ ...value, tags: { x: `pay ${ACCOUNT.toLowerCase()}` } })).toEqual(["/tags/x"]);
  expect(exposed({ ...value, tags: {}, note: "x" })).toEqual([]);
  const before = { ...value, note: `see ${ACCOUNT}` };
  expect(findExposed({ schema, value: before, text: "" }, { ...before, seats: 3 })).toEqual([]);
  // A text from a place that the contract does not know finds its own; what it quotes stays masked, or it is refused.
  const lost = { ...context, value: { ...value, remark: { text: `pay to ${ACCOUNT}` } } };
  expect(findExposed(lost, { ...value, note: `pay to ${ACCOUNT}` })).toEqual([]);
  expect(findExposed(lost, { order_id: "A-1234", seats: 2, note: `pay to ${ACCOUNT}` })).toHaveLength(1);
});

describe("the labels of a repaired value", () => {
  /** Pays by the order alone, and refuses an order that outside text chose. */
  const guard: GuardDeclaration = { mayCause: ["pay"], refusesTaint: { pay: ["customer"] } };

  /** The sender vouches for the order; everything else is the customer's. */
  const conversation = { metadata: { taint: { "": ["customer"], "/order_id": [], "/seats": [] } } };

  async function openPaying(declared: GuardDeclaration = guard) {
    const payments: string[] = [];
    const system = await openSurgeonAtWork({
      guard: declared,
      handle: async ({ order_id, seats }, ctx) => {
        await ctx.once(`pay:${order_id}`, async () => void payments.push(order_id), { uses: ["/order_id"] });
        return ctx.complete({ order_id, seats });
      },
    });
    return { system, payments };
  }

  function refusedCase(system: SurgeonTestSystem, runId: string): Promise<CaseDetail> {
    return system.untilCase(runId, ({ status, diagnosis }) => {
      return status === "quarantined" && (diagnosis ?? "").includes("may not cause pay");
    });
  }

  describe("a place that the sender declared clean", () => {
    it("is not clean any more when the surgeon's model filled it, and the payment waits for a person", async () => {
      const { system, payments } = await openPaying();
      system.endpoint.answer = () => repairWith({ order_id: "A-6666", seats: 2, reason: "other" });
      const broken = { order_id: "?", seats: 2, reason: "something about A-6666, other" };
      const { runId } = await system.submit(broken, { conversation });
      const one = await refusedCase(system, runId);
      expect(payments).toEqual([]);
      await system.decide(one.case_id, "release", { why: "read it" });
      expect((await system.until(runId)).status).toBe("completed");
      expect(payments).toEqual(["A-6666"]);
    });

    it("takes the label of the place that a value was moved from without a model", async () => {
      const { system, payments } = await openPaying();
      const { runId } = await system.submit({ "Order ID": "A-6666", seats: 2 }, { conversation });
      await refusedCase(system, runId);
      expect({ payments, asked: system.endpoint.questions }).toEqual({ payments: [], asked: [] });
    });

    it("stays clean when only its form was mended, or another place was", async () => {
      const { system, payments } = await openPaying();
      const first = await system.submit({ order_id: " A-1234 ", seats: 2 }, { conversation });
      expect((await system.until(first.runId)).status).toBe("completed");
      expect(
        (await system.run({ order_id: "A-5678", seats: "2", reason: "LATE" }, { conversation })).status,
      ).toBe("completed");
      expect(payments).toEqual(["A-1234", "A-5678"]);
    });

    it("is not clean in a text that had to be read: its labels were given to another shape", async () => {
      const { system, payments } = await openPaying();
      const { runId } = await system.submit(`{"order_id": "A-6666", seats: 2}`, { conversation });
      await refusedCase(system, runId);
      expect(payments).toEqual([]);
    });

    it("takes the labels of the query when a person's value stands there, and none when it is the person's own", async () => {
      for (const [order_id, paid] of [
        ["A-6666", false],
        ["A-4321", true],
      ] as const) {
        const { system, payments } = await openPaying();
        const sent = await system.submit(
          { order_id: "?", seats: 2 },
          { conversation, user: { original_query: "refund A-6666" } },
        );
        const one = await system.untilCase(sent.runId, ({ status }) => status === "quarantined");
        const payload = JSON.stringify({ order_id, seats: 2 });
        await system.decide(one.case_id, "release", { payload });
        if (paid) expect((await system.until(sent.runId)).status).toBe("completed");
        else await refusedCase(system, sent.runId);
        expect(payments).toEqual(paid ? [order_id] : []);
      }
    });
  });

  it("takes the labels that the receiver itself declares for what the model was shown", async () => {
    const { system, payments } = await openPaying({
      ...guard,
      untrusted: { payload: { "/reason": "customer" } },
    });
    system.endpoint.answer = () => repairWith({ order_id: "A-6666", seats: 2, reason: "other" });
    const { runId } = await system.submit({
      order_id: "?",
      seats: 2,
      reason: "something about A-6666, other",
    });
    await refusedCase(system, runId);
    expect(payments).toEqual([]);
  });
});
