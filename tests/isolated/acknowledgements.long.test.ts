import { expect, it } from "vitest";
import { timestamp } from "#shared/clock";
import { rankOf } from "#shared/store/runs";
import { openIsolatedDeployment } from "./deployment.ts";
import type { IsolatedDeployment } from "./deployment.ts";
import { compromise, WAIT_MS } from "./compromised.ts";
import { entryOf } from "./forge-entry.ts";
// As processes of agents load it.
import hurry from "./hurry-teams/hurry/team.ts";

const HURRY = { team: hurry, folder: "tests/isolated/hurry-teams" };
const TEST_MS = 120_000;

const submit = (deployment: IsolatedDeployment, id: string, ms = 0): Promise<string> =>
  deployment.send(id, { target_agent: "caller", contract: "hurry.work@1", data_payload: { id, ms } });

/** Where the message of one agent is, as the run's record has it. */
async function messageAt({ system }: IsolatedDeployment, runId: string, name: string) {
  const find = async () =>
    (await system.store.runs.messages(runId)).find(({ agent }) => agent === name) ?? null;
  await expect.poll(find, { timeout: WAIT_MS }).not.toBeNull();
  const message = await find();
  if (message === null) throw new Error("it is not there");
  return message;
}

const waiting = ({ system }: IsolatedDeployment): Promise<number> =>
  system.store.redis.zcard(system.store.keys.acknowledgements("runs"));

it(
  "is not kept by another agent's word, nor taken back by its sender's",
  async () => {
    const deployment = await openIsolatedDeployment(HURRY);
    deployment.spawnRelay();
    deployment.spawnAgent("caller");
    const second = compromise(deployment, "second");
    const caller = compromise(deployment, "caller");
    const { keys } = deployment.system.store;
    const place = keys.acknowledgements("runs");
    for (const { raw } of [second, caller]) {
      await expect(raw.zadd(place, 0, "x|first")).rejects.toThrow("NOPERM");
      await expect(raw.zrange(place, "0", "-1")).rejects.toThrow("NOPERM");
      await expect(raw.hset(keys.ledger("first", "x"), "accepted", timestamp())).rejects.toThrow("NOPERM");
    }
    const runId = await submit(deployment, "t-1");
    const { message_id: messageId } = await messageAt(deployment, runId, "first");
    const held = { runId, messageId };
    const early = caller.eventOf(held, "rejected", { moves: { state: "in_ward", rank: rankOf.ward(0) } });
    await caller.ask(entryOf([early]));
    await caller.ask(entryOf([{ ...early, event: { ...early.event, agent: "first" } }]));
    const accepted = second.eventOf(held, "accepted", { starts: true });
    const { moves: _moves, ...notice } = accepted;
    await second.ask(entryOf([notice]));
    await second.ask(entryOf([{ ...notice, event: { ...notice.event, agent: "first" } }]));
    await second.ask(entryOf([second.eventOf(held, "completed", { result: {} })]));
    const state = async (): Promise<string> => (await messageAt(deployment, runId, "first")).state;
    // In its own time, and by nobody's word: the ward hands it to the second one.
    await expect.poll(state, { timeout: WAIT_MS }).toBe("closed");
    expect(await messageAt(deployment, runId, "second")).toMatchObject({ state: "open" });
    const events = await deployment.system.store.runs.events(runId, { from: 0, limit: 100 });
    expect(events.filter(({ type }) => type === "rejected")).toMatchObject([
      { message_id: messageId, agent: "first", detail: { code: "HANDOFF_NOT_ACKNOWLEDGED" } },
    ]);
  },
  TEST_MS,
);

it(
  "is kept by the receiver's own word, of this message alone",
  async () => {
    const deployment = await openIsolatedDeployment(HURRY);
    deployment.spawnRelay();
    deployment.spawnAgent("caller");
    deployment.spawnAgent("second");
    const first = compromise(deployment, "first");
    const { keys } = deployment.system.store;
    const kept = await submit(deployment, "t-1");
    const { message_id: messageId } = await messageAt(deployment, kept, "first");
    await first.raw.hset(keys.ledger("first", messageId), "accepted", timestamp());
    const other = await submit(deployment, "t-2");
    expect(await deployment.until(other)).toMatchObject({ status: "completed", result: { by: "second" } });
    await expect.poll(() => waiting(deployment), { timeout: WAIT_MS }).toBe(0);
    expect(await messageAt(deployment, kept, "first")).toMatchObject({ state: "open" });
  },
  TEST_MS,
);
