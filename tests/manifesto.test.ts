import { describe, expect, it } from "vitest";
import { z } from "zod";
import { uuidv7 } from "#shared/clock";
import { contract } from "#shared/contract";
import { createMaster, issueKeyring } from "#shared/envelope/keys";
import { createNext } from "#shared/envelope";
import { digestOf, sealBytes } from "#shared/envelope/seals";
import type { Envelope } from "#shared/envelope";
import type { Keyring } from "#shared/envelope/keys";
import type { SealedMessage } from "#shared/envelope/seals";
import { agent, edgesOf, team } from "#shared/runtime";
import type { Context, Team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { findCases } from "#shared/ward";
import type { WardCase } from "#shared/ward";
import { operateOn } from "./support/operate-on.ts";

/** Pattern P25: the ten rules of the handoff manifesto, each by its name, on a real Redis. */

const Note = contract("note@1", z.object({ n: z.int() }));
type Handle = (input: { n: number }, ctx: Context<{ second: typeof Note }>) => ReturnType<typeof finish>;
const finish = (input: { n: number }, ctx: Pick<Context, "complete">) => ctx.complete(input);

const DAY_MS = 86_400_000;

/** What reached the second agent's handler: the envelope as it came. */
const arrived: Envelope[] = [];

function pair(options: { first?: Handle; second?: Handle; hopsMax?: number } = {}): Team {
  arrived.length = 0;
  const first = agent("first@1", {
    accepts: Note,
    to: { second: Note },
    handle: options.first ?? ((input, ctx) => ctx.handoff("second", input)),
  });
  const second = agent("second@1", {
    accepts: Note,
    to: { second: Note },
    handle: (input, ctx) => {
      arrived.push(ctx.envelope);
      return (options.second ?? finish)(input, ctx);
    },
  });
  return team("pair", [first, second], {
    loops: ["second>second"],
    ...(options.hopsMax === undefined ? {} : { hopsMax: options.hopsMax }),
  });
}

async function open(pairing: Team = pair()): Promise<TestSystem> {
  const system = createTestSystem(pairing);
  await system.start();
  return system;
}

/** Sealed without a look at what it says, as a sender would that keeps to no rules. */
function sealed(keyring: Keyring, envelope: Envelope): SealedMessage {
  const key = keyring.signing("first", "second");
  return sealBytes({ bytes: JSON.stringify(envelope), queue: "second", id: envelope.meta.message_id, key });
}

/** Puts a message from the first to the second agent into the queue itself, as whoever has Redis could. */
async function plant(
  system: TestSystem,
  change: (envelope: Envelope) => Envelope,
  message: (envelope: Envelope) => object = (envelope) => sealed(system.keyring, envelope),
): Promise<string> {
  const { envelope: parent } = await system.submit({ n: 1 });
  const child = createNext({
    parent,
    parentDigest: digestOf(JSON.stringify(parent)),
    from: "first@1",
    to: "second@1",
    contract: "note@1",
    payload: { n: 99 },
    index: 7,
  });
  const envelope = change(child);
  await system.store.queues.add({
    lane: "fresh",
    agent: "second",
    jobId: envelope.meta.message_id,
    data: { ...message(envelope) },
    delayMs: 0,
    priority: "normal",
  });
  return envelope.meta.message_id;
}

/** Why a message lies in the ward, once it does. */
async function wardClassOf(system: TestSystem, messageId: string): Promise<string> {
  let found: WardCase | undefined;
  await expect
    .poll(
      async () => {
        const { cases } = await findCases(system.store, { filter: {}, limit: 100 });
        found = cases.find(({ message_id }) => message_id === messageId);
        return found;
      },
      { timeout: 60_000 },
    )
    .toBeDefined();
  return found?.failure_class ?? "";
}

const planted = (): Envelope[] =>
  arrived.filter(({ data_payload }) => Reflect.get(Object(data_payload), "n") === 99);

describe("the handoff manifesto", () => {
  it.each([["plain words"], [["words"]], [{ n: "one" }], [null]])(
    "rule 1, structured: %j is of no contract, and reaches no handler",
    async (payload) => {
      const system = await open();
      const messageId = await plant(system, (envelope) => ({ ...envelope, data_payload: payload }));
      expect(await wardClassOf(system, messageId)).toBe("validation_error");
      expect(arrived.filter(({ meta }) => meta.message_id === messageId)).toEqual([]);
    },
  );

  it("rule 2, the original query: the user's own words arrive as they were said, whatever agents make of them", async () => {
    const query = "Wo bleibt meine Bestellung №\u00a017? \u{1f4e6}\n";
    const system = await open(
      pair({
        first: (input, ctx) =>
          ctx.handoff("second", input, { preserveHistory: false, reason: "other words" }),
      }),
    );
    const { runId } = await system.submit({ n: 1 }, { user: { original_query: query } });
    await system.until(runId);
    expect(arrived.map(({ user_context }) => user_context.original_query)).toEqual([query]);
  });

  it("rule 3, identity: a message says who sends it, and names nobody else", async () => {
    const system = await open();
    const { runId } = await system.submit({ n: 1 });
    await system.until(runId);
    expect(arrived.map(({ meta }) => [meta.source_agent, meta.path.at(-1)])).toEqual([
      ["first@1", "first@1"],
    ]);
    const messageId = await plant(system, (envelope) => ({
      ...envelope,
      meta: { ...envelope.meta, source_agent: "second@1" },
    }));
    expect(await wardClassOf(system, messageId)).toBe("untrusted");
    expect(planted()).toEqual([]);
  });

  it("rule 4, no blocking: who hands over is done, though nobody is there to take it", async () => {
    const system = createTestSystem(pair());
    const alone = await system.start({ only: ["first"] });
    const runs = await Promise.all(Array.from({ length: 10 }, (_, n) => system.submit({ n })));
    await expect
      .poll(() => system.store.queues.of("second", "fresh").getWaitingCount(), { timeout: 60_000 })
      .toBe(10);
    await alone.stop(0);
    await system.start({ only: ["second"] });
    for (const { runId } of runs) expect((await system.until(runId)).status).toBe("completed");
  });

  it("rule 5, rejections: what one will not do goes to another", async () => {
    const able = agent("able@1", { accepts: Note, handle: finish });
    const unable = agent("unable@1", { accepts: Note, handle: (_input, ctx) => ctx.reject("not my work") });
    const asks = agent("asks@1", {
      accepts: Note,
      to: { unable: Note },
      handle: (input, ctx) => ctx.handoff("unable", input),
    });
    const system = createTestSystem(
      team("three", [asks, unable, able], { fallbacks: { "asks>unable": ["able"] } }),
    );
    operateOn(system);
    await system.start();
    const { runId } = await system.submit({ n: 4 });
    expect(await system.until(runId)).toMatchObject({ status: "completed", result: { n: 4 } });
    const events = await system.store.runs.events(runId, { from: 0, limit: 50 });
    expect(events.find(({ type }) => type === "rejected")).toMatchObject({ agent: "unable" });
  });

  it("rule 6, expiry: a day, unless the task says otherwise, and what is older is not handled", async () => {
    const system = await open();
    const { envelope } = await system.submit({ n: 1 });
    const { timestamp, expires_at } = envelope.meta;
    expect(Date.parse(expires_at ?? "") - Date.parse(timestamp)).toBe(DAY_MS);
    const past = new Date(Date.now() - 1000).toISOString();
    const { runId } = await system.submit({ n: 2 }, { nowMs: Date.now() - DAY_MS - 1000 });
    expect(await system.until(runId)).toMatchObject({ status: "expired" });
    const old = await plant(system, (child) => ({ ...child, meta: { ...child.meta, expires_at: past } }));
    const queue = system.store.queues.of("second", "fresh");
    await expect.poll(async () => (await queue.getJob(old))?.isCompleted(), { timeout: 60_000 }).toBe(true);
    expect(planted()).toEqual([]);
  });

  it("rule 7, tracing: every message of a run has its trace id, and one without is refused", async () => {
    const system = await open();
    const { runId, envelope } = await system.submit({ n: 1 });
    await system.until(runId);
    expect(arrived.map(({ meta }) => meta.trace_id)).toEqual([envelope.meta.trace_id]);
    expect(envelope.meta.trace_id).toMatch(/^[0-9a-f]{32}$/);
    const messageId = await plant(system, (child) => ({
      ...child,
      meta: { ...child.meta, trace_id: "0".repeat(32) },
    }));
    expect(await wardClassOf(system, messageId)).toBe("validation_error");
    expect(planted()).toEqual([]);
  });

  it("rule 8, authentication: a sender without the edge's key is nobody", async () => {
    const system = await open();
    const stranger = issueKeyring({ master: createMaster(), agent: "first", edges: edgesOf([system.team]) });
    const forged = await plant(
      system,
      (envelope) => envelope,
      (envelope) => sealed(stranger, envelope),
    );
    const changed = await plant(
      system,
      (envelope) => ({ ...envelope, meta: { ...envelope.meta, message_id: uuidv7() } }),
      (envelope) => {
        const message = sealed(system.keyring, envelope);
        return { ...message, sealed: message.sealed.replace('"n":99', '"n":98') };
      },
    );
    for (const messageId of [forged, changed]) expect(await wardClassOf(system, messageId)).toBe("untrusted");
    expect(planted()).toEqual([]);
  });

  it("rule 9, hops: ten agents in a chain by default, and the next handoff ends it", async () => {
    const system = await open(pair({ second: (input, ctx) => ctx.handoff("second", { n: input.n + 1 }) }));
    const { runId } = await system.submit({ n: 0 });
    expect(await system.until(runId, ["quarantined", "failed"])).toMatchObject({ status: "quarantined" });
    const events = await system.store.runs.events(runId, { from: 0, limit: 100 });
    expect(JSON.stringify(events.at(-1)?.detail)).toContain("hop_limit");
    expect(arrived.at(-1)?.meta.hop_count).toBe(10);
  });

  it("rule 10, fallback: where nobody can go on, a person is asked", async () => {
    const refuses: Handle = (_input, ctx) => ctx.reject("nobody can");
    const system = createTestSystem(pair({ second: refuses }));
    operateOn(system);
    await system.start();
    const { runId } = await system.submit({ n: 1 });
    expect(await system.until(runId, ["quarantined"])).toMatchObject({ status: "quarantined" });
    const { cases } = await findCases(system.store, { filter: { status: "quarantined" }, limit: 10 });
    expect(cases.map(({ run_id }) => run_id)).toEqual([runId]);
  });
});
