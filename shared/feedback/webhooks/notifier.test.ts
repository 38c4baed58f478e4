import { CloudEvent, HTTP } from "cloudevents";
import { pino } from "pino";
import { Webhook } from "standardwebhooks";
import { afterEach, expect, it } from "vitest";
import { now, setClock, timestamp } from "#shared/clock";
import { Secret } from "#shared/config";
import type { WebhookEvent, WebhookReceiver } from "#shared/config";
import type { Store } from "#shared/store";
import { openTestStore, startReceiver, WEBHOOK_DATA } from "#shared/testing";
import type { Post } from "#shared/testing";
import { Notifier } from "./notifier.ts";
import type { NotifierOptions } from "./notifier.ts";

const KEY = Buffer.alloc(32, 7);
const SECRET = new Secret(`whsec_${KEY.toString("base64")}`);
const THRESHOLDS = { groupMessagesPerHour: 3, quarantineCasesMax: 2 };

interface Body {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Record<string, unknown>;
}

let restoreClock: () => void = () => undefined;
afterEach(() => restoreClock());

async function openEndpoint() {
  const receiver = await startReceiver((text): Body => JSON.parse(text));
  return { ...receiver, url: `${receiver.url}?token=hush` };
}

/** The data of each event is what is declared, and no more. */
function checkData({ body }: Post<Body>): void {
  const declared = WEBHOOK_DATA[body.type as WebhookEvent];
  expect(declared.parse(body.data), body.type).toEqual(body.data);
}

function receiverAt(url: string, events: WebhookReceiver["events"] = null): WebhookReceiver {
  return { url: new Secret(url), secrets: [SECRET], events, redact: true, format: "standard" };
}

function open(
  store: Store,
  receivers: readonly WebhookReceiver[],
  more: Partial<NotifierOptions> = {},
): Notifier {
  const logger = pino({ level: "silent" });
  return new Notifier({ store, receivers, thresholds: THRESHOLDS, logger, timeoutMs: 2000, ...more });
}

/** A message comes into the ward, as far as its group and the counts go. */
async function admit(store: Store, fingerprint: string, id: string): Promise<void> {
  await store.cases.write({
    caseId: id,
    expectedVersion: 0,
    status: "quarantined",
    fingerprint,
    sets: { run_id: "r", message_id: id },
    arrival: { producer: "maker@1|part@1|-|1", isReplay: false, parties: [] },
    effects: null,
    audit: null,
  });
}

const add = (store: Store, mark: string): Promise<boolean> =>
  store.notices.add({ mark, type: "producer.failing", data: { agent: mark } });

function moveClock(): (ms: number) => void {
  let atMs = Date.now();
  restoreClock = setClock({ now: () => atMs });
  return (ms) => void (atMs += ms);
}

it.each(["standard", "cloudevents"] as const)(
  "signs the form %s so that Standard Webhooks' own library verifies it with the new secret and the old one",
  async (format) => {
    const store = openTestStore();
    const endpoint = await openEndpoint();
    const older = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
    const receiver = { ...receiverAt(endpoint.url), secrets: [SECRET, new Secret(older)], format };
    await add(store, "first");
    await open(store, [receiver]).round();
    const [post] = endpoint.posts;
    const headers = Object.fromEntries(
      Object.entries(post?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    const verify = (secret: string): unknown => new Webhook(secret).verify(post?.text ?? "", headers);
    for (const secret of [SECRET.reveal(), older]) expect(verify(secret)).toEqual(post?.body);
    const other = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
    expect(() => verify(other)).toThrow("No matching signature");
    expect(() => new Webhook(older).verify(`${post?.text} `, headers)).toThrow("No matching signature");
  },
);

it("posts CloudEvents that the official SDK reads, redacted, to those that ask for them", async () => {
  const store = openTestStore();
  const [cloud, standard] = [await openEndpoint(), await openEndpoint()];
  const asking = { ...receiverAt(cloud.url), format: "cloudevents" as const };
  const data = { agent: "ada@example.org", outputs: 3 };
  await store.notices.add({ mark: "a", type: "producer.failing", data });
  await open(store, [asking, receiverAt(standard.url)]).round();
  const [[post], [plain]] = [cloud.posts, standard.posts];
  expect(post?.headers["content-type"]).toBe("application/cloudevents+json; charset=utf-8");
  const headers = { "content-type": String(post?.headers["content-type"]) };
  const event = HTTP.toEvent({ headers, body: post?.text ?? "" });
  if (!(event instanceof CloudEvent)) throw new Error("no single event");
  expect(event.validate()).toBe(true);
  expect(event).toMatchObject({
    specversion: "1.0",
    id: post?.headers["webhook-id"],
    source: `/suture/${store.options.prefix}`,
    type: "suture.producer.failing",
    datacontenttype: "application/json",
    data: plain?.body.data,
  });
  expect(Date.parse(event.time ?? "")).toBe(Date.parse(plain?.body.timestamp ?? ""));
  expect(post?.text).not.toContain("ada@example.org");
  expect(plain?.headers["content-type"]).toBe("application/json");
  expect(Object.keys(plain?.body ?? {})).toEqual(["type", "timestamp", "data"]);
});

it.each([
  ["is down", [503, 500]],
  ["redirects, which is not followed", [302, 302]],
  ["never answers", ["never", "never"]],
] as const)(
  "tells a receiver later that %s, the others at once, and each of them once",
  async (_how, answers) => {
    const move = moveClock();
    const store = openTestStore();
    const [bad, good] = [await openEndpoint(), await openEndpoint()];
    bad.answers.push(...answers);
    const notifier = open(store, [receiverAt(bad.url), receiverAt(good.url)], { timeoutMs: 1500 });
    await add(store, "first");
    await add(store, "second");
    await notifier.round();
    expect(good.posts).toHaveLength(2);
    expect(bad.posts).toHaveLength(0);
    for (let round = 0; round < 6; round += 1) {
      move(60_000);
      await notifier.round();
    }
    expect(bad.posts.map(({ body }) => String(body.data["agent"])).toSorted()).toEqual(["first", "second"]);
    expect(good.posts).toHaveLength(2);
  },
);

it("leaves what was in the hands of a process that died to the next, when its lease is over", async () => {
  const move = moveClock();
  const store = openTestStore();
  const endpoint = await openEndpoint();
  const receiver = receiverAt(endpoint.url);
  await add(store, "taken");
  const dying = open(store, [receiver]);
  // It took the notice, posted it, and died before it wrote that down.
  store.notices.forget = () => Promise.reject(new Error("died here"));
  await expect(dying.round()).rejects.toThrow("died here");
  Reflect.deleteProperty(store.notices, "forget");
  expect(endpoint.posts).toHaveLength(1);
  const next = open(store, [receiver]);
  await next.round();
  expect(endpoint.posts).toHaveLength(1);
  move(60_000);
  await next.round();
  await next.round();
  expect(endpoint.posts).toHaveLength(2);
  expect(new Set(endpoint.posts.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
});

it("gives a notice up that nobody took for a day, and never keeps more than so many for one receiver", async () => {
  const move = moveClock();
  const store = openTestStore();
  const endpoint = await openEndpoint();
  const receiver = receiverAt(endpoint.url);
  endpoint.answers.push(...Array.from({ length: 50 }, () => 500));
  const notifier = open(store, [receiver], { queueMax: 5 });
  for (let i = 0; i < 12; i += 1) await add(store, `n${i}`);
  await notifier.round();
  const held = await store.redis.keys(`${store.keys.ward("notices:for:")}*`);
  expect(await store.redis.hlen(held[0] ?? "")).toBe(5);
  for (let round = 0; round < 60; round += 1) {
    move(3_600_000);
    await notifier.round();
  }
  expect(await store.redis.keys(`${store.keys.ward("notices:due:")}*`)).toEqual([]);
  expect(endpoint.posts).toEqual([]);
});

it("tells of a new group, of a growing one, of one that came back, and of a full quarantine, each once", async () => {
  const store = openTestStore();
  const endpoint = await openEndpoint();
  const notifiers = [open(store, [receiverAt(endpoint.url)]), open(store, [receiverAt(endpoint.url)])];
  const told = async (): Promise<string[]> => {
    for (let round = 0; round < 3; round += 1) await Promise.all(notifiers.map((one) => one.round()));
    endpoint.posts.forEach(checkData);
    return endpoint.posts
      .splice(0)
      .map(({ body }) => body.type)
      .toSorted();
  };
  await admit(store, "f1", "c1");
  expect(await told()).toEqual(["fingerprint.new"]);
  await admit(store, "f1", "c2");
  expect(await told()).toEqual(["quarantine.full"]);
  await admit(store, "f1", "c3");
  expect(await told()).toEqual(["group.growing"]);
  await store.cases.groups.mark("f1", { lifecycle: "resolved", by: "somebody" });
  expect(await told()).toEqual([]);
  await admit(store, "f1", "c4");
  expect(await told()).toEqual(["group.regressed"]);
  await admit(store, "f1", "c5");
  expect(await told()).toEqual([]);
  await admit(store, "f2", "c6");
  for (const one of notifiers) await one.round();
  const [post] = endpoint.posts;
  expect(post?.body).toMatchObject({
    type: "fingerprint.new",
    data: { fingerprint: "f2", producer: "maker@1|part@1|-|1", messages: 1, messages_this_hour: 1, open: 1 },
  });
  expect(Math.abs(Date.parse(post?.body.timestamp ?? "") - now())).toBeLessThan(60_000);
  expect(post?.body.data["first_seen"]).toMatch(/^\d{4}-.*Z$/);
  expect(timestamp()).toMatch(/Z$/);
});

it("keeps no address of a receiver in Redis, where a token may be part of it", async () => {
  const store = openTestStore();
  const endpoint = await openEndpoint();
  endpoint.answers.push(500);
  const notifier = open(store, [receiverAt(endpoint.url)]);
  await add(store, "first");
  await notifier.round();
  const keys = await store.redis.keys(`${store.keys.prefix}*`);
  const hashes = keys.filter((key) => key.includes("notices:for:"));
  const values = await Promise.all(hashes.map((key) => store.redis.hgetall(key)));
  expect(JSON.stringify([keys, values])).not.toMatch(/hush|127\.0\.0\.1/);
  expect(hashes).toHaveLength(1);
});
