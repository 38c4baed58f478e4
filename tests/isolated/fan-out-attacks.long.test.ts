import { describe, expect, it } from "vitest";
import { uuidv7 } from "#shared/clock";
import { branchOf, childIdOf } from "#shared/envelope";
import type { Branch, Envelope } from "#shared/envelope";
import { admission } from "#shared/runtime/settle";
import type { Job } from "#shared/store/queues";
import { rankOf } from "#shared/store/runs";
import { openIsolatedDeployment, setPaused } from "./deployment.ts";
import type { IsolatedDeployment } from "./deployment.ts";
import { compromise, WAIT_MS } from "./compromised.ts";
import type { Compromised } from "./compromised.ts";
import { entryOf, opens } from "./forge-entry.ts";
import type { Child, HeldMessage } from "./forge-entry.ts";
// As processes of agents load it.
import harvest from "./fan-out-teams/harvest/team.ts";

const HARVEST = { team: harvest, folder: "tests/isolated/fan-out-teams" };

const WAITING = ["running", "quarantined"];

/** A harvest that one agent is in somebody else's hands of. All others are at work, but for those that are idle. */
async function openHarvest(
  own: string,
  { idle = [], env = {} }: { readonly idle?: readonly string[]; readonly env?: Record<string, string> } = {},
) {
  const deployment = await openIsolatedDeployment(HARVEST);
  deployment.spawnRelay({ env });
  for (const agent of deployment.agents)
    if (agent !== own && !idle.includes(agent)) deployment.spawnAgent(agent);
  return { deployment, store: deployment.system.store, agent: compromise(deployment, own) };
}

let turn = 0;

function planOf(more: object = {}): Readonly<Record<string, unknown>> {
  turn += 1;
  const data_payload = { id: `plan-${turn}`, picked: 2, packed: 2, window: 9, ...more };
  return { target_agent: "foreman", contract: "harvest.plan@1", data_payload };
}

const submit = (deployment: IsolatedDeployment, more: object = {}): Promise<string> => {
  const task = planOf(more);
  return deployment.send(`plan-${turn}`, task);
};

/** What the runs' slot knows of the fan-out of a branch. */
async function fanOutOf({ system }: IsolatedDeployment, held: HeldMessage) {
  const record = await system.store.fanOuts.find("runs", branchIn(held).fan_out);
  if (record === null) throw new Error("the fan-out is not there");
  return record;
}

/** As {@link fanOutOf}; a branch whose message waits in the ward is one that still runs. */
async function progressOf(deployment: IsolatedDeployment, held: HeldMessage): Promise<unknown> {
  const record = await fanOutOf(deployment, held);
  return { ...record, states: record.states.map((state) => (state === "parked" ? "started" : state)) };
}

function branchIn({ envelope }: HeldMessage): Branch {
  const branch = branchOf(envelope.meta);
  if (branch === null) throw new Error("it belongs to no branch");
  return branch;
}

const basket = (more: Partial<Child> = {}): Child => ({
  to: "barn",
  contract: "harvest.basket@1",
  payload: { row: 99 },
  ...more,
});

describe("an agent of one branch", () => {
  type Forge = (own: HeldMessage, other: HeldMessage, picker: Compromised) => unknown;

  const handing =
    (child: (own: HeldMessage, other: HeldMessage) => Partial<Child>): Forge =>
    (own, other, picker) => {
      const send = picker.childOf(own, basket(child(own, other)));
      return entryOf([picker.eventOf(own, "handed_off", opens(send))], { sends: [send] });
    };

  /** Every entry is about `own`, a message of branch 0; `other` is of another run's fan-out. */
  const FORGERIES: Readonly<Record<string, Forge>> = {
    "answers for another branch": handing((own) => ({ branch: { ...branchIn(own), index: 3 } })),
    "answers for a branch that there is none of": handing((own) => ({
      branch: { ...branchIn(own), index: 77 },
    })),
    "answers for another run's fan-out": handing((_, other) => ({ branch: branchIn(other) })),
    "leaves its branch": handing(() => ({ branch: null })),
    "takes a fan-out for its own that nobody opened": handing((own) => ({
      branch: { ...branchIn(own), fan_out: uuidv7() },
    })),
    "lets the join go": handing((own) => ({ joins: branchIn(own).fan_out })),
    "lets the join of another run go": handing((_, other) => ({ joins: branchIn(other).fan_out })),
    "hands on in two branches": (own, _, picker) => {
      const first = picker.childOf(own, basket());
      const second = picker.childOf(own, basket({ index: 1, branch: { ...branchIn(own), index: 2 } }));
      const change = picker.eventOf(own, "handed_off", opens(first, second));
      return entryOf([change], { sends: [first, second] });
    },
    "ends the run": (own, _, picker) => entryOf([picker.eventOf(own, "ended", { end: "failed" })]),
    "gives the run a result": (own, _, picker) =>
      entryOf([picker.eventOf(own, "completed", { result: { rows: [1, 2, 3] } })]),
    "gives the run an error": (own, _, picker) =>
      entryOf([picker.eventOf(own, "ended", { error: { class: "x", code: "X", message: "x" } })]),
    "counts another branch as back": (own, _, picker) =>
      entryOf([picker.eventOf(own, "completed")], {
        collected: { fanOutId: branchIn(own).fan_out, index: 2, answer: "{}" },
      }),
    "counts a branch of another run as back": (own, other, picker) =>
      entryOf([picker.eventOf(own, "completed")], {
        collected: { fanOutId: branchIn(other).fan_out, index: 0, answer: "{}" },
      }),
    "counts a branch as back and hands on": (own, _, picker) => {
      const send = picker.childOf(own, basket());
      return entryOf([picker.eventOf(own, "handed_off", opens(send))], {
        sends: [send],
        collected: { fanOutId: branchIn(own).fan_out, index: 0, answer: "{}" },
      });
    },
    "opens its own fan-out anew, with more branches": (own, _, picker) => {
      const { fan_out: fanOutId } = branchIn(own);
      const message = picker.childOf(own, { ...basket(), index: 0, joins: fanOutId });
      const change = picker.eventOf(own, "handed_off", opens({ ...message, jobId: fanOutId }));
      return entryOf([change], {
        fanOut: fanOut({ join: "barn", message: { ...message, jobId: fanOutId } }),
      });
    },
    "opens a fan-out that an agent joins who joins none": (own, _, picker) => {
      const message = picker.childOf(own, { to: "packer", contract: "harvest.row@1", payload: {} });
      return entryOf([picker.eventOf(own, "handed_off", opens(message))], {
        fanOut: fanOut({ join: "packer", message }),
      });
    },
    "has the ward send what is of another branch": (own, _, picker) => {
      const send = picker.childOf(own, basket({ branch: { ...branchIn(own), index: 3 } }));
      const opened = picker.eventOf(own, "handed_off", opens(send));
      const dead = picker.eventOf({ ...own, messageId: send.jobId }, "in_ward", {
        moves: { state: "in_ward", rank: rankOf.ward(0) },
      });
      return entryOf([opened, { ...dead, event: { ...dead.event, agent: "barn" } }], {
        admissions: [admitted(own, picker, send)],
      });
    },
  };

  const fanOut = (more: { readonly join: string; readonly message: Job }): object => ({
    needed: 0,
    least: 0,
    window: 1,
    bytesMax: 1000,
    deadlineMs: null,
    held: [],
    ...more,
  });

  /** A message that it sealed and says it could not send. */
  function admitted(own: HeldMessage, picker: Compromised, send: Job) {
    const admitter = { keyring: picker.ring, id: "picker@1", team: "harvest", runId: own.runId };
    const bytes = String(send.data["sealed"]);
    return admission(admitter, {
      messageId: send.jobId,
      agent: send.agent,
      message: { envelope: JSON.parse(bytes) as Envelope, bytes },
      stored: send.data,
      contract: null,
      subject: { kind: "payload" },
      disposition: "operate",
      failures: [],
      producer: "picker@1",
    });
  }

  it("is refused whatever is about another branch, and the join goes on without it", async () => {
    const { deployment, store, agent: picker } = await openHarvest("picker");
    await setPaused(deployment, "packer", true);
    for (const [name, forge] of Object.entries(FORGERIES)) {
      const [own] = await picker.holdAll(await submit(deployment), 2);
      const [other] = await picker.holdAll(await submit(deployment), 2);
      if (own === undefined || other === undefined) throw new Error("it holds nothing");
      const before = await Promise.all([progressOf(deployment, own), progressOf(deployment, other)]);
      const messages = await store.runs.messages(own.runId);
      await picker.ask(forge(own, other, picker));
      expect(await Promise.all([progressOf(deployment, own), progressOf(deployment, other)]), name).toEqual(
        before,
      );
      const run = await store.runs.get(own.runId);
      expect(WAITING, name).toContain(run.status);
      expect(run, name).toMatchObject({ result: null, error: null, cost: 0 });
      const idsOf = (some: typeof messages): string[] => some.map(({ message_id }) => message_id).toSorted();
      expect(idsOf(await store.runs.messages(own.runId)), name).toEqual(idsOf(messages));
    }
  }, 240_000);

  it("answers once, however often it hands on, and takes no other branch's place", async () => {
    const { deployment, store, agent: picker } = await openHarvest("picker");
    const { keys, redis } = store;
    // The window leaves four rows waiting: whatever its branches say that they cost, these are started.
    const runId = await submit(deployment, { picked: 2, packed: 4, window: 2 });
    await setPaused(deployment, "packer", true);
    const held = await picker.holdAll(runId, 2);
    const [own, second] = held.toSorted((a, b) => branchIn(a).index - branchIn(b).index);
    if (own === undefined || second === undefined) throw new Error("it holds nothing");
    const { fan_out: fanOutId } = branchIn(own);
    // Past our code: what the runs' slot and the join's hold of other branches is neither read nor written.
    const places = ["runs", "barn"].map((slot) => keys.fanOut(slot, fanOutId));
    for (const place of places.flatMap((one) => [one, `${one}:held`, `${one}:answers`])) {
      await expect(picker.raw.hgetall(place)).rejects.toThrow("NOPERM");
      await expect(picker.raw.hset(place, "answered", "9")).rejects.toThrow("NOPERM");
    }
    await expect(picker.raw.zadd(keys.fanOuts("runs"), 0, fanOutId)).rejects.toThrow("NOPERM");
    await expect(picker.raw.hset(keys.outbox("runs"), "x", "{}")).rejects.toThrow("NOPERM");
    const cost = own.envelope.billing.cost_limit;
    const handOn = (from: HeldMessage, sends: readonly Job[]): Promise<void> =>
      picker.ask(entryOf([picker.eventOf(from, "handed_off", opens(...sends))], { sends }));
    const many = Array.from({ length: 15 }, (_, index) => picker.childOf(own, basket({ index, cost })));
    await handOn(own, many);
    const answered = async (): Promise<number> => (await fanOutOf(deployment, own)).answered;
    await expect.poll(answered, { timeout: WAIT_MS }).toBe(1);
    const areClosed = async (): Promise<boolean> =>
      (await store.runs.messages(runId)).every(
        ({ agent, branch, state }) => agent !== "barn" || branch === null || state === "closed",
      );
    await expect.poll(areClosed, { timeout: WAIT_MS }).toBe(true);
    expect(await fanOutOf(deployment, own)).toMatchObject({
      answered: 1,
      firedBy: null,
      costMicro: 0,
      states: ["answered", "started", "started", "held", "held", "held"],
    });
    await handOn(second, [picker.childOf(second, basket({ cost, payload: { row: 1 } }))]);
    await expect.poll(answered, { timeout: WAIT_MS }).toBe(2);
    await setPaused(deployment, "packer", false);
    expect(await deployment.until(runId)).toMatchObject({
      status: "completed",
      result: { rows: [99, 1, 2, 3, 4, 5], missing: [] },
    });
    expect(await redis.hlen(`${keys.fanOut("runs", fanOutId)}:answers`)).toBe(6);
  }, 120_000);

  it("spends of its run's budget what it has told, whatever its messages say", async () => {
    const { deployment, agent: picker } = await openHarvest("picker", {
      env: { SUTURE_RELAY_COST_MAX: "100000" },
    });
    const own = await picker.hold(await submit(deployment, { picked: 1, packed: 3, window: 1 }));
    const send = picker.childOf(own, basket({ cost: 0 }));
    const cost = own.envelope.billing.cost_limit + 1;
    const change = picker.eventOf(own, "handed_off", { ...opens(send), cost });
    await picker.ask(entryOf([change], { sends: [send] }));
    const states = async (): Promise<unknown> => (await fanOutOf(deployment, own)).states;
    await expect.poll(states, { timeout: WAIT_MS }).toEqual(["answered", "failed", "failed", "failed"]);
    expect((await deployment.system.store.runs.messages(own.runId)).map(({ agent }) => agent)).not.toContain(
      "packer",
    );
  }, 120_000);

  it("that says nothing more is failed, and the others are brought together", async () => {
    const { deployment, agent: picker } = await openHarvest("picker");
    const runId = await submit(deployment);
    for (const own of await picker.holdAll(runId, 2)) {
      const { fan_out: fanOutId, index } = branchIn(own);
      // One of them as if it were the join itself.
      const said = index === 0 ? { collected: { fanOutId, index, answer: "{}" } } : {};
      await picker.ask(entryOf([picker.eventOf(own, "completed")], said));
    }
    expect(await deployment.until(runId)).toMatchObject({
      status: "completed",
      result: { rows: [2, 3], missing: [0, 1] },
    });
  }, 120_000);
});

describe("an agent that fans out", () => {
  type Forge = (own: HeldMessage, foreman: Compromised) => unknown;

  interface Made {
    readonly branches: readonly Job[];
    readonly message: Job;
    readonly fanOutId: string;
  }

  /** A fan-out as it would honestly be, to be spoilt. */
  function make(own: HeldMessage, foreman: Compromised, total = 3): Made {
    const fanOutId = childIdOf(own.messageId, { from: "foreman", to: "barn", index: total });
    const branches = Array.from({ length: total }, (_, index) =>
      foreman.childOf(own, rowOf({ index, branch: { fan_out: fanOutId, index, join: "barn" } })),
    );
    const message = foreman.childOf(own, {
      to: "barn",
      contract: "harvest.plan@1",
      payload: own.envelope.data_payload,
      index: total,
      joins: fanOutId,
    });
    return { branches, message, fanOutId };
  }

  const rowOf = (more: Partial<Child>): Child => ({
    to: "picker",
    contract: "harvest.row@1",
    payload: { row: 0, way: "plain" },
    ...more,
  });

  /** @param started - How many are sent at once; the others wait. */
  function entryFor(
    own: HeldMessage,
    foreman: Compromised,
    made: Made & { readonly started: number; readonly more?: object },
  ): unknown {
    const { branches, message, started, more = {} } = made;
    const sends = branches.slice(0, started);
    return entryOf([foreman.eventOf(own, "handed_off", opens(message, ...sends))], {
      sends,
      fanOut: {
        join: "barn",
        needed: branches.length,
        least: 0,
        window: 2,
        bytesMax: 1e6,
        deadlineMs: null,
        message,
        held: branches.slice(started).map((send, index) => ({ index: started + index, send })),
        ...more,
      },
    });
  }

  const spoiling =
    (
      spoil: (
        made: Made,
        own: HeldMessage,
        foreman: Compromised,
      ) => Partial<Made> & { readonly more?: object },
    ) =>
    (own: HeldMessage, foreman: Compromised): unknown => {
      const made = make(own, foreman);
      return entryFor(own, foreman, { ...made, started: 2, ...spoil(made, own, foreman) });
    };

  const branchAt = (made: Made, index: number, more: Partial<Branch> = {}): { readonly branch: Branch } => ({
    branch: { fan_out: made.fanOutId, index, join: "barn", ...more },
  });

  const FORGERIES: Readonly<Record<string, Forge>> = {
    "counts one branch twice": spoiling((made, own, foreman) => ({
      branches: [
        ...made.branches.slice(0, 2),
        foreman.childOf(own, rowOf({ index: 5, ...branchAt(made, 1) })),
      ],
    })),
    "sends the same branch twice": spoiling((made) => ({
      branches: [...made.branches.slice(0, 2), ...made.branches.slice(1, 2)],
    })),
    "numbers a branch beyond their count": spoiling((made, own, foreman) => ({
      branches: [
        ...made.branches.slice(0, 2),
        foreman.childOf(own, rowOf({ index: 9, ...branchAt(made, 9) })),
      ],
    })),
    "sends what is of no branch": spoiling((made, own, foreman) => ({
      branches: [...made.branches.slice(0, 2), foreman.childOf(own, rowOf({ index: 2, branch: null }))],
    })),
    "sends a branch of another fan-out": spoiling((made, own, foreman) => ({
      branches: [
        ...made.branches.slice(0, 2),
        foreman.childOf(own, rowOf({ index: 2, ...branchAt(made, 2, { fan_out: uuidv7() }) })),
      ],
    })),
    "sends a branch that another agent joins": spoiling((made, own, foreman) => ({
      branches: [
        ...made.branches.slice(0, 2),
        foreman.childOf(own, rowOf({ index: 2, ...branchAt(made, 2, { join: "clerk" }) })),
      ],
    })),
    "keeps a branch waiting that nobody sealed": spoiling((made) => ({
      branches: [...made.branches.slice(0, 2), { ...(made.branches[2] as Job), data: { sealed: "{}" } }],
    })),
    "keeps a branch waiting for an agent that it has no edge to": spoiling((made) => ({
      branches: [...made.branches.slice(0, 2), { ...(made.branches[2] as Job), agent: "clerk" }],
    })),
    "waits for more branches than there are": spoiling(() => ({ more: { needed: 9 } })),
    "has more under way than it says": spoiling(() => ({ more: { window: 1 } })),
    "keeps answers without end": spoiling(() => ({ more: { bytesMax: 1e12 } })),
    "lets another message wait": spoiling((made, own, foreman) => ({
      message: foreman.childOf(own, {
        to: "barn",
        contract: "harvest.plan@1",
        payload: {},
        index: 8,
        joins: made.fanOutId,
      }),
    })),
    "lets a message wait that does not say for what": spoiling((_made, own, foreman) => ({
      message: foreman.childOf(own, { to: "barn", contract: "harvest.plan@1", payload: {}, index: 3 }),
    })),
    "is joined by an agent that joins nothing": spoiling(() => ({ more: { join: "picker" } })),
    "opens more than its team may": (own, foreman) =>
      entryFor(own, foreman, { ...make(own, foreman, 70), started: 2 }),
    "opens more than it sends": (own, foreman) => {
      const made = make(own, foreman);
      const change = foreman.eventOf(own, "handed_off", opens(made.message, ...made.branches));
      const entry = entryFor(own, foreman, { ...made, started: 2 }) as object;
      return { ...entry, changes: [change] };
    },
    "waits as a branch of its own fan-out": spoiling((made, own, foreman) => ({
      message: foreman.childOf(own, {
        to: "barn",
        contract: "harvest.plan@1",
        payload: {},
        index: 3,
        joins: made.fanOutId,
        ...branchAt(made, 0),
      }),
    })),
  };

  it("opens what it has sealed, each branch once, and is refused all else", async () => {
    const { deployment, store, agent: foreman } = await openHarvest("foreman");
    for (const [name, forge] of Object.entries(FORGERIES)) {
      const own = await foreman.hold(await submit(deployment));
      await foreman.ask(forge(own, foreman));
      const messages = await store.runs.messages(own.runId);
      expect(messages, name).toMatchObject([{ agent: "foreman", state: "quarantined" }]);
      expect(await store.redis.zcard(store.keys.fanOuts("runs")), name).toBe(0);
    }
    // The same by an honest entry, and the run's own numbers.
    const own = await foreman.hold(await submit(deployment));
    await foreman.ask(entryFor(own, foreman, { ...make(own, foreman), started: 2 }));
    expect(await deployment.until(own.runId)).toMatchObject({ status: "completed", result: { missing: [] } });
  }, 240_000);

  it("is counted for branches that wait, too", async () => {
    const {
      deployment,
      store,
      agent: foreman,
    } = await openHarvest("foreman", { idle: ["picker", "packer", "barn", "clerk"] });
    const own = await foreman.hold(await submit(deployment));
    // Of 60 that its team may hand on in a run.
    await foreman.ask(entryFor(own, foreman, { ...make(own, foreman, 59), started: 2 }));
    expect(await store.redis.hget(store.keys.run(own.runId), "n_handoffs")).toBe("60");
  }, 120_000);
});

describe("an agent that joins", () => {
  it("counts only what it has, of the branch that it is of, and once", async () => {
    const { deployment, store, agent: barn } = await openHarvest("barn", { idle: ["picker"] });
    const runId = await submit(deployment, { picked: 1, packed: 2 });
    const others = await submit(deployment, { picked: 1, packed: 2 });
    // The message that waits for the branches is in no queue yet.
    const isBack = async (run: string): Promise<number> =>
      (await store.runs.messages(run)).filter(({ agent, branch }) => agent === "barn" && branch !== null)
        .length;
    await expect.poll(() => isBack(runId), { timeout: WAIT_MS }).toBe(2);
    await expect.poll(() => isBack(others), { timeout: WAIT_MS }).toBe(2);
    const messages = await store.runs.messages(runId);
    const [first, second] = messages.filter(({ agent, branch }) => agent === "barn" && branch !== null);
    const waiting = messages.find(({ agent, branch }) => agent === "barn" && branch === null);
    const foreign = (await store.runs.messages(others)).find(({ branch }) => branch !== null);
    const picked = messages.find(({ agent }) => agent === "picker");
    if (!first || !second || !waiting || !foreign || !picked) throw new Error("a message is missing");
    const [fanOutId = "", index = ""] = (first.branch ?? "").split("/");
    const [otherId = ""] = (foreign.branch ?? "").split("/");
    const collected = { fanOutId, index: Number(index), answer: "{}" };
    const seen = (): Promise<unknown> => store.fanOuts.find("runs", fanOutId);
    const foreignBefore = await store.fanOuts.find("runs", otherId);
    const before = await seen();
    const about = (messageId: string, said: object): Promise<void> =>
      barn.ask(entryOf([barn.eventOf({ runId, messageId }, "completed")], { collected: said }));
    // A message that another agent has, the message that waits, and branches that its message is not of.
    await about(picked.message_id, { ...collected, index: 0 });
    await about(waiting.message_id, collected);
    await about(second.message_id, collected);
    expect(await seen()).toEqual(before);
    const again = { ...collected, fanOutId: otherId };
    await about(first.message_id, again);
    expect(await seen()).toEqual(before);
    expect(await store.fanOuts.find("runs", otherId)).toEqual(foreignBefore);
  }, 120_000);
});
