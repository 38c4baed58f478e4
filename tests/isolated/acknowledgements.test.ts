import { expect, it } from "vitest";
import { timestamp } from "#shared/clock";
import { rankOf } from "#shared/store/runs";
import { openIsolatedStage } from "./stage.ts";
import type { IsolatedStage } from "./stage.ts";
import { compromise, entryOf, WAIT_MS } from "./compromised.ts";
// As processes of agents load it.
import hurry, { WITHIN_MS } from "./hurry-teams/hurry/team.ts";

const HURRY = { team: hurry, folder: "tests/isolated/hurry-teams" };
const TEST_MS = 120_000;

const submit = (stage: IsolatedStage, id: string, ms = 0): Promise<string> =>
  stage.send(id, { target_agent: "caller", contract: "hurry.work@1", data_payload: { id, ms } });

/** Where the message of one agent is, as the run's record has it. */
async function messageAt({ world }: IsolatedStage, runId: string, name: string) {
  const find = async () =>
    (await world.store.runs.messages(runId)).find(({ agent }) => agent === name) ?? null;
  await expect.poll(find, { timeout: WAIT_MS }).not.toBeNull();
  const message = await find();
  if (message === null) throw new Error("it is not there");
  return message;
}

const waiting = ({ world }: IsolatedStage): Promise<number> =>
  world.store.redis.zcard(world.store.keys.acknowledgements("runs"));

it(
  "takes back what its receiver does not take in time, once, and leaves what it works on",
  async () => {
    const stage = await openIsolatedStage(HURRY);
    stage.spawnRelay();
    for (const agent of ["caller", "second"]) stage.spawnAgent(agent);
    const runId = await submit(stage, "t-1");
    expect(await stage.until(runId)).toMatchObject({ status: "completed", result: { by: "second" } });
    const { store } = stage.world;
    const first = await messageAt(stage, runId, "first");
    const before = await store.runs.events(runId, { from: 0, limit: 100 });
    // Whoever comes late finds that it was taken back, and one that is slow but at work keeps its message.
    stage.spawnAgent("first");
    const job = store.keys.job("first", "first", first.message_id);
    await expect.poll(() => store.redis.hexists(job, "finishedOn"), { timeout: WAIT_MS }).toBe(1);
    expect(await store.runs.events(runId, { from: 0, limit: 100 })).toEqual(before);
    const slow = await submit(stage, "t-2", 3 * WITHIN_MS);
    expect(await stage.until(slow)).toMatchObject({ status: "completed", result: { by: "first" } });
    await expect.poll(() => waiting(stage), { timeout: WAIT_MS }).toBe(0);
    expect(await stage.refusedByRedis()).toEqual([]);
  },
  TEST_MS,
);

it(
  "is not kept by another agent's word, nor taken back by its sender's",
  async () => {
    const stage = await openIsolatedStage(HURRY);
    stage.spawnRelay();
    stage.spawnAgent("caller");
    const second = compromise(stage, "second");
    const caller = compromise(stage, "caller");
    const { keys } = stage.world.store;
    const place = keys.acknowledgements("runs");
    for (const { raw } of [second, caller]) {
      await expect(raw.zadd(place, 0, "x|first")).rejects.toThrow("NOPERM");
      await expect(raw.zrange(place, "0", "-1")).rejects.toThrow("NOPERM");
      await expect(raw.hset(keys.ledger("first", "x"), "accepted", timestamp())).rejects.toThrow("NOPERM");
    }
    const runId = await submit(stage, "t-1");
    const { message_id: messageId } = await messageAt(stage, runId, "first");
    const held = { runId, messageId };
    const early = caller.eventOf(held, "rejected", { moves: { state: "in_ward", rank: rankOf.ward(0) } });
    await caller.ask(entryOf([early]));
    await caller.ask(entryOf([{ ...early, event: { ...early.event, agent: "first" } }]));
    const accepted = second.eventOf(held, "accepted", { starts: true });
    const { moves: _moves, ...notice } = accepted;
    await second.ask(entryOf([notice]));
    await second.ask(entryOf([{ ...notice, event: { ...notice.event, agent: "first" } }]));
    await second.ask(entryOf([second.eventOf(held, "completed", { result: {} })]));
    const state = async (): Promise<string> => (await messageAt(stage, runId, "first")).state;
    // In its own time, and by nobody's word: the ward hands it to the second one.
    await expect.poll(state, { timeout: WAIT_MS }).toBe("closed");
    expect(await messageAt(stage, runId, "second")).toMatchObject({ state: "open" });
    const events = await stage.world.store.runs.events(runId, { from: 0, limit: 100 });
    expect(events.filter(({ type }) => type === "rejected")).toMatchObject([
      { message_id: messageId, agent: "first", detail: { code: "HANDOFF_NOT_ACKNOWLEDGED" } },
    ]);
  },
  TEST_MS,
);

it(
  "is kept by the receiver's own word, of this message alone",
  async () => {
    const stage = await openIsolatedStage(HURRY);
    stage.spawnRelay();
    stage.spawnAgent("caller");
    stage.spawnAgent("second");
    const first = compromise(stage, "first");
    const { keys } = stage.world.store;
    const kept = await submit(stage, "t-1");
    const { message_id: messageId } = await messageAt(stage, kept, "first");
    await first.raw.hset(keys.ledger("first", messageId), "accepted", timestamp());
    const other = await submit(stage, "t-2");
    expect(await stage.until(other)).toMatchObject({ status: "completed", result: { by: "second" } });
    await expect.poll(() => waiting(stage), { timeout: WAIT_MS }).toBe(0);
    expect(await messageAt(stage, kept, "first")).toMatchObject({ state: "open" });
  },
  TEST_MS,
);
