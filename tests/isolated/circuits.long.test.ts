import { expect, it } from "vitest";
import type { CircuitState } from "#shared/store/feedback";
import { rankOf } from "#shared/store/runs";
import type { Admission } from "#shared/store/settlement";
import { admission } from "#shared/runtime/settle";
import { WAIT_MS } from "../crash-points/struck-process.ts";
import { compromise } from "./compromised.ts";
import { entryOf } from "./forge-entry.ts";
import type { HeldMessage } from "./forge-entry.ts";
import { openIsolatedDeployment } from "./deployment.ts";
import works, { Part } from "./circuit-teams/works/team.ts";

async function openWorks() {
  const deployment = await openIsolatedDeployment({ team: works, folder: "tests/isolated/circuit-teams" });
  const { system, gateway } = deployment;
  const { store } = system;
  let count = 0;
  const order = async (by: "maker" | "press", isBad = false): Promise<string> => {
    const task = { input: { id: `order ${(count += 1)}`, by, isBad }, team: "works" };
    const answer = await gateway.post("/v1/tasks", task);
    expect(answer.status, await answer.clone().text()).toBe(202);
    return ((await answer.json()) as { run_id: string }).run_id;
  };
  const orders = (by: "maker" | "press", many: number, isBad = false): Promise<string[]> =>
    Promise.all(Array.from({ length: many }, () => order(by, isBad)));
  const untilState = (agent: string, state: CircuitState): Promise<void> =>
    expect
      .poll(async () => (await store.circuits.find(agent))?.state, { timeout: WAIT_MS, interval: 50 })
      .toBe(state);
  /** Until relays have twice told what they counted: everything counted before is judged then. */
  const untilJudged = async (): Promise<void> => {
    for (let turn = 0; turn < 2; turn += 1) {
      const place = store.keys.ward("circuits");
      const last = await store.redis.zscore(place, "maker");
      await expect.poll(() => store.redis.zscore(place, "maker"), { timeout: WAIT_MS }).not.toBe(last);
    }
  };
  const pathOf = async (runId: string): Promise<unknown> =>
    ((await deployment.until(runId)).result as { readonly path: unknown }).path;
  const waiting = (agent: string): Promise<number> => store.queues.of(agent, "fresh").getWaitingCount();
  return { ...deployment, store, order, orders, untilState, untilJudged, pathOf, waiting };
}

/** What `agent` admits to the ward of a message that it holds, with whatever it says of who made it. */
function deadMessage(
  agent: string,
  keyring: Parameters<typeof admission>[0]["keyring"],
  held: HeldMessage,
  producer: string,
): Admission {
  const failure = {
    failure_class: "validation_error",
    code: "PAYLOAD_INVALID",
    message: "The payload is not what its contract says.",
    remedy: "None.",
    severity: "recoverable",
    direction: "in",
    agent: `${agent}@1`,
    contract: Part.id,
    issues: [],
    step: null,
    model: null,
    prompt_version: null,
    at: new Date().toISOString(),
  } as const;
  return admission(
    { keyring, id: `${agent}@1`, team: "works", runId: held.runId },
    {
      messageId: held.messageId,
      message: { envelope: held.envelope, bytes: held.bytes },
      stored: held.data,
      agent,
      contract: Part,
      subject: { kind: "payload" },
      disposition: "quarantine",
      failures: [failure],
      producer,
    },
  );
}

it("are out of a compromised agent's hands: its own, another's, and what a trial counts", async () => {
  const deployment = await openWorks();
  const { store, order, orders, untilJudged, untilState } = deployment;
  deployment.spawnRelay();
  deployment.spawnAgent("front");
  const maker = compromise(deployment, "maker");
  const room = compromise(deployment, "room");
  const malformed = async (agent: string): Promise<number> =>
    (await store.circuits.countedSince(agent, 0)).malformed;
  const accuse = async (held: HeldMessage, producer: string): Promise<void> => {
    const moves = { state: "quarantined", rank: rankOf.ward(0) };
    const admissions = [deadMessage("room", room.ring, held, producer)];
    await room.ask(entryOf([room.eventOf(held, "quarantined", { moves })], { admissions }));
  };
  const part = (holes: unknown) => ({ to: "room", contract: Part.id, payload: { id: "x", holes } });

  // Redis lets it read what it has to obey, and write nothing of it.
  await untilJudged();
  const own = store.keys.circuit("maker");
  for (const write of [
    ["HSET", own, "state", "closed"],
    ["DEL", own],
    ["HSET", store.keys.circuit("spare"), "state", "open"],
    ["DEL", store.keys.ward("circuit-window:maker")],
    ["HGETALL", store.keys.circuit("press")],
    ["HGETALL", store.keys.ward("circuit-window:maker")],
  ])
    await expect(maker.raw.call(write[0] ?? "", ...write.slice(1)), write.join(" ")).rejects.toThrow(
      "NOPERM",
    );
  expect(await maker.raw.hget(own, "state")).toBe("closed");

  // It cannot open another's: sound messages that it calls malformed are not.
  for (const runId of await orders("maker", 5)) {
    await maker.ask(maker.handOn(await maker.hold(runId), part(3)));
    await accuse(await room.hold(runId), "maker@1");
  }
  await untilJudged();
  expect([await malformed("maker"), (await store.circuits.find("maker"))?.state]).toEqual([0, "closed"]);

  // A malformed one counts for who sealed it, once, whatever the receiver says and however often.
  const bad = await order("maker");
  await maker.ask(maker.handOn(await maker.hold(bad), part("three")));
  const heldBad = await room.hold(bad);
  await accuse(heldBad, "front@1");
  for (let turn = 0; turn < 5; turn += 1) await accuse(heldBad, "maker@1");
  expect([await malformed("front"), await malformed("maker")]).toEqual([0, 0]);
  const worse = await order("maker");
  await maker.ask(maker.handOn(await maker.hold(worse), part("three")));
  const heldWorse = await room.hold(worse);
  for (let turn = 0; turn < 5; turn += 1) await accuse(heldWorse, "maker@1");
  expect(await malformed("maker")).toBe(1);

  // On trial, scrap is not what brings it back.
  await store.circuits.set({ agent: "maker", to: "open", by: "ada", why: "to try it" });
  await store.redis.hset(own, { held_by: "", until_ms: 1 });
  await untilState("maker", "half_open");
  await untilJudged();
  const scrap = await untilSent(4);
  await untilJudged();
  expect((await store.circuits.find("maker"))?.state).toBe("half_open");
  for (const held of scrap) await accuse(held, "maker@1");
  await untilState("maker", "open");
  expect((await deployment.refusedByRedis()).length).toBeGreaterThan(0);

  /** Orders until so many of the trial's share came to the maker, which makes scrap of them. */
  async function untilSent(many: number): Promise<readonly HeldMessage[]> {
    const sent: HeldMessage[] = [];
    while (sent.length < many) {
      const runId = await order("maker");
      const find = async (): Promise<string | undefined> =>
        (await store.runs.messages(runId)).find(({ agent }) => agent === "maker" || agent === "spare")?.agent;
      await expect.poll(find, { timeout: WAIT_MS }).toBeDefined();
      if ((await find()) === "spare") continue;
      await maker.ask(maker.handOn(await maker.hold(runId), part("three")));
      sent.push(await room.hold(runId));
    }
    return sent;
  }
}, 240_000);
