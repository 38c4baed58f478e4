import { describe, expect, it } from "vitest";
import { derivedId, uuidv7 } from "#shared/clock";
import { createFirst, ENVELOPE_LIMITS_DEFAULT } from "#shared/envelope";
import { seal, sealBytes } from "#shared/envelope/seals";
import type { Keyring } from "#shared/envelope/keys";
import { rankOf } from "#shared/store/runs";
import type { OutboxEntry } from "#shared/store/settlement";
import { admission } from "#shared/runtime/settle";
import { compromise } from "./compromised.ts";
import { entryOf, forger, opens } from "./forge-entry.ts";
import type { HeldMessage } from "./forge-entry.ts";
import { openIsolatedDeployment, setPaused } from "./deployment.ts";
import { chooseFreePort } from "../../infra/redis/redis-process.ts";

const WAIT_MS = 60_000;

/**
 * The agent `crane` is compromised: somebody else holds its keys and its user of Redis. It may hand to `ledge` and to
 * nobody else.
 */
const OWN = "crane";

async function openAttack() {
  const deployment = await openIsolatedDeployment();
  const port = await chooseFreePort(null);
  deployment.spawnRelay({ env: { SUTURE_HEALTH_PORT: String(port) } });
  deployment.spawnAgent("dock");
  deployment.spawnAgent("ledge");
  const { system } = deployment;
  await expect.poll(async () => (await system.store.registry.live()).length, { timeout: 90_000 }).toBe(2);
  const agent = compromise(deployment, OWN);
  /** A run whose second message is open at the compromised agent, which has its bytes. */
  const hold = async (id: string): Promise<HeldMessage> =>
    agent.hold(await deployment.submit({ id: id.replaceAll(/[^a-z0-9]+/gi, "-") }));
  return { ...deployment, ...agent, hold, healthUrl: `http://127.0.0.1:${port}` };
}

type Forge = (held: HeldMessage, other: HeldMessage, ring: Keyring) => OutboxEntry | string;

type Attack = Awaited<ReturnType<typeof openAttack>>;

const { eventOf, envelopeOf, childOf } = forger({ agent: OWN, to: "ledge", contract: "yard.load@1" });

describe("an agent's user of Redis", () => {
  it("reads and writes its own slot and nothing else, and each refusal is in the log of Redis", async () => {
    const deployment = await openIsolatedDeployment();
    const { own, system } = deployment;
    const { keys } = system.store;
    const id = uuidv7();
    const runKeys = [keys.run(id), `${keys.run(id)}:messages`, `${keys.run(id)}:log`];
    const ward = ["case:c", "audit", "recipes", "circuits", "notices", "counts"].map((name) =>
      keys.ward(name),
    );
    const others = ["dock", "ledge"].flatMap((agent) => [
      keys.job(agent, agent, id),
      keys.ledger(agent, id),
      keys.outbox(agent),
      keys.outboxCalls(agent),
      keys.presence(agent),
      keys.acknowledgements(agent),
      keys.cancelled(agent, id),
      keys.once(agent, "pay", null),
      keys.claims(agent),
      keys.fanOut(agent, id),
      keys.mark(agent),
    ]);
    const shared = [
      ...runKeys,
      keys.runs("counts"),
      keys.runs("index"),
      keys.outbox("runs"),
      ...ward,
      keys.outbox("ward"),
      `${keys.queuePrefix("ward")}:ward:wait`,
      keys.registry("agents"),
      keys.registry("services"),
      keys.refusals(),
      keys.people("records"),
      keys.people("head"),
      keys.door("api-keys"),
      keys.door("requests:local"),
      `${keys.board("b")}/entries`,
    ];
    const acts: string[][] = [
      ...[...others, ...shared].flatMap((key) => [
        ["HGETALL", key],
        ["HSET", key, "status", "completed"],
        ["DEL", key],
        ["EVAL", "return redis.call('hset', KEYS[1], 'x', '1')", "1", key],
        // A script that does not say which key it writes.
        ["EVAL", "return redis.call('del', ARGV[1])", "0", key],
        ["RENAME", keys.ledger(OWN, id), key],
        ["COPY", key, keys.ledger(OWN, id)],
      ]),
      // What people order it reads, to obey it, and does not write.
      ["HSET", keys.people("orders"), `pause:${OWN}`, "{}"],
      ["DEL", keys.people("orders")],
      ["LPUSH", `${keys.queuePrefix("ledge")}:ledge:wait`, id],
      ["XADD", `${keys.queuePrefix("ledge")}:ledge:events`, "*", "event", "x"],
      ["PUBLISH", keys.runChannel(id), "changed"],
      ["PUBLISH", keys.boardChannel("b"), "changed"],
      ["SUBSCRIBE", keys.runChannel(id)],
      ["FLUSHALL"],
      ["FLUSHDB"],
      ["KEYS", "*"],
      ["SCAN", "0"],
      ["RANDOMKEY"],
      ["EVAL", "while true do end", "0"],
      ["CLIENT", "TRACKING", "ON", "BCAST"],
      ["SORT_RO", keys.ledger(OWN, id)],
      ["LCS", keys.ledger(OWN, id), keys.ledger(OWN, id)],
      ["SRANDMEMBER", keys.ledger(OWN, id), "-1000000000"],
      ["CONFIG", "SET", "maxmemory", "1"],
      ["PSUBSCRIBE", "*"],
      ["CLIENT", "LIST"],
      ["CLIENT", "PAUSE", "5000"],
      ["ACL", "GETUSER", "relay"],
      ["BGREWRITEAOF"],
      ["ACL", "SETUSER", `agent-${OWN}`, "allkeys"],
      ["MONITOR"],
      ["SHUTDOWN", "NOSAVE"],
      ["SWAPDB", "0", "1"],
      ["MIGRATE", "127.0.0.1", "1", "x", "0", "1"],
      ["REPLICAOF", "127.0.0.1", "1"],
      ["SCRIPT", "FLUSH"],
      ["FUNCTION", "LOAD", "#!lua name=x\nredis.register_function('x', function() end)"],
      ["CLIENT", "KILL", "TYPE", "normal"],
    ];
    await own.redis.config("SET", "acllog-max-len", "10000");
    await own.redis.hset(keys.ledger(OWN, id), "outcome", "{}");
    const raw = deployment.as(`agent-${OWN}`);
    for (const [command = "", ...args] of acts) {
      await own.redis.call("ACL", "LOG", "RESET");
      const reply = await raw.call(command, ...args).catch((error: unknown) => error);
      expect(reply, [command, ...args].join(" ")).toBeInstanceOf(Error);
      const log = await deployment.refusedByRedis();
      // A wrong number of arguments is refused before rights are looked at.
      const isCounted = log.length > 0 || String(reply).includes("wrong number of arguments");
      expect(isCounted, `${command} ${args.join(" ")}: ${String(reply)}`).toBe(true);
    }
    expect(await own.redis.exists(...others, ...runKeys, `${keys.board("b")}/entries`)).toBe(0);
    expect(await raw.hget(keys.ledger(OWN, id), "outcome")).toBe("{}");
  }, 120_000);
});

describe("an agent that asks the relay", () => {
  /** Every entry that is refused, with what it wants; all are written by the compromised agent in its own slot. */
  const FORGERIES: Readonly<
    Record<string, (held: HeldMessage, other: HeldMessage, ring: Keyring) => OutboxEntry | string>
  > = {
    "sends on an edge it has not": (held, _, ring) => {
      const child = childOf(held, ring);
      const redirected = { ...child, agent: "dock" };
      return entryOf([eventOf(held, "handed_off", opens(redirected))], { sends: [redirected] });
    },
    "sends to the ward's queue": (held, _, ring) => {
      const child = { ...childOf(held, ring), agent: "ward" };
      return entryOf([eventOf(held, "handed_off", opens(child))], { sends: [child] });
    },
    "sends to the ward's queue what it sealed for the ward": (held, _, ring) => {
      const envelope = envelopeOf(held);
      const made = { ...envelope, meta: { ...envelope.meta, target_agent: "ward@1" } };
      const sealed = sealBytes({
        bytes: JSON.stringify(made),
        queue: "ward",
        id: made.meta.message_id,
        key: ring.signing(OWN, "ward"),
        limits: ENVELOPE_LIMITS_DEFAULT,
      });
      const send = { ...childOf(held, ring), agent: "ward", data: { ...sealed } };
      return entryOf([eventOf(held, "handed_off", opens(send))], { sends: [send] });
    },
    "hides costs in the event of a message that is dead": (held, _, ring) => {
      const envelope = envelopeOf(held);
      const message = seal({
        envelope,
        queue: "ledge",
        key: ring.signing(OWN, "ledge"),
        parent: held.envelope,
      });
      const messageId = envelope.meta.message_id;
      const admitter = { keyring: ring, id: `${OWN}@1`, team: "yard", runId: held.runId };
      const dead = { ...deadMessage(messageId, "ledge"), message: { envelope, bytes: message.bytes } };
      const change = eventOf({ runId: held.runId, messageId }, "in_ward", {
        moves: { state: "in_ward", rank: rankOf.ward(0) },
        cost: 1_000_000,
      });
      const told = { ...change.event, id: derivedId(messageId, "in_ward"), agent: "ledge" };
      const opened = { opens: [{ message_id: messageId, agent: "ledge" }] };
      return entryOf([eventOf(held, "handed_off", opened), { ...change, event: told }], {
        admissions: [admission(admitter, dead)],
      });
    },
    "sends under another id than the sealed one": (held, _, ring) => {
      const child = { ...childOf(held, ring), jobId: uuidv7() };
      return entryOf([eventOf(held, "handed_off", opens(child))], { sends: [child] });
    },
    "sends other bytes than were sealed": (held, _, ring) => {
      const child = childOf(held, ring);
      const sealed = String(child.data["sealed"]).replace('"boxes":3', '"boxes":9');
      const changed = { ...child, data: { ...child.data, sealed } };
      return entryOf([eventOf(held, "handed_off", opens(changed))], { sends: [changed] });
    },
    "sends a first message of its own making": (held, _, ring) => {
      const envelope = createFirst({
        to: "ledge@1",
        contract: "yard.load@1",
        payload: { id: "x", boxes: 1, way: "plain" },
        traceparent: held.envelope.meta.traceparent,
      });
      const made = { ...envelope, meta: { ...envelope.meta, source_agent: `${OWN}@1` } };
      const sealed = sealBytes({
        bytes: JSON.stringify(made),
        queue: "ledge",
        id: made.meta.message_id,
        key: ring.signing(OWN, "ledge"),
        limits: ENVELOPE_LIMITS_DEFAULT,
      });
      const send = { ...childOf(held, ring), jobId: made.meta.message_id, data: { ...sealed } };
      return entryOf([eventOf(held, "handed_off", opens(send))], { sends: [send] });
    },
    "sends a child of another's message": (held, other, ring) => {
      const child = childOf({ ...other, messageId: held.messageId }, ring);
      return entryOf([eventOf(held, "handed_off", opens(child))], { sends: [child] });
    },
    "says that its child is of another run": (held, other, ring) => {
      const child = childOf(held, ring, { runId: other.runId });
      return entryOf([eventOf(held, "handed_off", opens(child))], { sends: [child] });
    },
    "sends what it does not open": (held, _, ring) =>
      entryOf([eventOf(held, "completed", { result: {} })], { sends: [childOf(held, ring)] }),
    "opens 10,000 messages": (held) => {
      const many = Array.from({ length: 10_000 }, () => ({ message_id: uuidv7(), agent: "ledge" }));
      return entryOf([eventOf(held, "handed_off", { opens: many })]);
    },
    "opens a message that it does not send": (held) =>
      entryOf([eventOf(held, "handed_off", { opens: [{ message_id: uuidv7(), agent: "ledge" }] })]),
    "hands on to nobody": (held) => entryOf([eventOf(held, "handed_off", { opens: [] })]),
    "puts a retry into another's queue": (held, _, ring) => {
      const change = eventOf(held, "retry", { moves: { state: "open", rank: 2 } });
      return entryOf([change], {
        sends: [{ ...childOf(held, ring), lane: "retry", jobId: `${held.messageId}.1`, agent: "ledge" }],
      });
    },
    "retries another's message": (held, other, ring) => {
      const change = eventOf(held, "retry", { moves: { state: "open", rank: 2 } });
      return entryOf([change], {
        sends: [{ ...childOf(held, ring), lane: "retry", jobId: `${other.messageId}.1`, agent: OWN }],
      });
    },
    "takes costs back": (held) => entryOf([eventOf(held, "completed", { cost: -5 })]),
    "tells of endless costs": (held) =>
      JSON.stringify(entryOf([eventOf(held, "completed", { cost: 1 })])).replace('"cost":1', '"cost":1e400'),
    "tells of absurd costs": (held) => entryOf([eventOf(held, "completed", { cost: 100_000 })]),
    "tells of absurd tokens": (held) => entryOf([eventOf(held, "completed", { tokens: 1e15 })]),
    "tells of half a token": (held) => entryOf([eventOf(held, "completed", { tokens: 0.5 })]),
    "takes a run's failure back": (held) => entryOf([eventOf(held, "ended", { end: "undo_failed" })]),
    "ends its run as completed with an error": (held) =>
      entryOf([eventOf(held, "completed", { end: "failed" })]),
    "tells that a person released it": (held) =>
      entryOf([eventOf(held, "released", { moves: { state: "open", rank: 2 } })]),
    "tells that it was healed": (held) => entryOf([eventOf(held, "discharged")]),
    "tells that the run was submitted anew": (held) => entryOf([eventOf(held, "submitted")]),
    "moves it into the ward without a case": (held) =>
      entryOf([eventOf(held, "in_ward", { moves: { state: "in_ward", rank: rankOf.ward(0) } })]),
    "uses up the id of another's event": (held, other) => {
      const change = eventOf(held, "completed");
      return entryOf([{ ...change, event: { ...change.event, id: `${other.messageId}/completed` } }]);
    },
    "speaks for another agent": (held) => {
      const change = eventOf(held, "completed");
      return entryOf([{ ...change, event: { ...change.event, agent: "ledge" } }]);
    },
    "tells of a second message": (held, other) =>
      entryOf([eventOf(held, "completed"), eventOf(other, "ended", { end: "failed" })]),
    "breaks the record's form": (held) => {
      const change = eventOf(held, "handed_off", { opens: [{ message_id: "x|y", agent: "ledge|closed" }] });
      return entryOf([change]);
    },
    "admits another's message": (held, other, ring) => {
      const admitter = { keyring: ring, id: `${OWN}@1`, team: "yard", runId: held.runId };
      const record = admission(admitter, deadMessage(other.messageId, "ledge"));
      const change = eventOf(held, "quarantined", { moves: { state: "quarantined", rank: rankOf.ward(0) } });
      return entryOf([change], { admissions: [record] });
    },
    "admits an unread message to another's case": (_held, other, ring) => {
      const admitter = { keyring: ring, id: `${OWN}@1`, team: "yard", runId: other.runId };
      return entryOf([], { admissions: [admission(admitter, deadMessage(other.messageId, "ledge"))] });
    },
    "forges an admission": (held, _, ring) => {
      const admitter = { keyring: ring, id: `${OWN}@1`, team: "yard", runId: held.runId };
      const record = admission(admitter, deadMessage(held.messageId, OWN));
      const change = eventOf(held, "quarantined", { moves: { state: "quarantined", rank: rankOf.ward(0) } });
      const sealed = String(record["sealed"]).replace('"agent":"crane"', '"agent":"ledge"');
      return entryOf([change], { admissions: [{ ...record, sealed }] });
    },
    "admits its message to another case": (held, other, ring) => {
      const admitter = { keyring: ring, id: `${OWN}@1`, team: "yard", runId: held.runId };
      const record = admission(admitter, deadMessage(held.messageId, OWN));
      const change = eventOf(held, "quarantined", { moves: { state: "quarantined", rank: rankOf.ward(0) } });
      return entryOf([change], { admissions: [{ ...record, case_id: other.messageId }] });
    },
    "opens a fan-out at another agent": (held) =>
      JSON.stringify({ ...entryOf([eventOf(held, "completed")]), fanOut: { join: "ledge", fanOutId: "x" } }),
    "expects an acknowledgement in another's name": (held) => {
      const awaits = { sender: "dock", pending: [] };
      return entryOf([eventOf(held, "completed")], { awaits });
    },
    "is no entry": () => "{",
  };

  function deadMessage(messageId: string, agent: string) {
    return {
      messageId,
      message: null,
      stored: "x",
      agent,
      contract: null,
      subject: { kind: "payload" },
      disposition: "quarantine",
      failures: [],
      producer: "unknown",
    } as const;
  }

  it("is refused every forgery, and no run but its own is touched", async () => {
    const attack = await openAttack();
    for (const [name, forge] of Object.entries(FORGERIES)) await expectRefused(attack, name, forge);
    await settlesNothingOfOthers(attack);
    await settlesOnce(attack);
    await announcesItself(attack);
    await chokesNobody(attack);
    await goesOnHonestly(attack);
    // Nothing of the relay's own work was refused on the way.
    expect((await attack.refusedByRedis()).filter((line) => line.startsWith("relay"))).toEqual([]);
  }, 300_000);
});

/** Others' messages, settled ones, and its own said to be of another run. */
async function settlesNothingOfOthers(attack: Attack): Promise<void> {
  const { hold, ask, writeEntry, system, submit } = attack;
  const { store } = system;
  const held = await hold("not held");
  const first = (await store.runs.messages(held.runId)).find(({ agent }) => agent === "dock");
  await setPaused(attack, "ledge", true);
  const before = await store.runs.get(held.runId);
  // The message of another agent in the same run, which is settled.
  const settled = { runId: held.runId, messageId: first?.message_id ?? "" };
  await ask(entryOf([eventOf(settled, "ended", { end: "failed" })]));
  expect(await store.runs.get(held.runId)).toEqual(before);
  // The message of another agent in another run, which is open.
  await setPaused(attack, "dock", true);
  const strange = await submit({ id: "strange" });
  const [entry] = await store.runs.messages(strange);
  const foreign = { runId: strange, messageId: entry?.message_id ?? "" };
  await ask(entryOf([eventOf(foreign, "ended", { end: "failed" })]));
  expect(await store.runs.get(strange)).toMatchObject({ status: "queued" });
  // Its own message, said to be of another run.
  const elsewhere = { runId: strange, messageId: held.messageId };
  const left = await writeEntry(entryOf([eventOf(elsewhere, "ended", { end: "failed" })]));
  await new Promise((resolve) => setTimeout(resolve, 3000));
  expect(await store.runs.get(strange)).toMatchObject({ status: "queued" });
  await store.redis.hdel(store.keys.outbox(OWN), left);
  await setPaused(attack, "dock", false);
  await setPaused(attack, "ledge", false);
}

/** However many entries say otherwise at once. */
async function settlesOnce(attack: Attack): Promise<void> {
  const { hold, ask, writeEntry, untilTaken, system, ring } = attack;
  const { store } = system;
  const held = await hold("twice");
  const rival = Array.from({ length: 20 }, (_, index) => {
    const child = childOf(held, ring, { index });
    return entryOf([eventOf(held, "handed_off", opens(child))], { sends: [child] });
  });
  const ids = await Promise.all(rival.map((entry) => writeEntry(entry)));
  await Promise.all(ids.map((id) => untilTaken(id)));
  const messages = await store.runs.messages(held.runId);
  expect(messages.filter(({ agent }) => agent === "ledge")).toHaveLength(1);
  // Afterwards, by another event of the same message.
  await setPaused(attack, "ledge", true);
  const again = await hold("again");
  const child = childOf(again, ring);
  await ask(entryOf([eventOf(again, "handed_off", opens(child))], { sends: [child] }));
  const later = eventOf(again, "completed", { result: { boxes: 99 }, cost: 50 });
  await ask(entryOf([later]));
  expect(await store.runs.get(again.runId)).toMatchObject({ status: "running", result: null, cost: 0 });
  await setPaused(attack, "ledge", false);
}

/** Behind all of that, and it is counted where it was refused. */
async function goesOnHonestly(attack: Attack): Promise<void> {
  const { hold, ask, writeEntry, ring, until } = attack;
  const held = await hold("honest");
  for (let turn = 0; turn < 200; turn += 1) await writeEntry("{");
  const child = childOf(held, ring);
  await ask(entryOf([eventOf(held, "handed_off", opens(child))], { sends: [child] }));
  expect(await until(held.runId)).toMatchObject({ status: "completed", result: { boxes: 3 } });
  const metrics = await (await fetch(`${attack.healthUrl}/metrics`)).text();
  for (const reason of ["malformed", "event", "send", "admission", "cost", "not_held"])
    expect(metrics).toMatch(
      new RegExp(`suture_relay_refused_total\\{agent="crane",reason="${reason}"\\} [1-9]`),
    );
}

/** What is too large to be read goes to a person, where a run waits for it. */
async function chokesNobody(attack: Attack): Promise<void> {
  const { hold, ask, until, system } = attack;
  const held = await hold("too large");
  const entry = entryOf([eventOf(held, "completed")]);
  const huge = JSON.stringify({ ...entry, padding: "x".repeat(65 * 1024 * 1024) });
  await ask(huge, `${held.messageId}/${held.messageId}`);
  await until(held.runId, ["quarantined"]);
  const other = await hold("too large for nothing");
  await ask(huge, "x/y");
  expect((await system.store.runs.get(other.runId)).status).toBe("running");
}

/** No process but its own, and nothing that its team does not declare. */
async function announcesItself(attack: Attack): Promise<void> {
  const { raw, system } = attack;
  const { store } = system;
  const said = {
    agent: "ledge",
    version: 1,
    team: "yard",
    accepts: "yard.load@1",
    capabilities: ["everything"],
    description: "me",
    concurrency: 1,
    instance: "forged",
    pid: 1,
    started_ms: Date.now(),
    seen_ms: Date.now(),
  };
  const place = store.keys.presence(OWN);
  await raw.hset(place, "ledge|forged", JSON.stringify(said));
  await raw.hset(place, "crane|forged", JSON.stringify({ ...said, agent: "crane", team: "bank" }));
  const forged = async () => (await store.registry.live()).filter(({ instance }) => instance === "forged");
  await expect.poll(forged, { timeout: WAIT_MS }).toHaveLength(1);
  expect(await forged()).toMatchObject([{ agent: "crane", team: "yard", capabilities: [], description: "" }]);
}

async function expectRefused(attack: Attack, name: string, forge: Forge): Promise<void> {
  const { hold, ask, system, ring } = attack;
  const { store } = system;
  const held = await hold(`held ${name}`);
  const other = await hold(`other ${name}`);
  const otherBefore = await store.runs.get(other.runId);
  const casesBefore = await store.cases.counts();
  const messagesBefore = await store.runs.messages(held.runId);
  const entry = forge(held, other, ring);
  await ask(entry);
  expect(await store.runs.get(other.runId)).toEqual(otherBefore);
  const run = await store.runs.get(held.runId);
  expect(["running", "quarantined"]).toContain(run.status);
  expect(run).toMatchObject({ cost: 0, tokens: 0, result: null });
  const messages = await store.runs.messages(held.runId);
  const idsOf = (some: typeof messages): string[] => some.map(({ message_id }) => message_id).toSorted();
  expect(idsOf(messages)).toEqual(idsOf(messagesBefore));
  // At most one case: of the message that the agent had itself, for a person.
  const casesAfter = await store.cases.counts();
  expect(casesAfter.admitted).toBe(casesBefore.admitted);
  const made = casesAfter.quarantined - casesBefore.quarantined;
  expect(made).toBe(run.status === "quarantined" || entry === "{" || isOrphan(entry) ? Math.min(made, 1) : 0);
}

function isOrphan(entry: OutboxEntry | string): boolean {
  return typeof entry !== "string" && entry.changes.length === 0;
}
