import { expect, test } from "vitest";
import { startTestConsole, waitFor } from "../services/console/testing/start-test-console.ts";
import type { TestConsole } from "../services/console/testing/start-test-console.ts";

/** A group of dead messages that wait for a person. */
async function openGroup(): Promise<{ console: TestConsole; fingerprint: string; key: string }> {
  const console = await startTestConsole();
  await console.system.start();
  await console.admit({ order_id: 7 });
  const group = await waitFor(
    async () => (await console.store.cases.groups.list({ offset: 0, limit: 1 }))[0],
  );
  const { fingerprint } = group;
  return { console, fingerprint, key: console.store.keys.ward(`group:${fingerprint}`) };
}

interface Shown {
  readonly lifecycle: string;
  readonly resolution: object | null;
  readonly attention: string;
}

async function show(console: TestConsole, fingerprint: string): Promise<Shown> {
  const one = (await (
    await console.send(`/v1/ward/groups/${encodeURIComponent(fingerprint)}`)
  ).json()) as Shown;
  const { groups } = (await (await console.send("/v1/ward/groups?sort=need")).json()) as {
    groups: (Shown & { fingerprint: string })[];
  };
  const listed = groups.find((group) => group.fingerprint === fingerprint);
  expect(listed).toMatchObject({ lifecycle: one.lifecycle, attention: one.attention });
  return one;
}

const OPEN = { lifecycle: "open", resolution: null };

test.each([
  { what: "acknowledged", fields: { lifecycle: "acknowledged", marked_ms: "9" } },
  {
    what: "resolved",
    fields: { lifecycle: "resolved", marked_ms: "9", resolved_by: "ada", resolved_ms: "9" },
  },
  {
    what: "acknowledged, with a signature that is none",
    fields: { lifecycle: "acknowledged", signed_mark: "{}" },
  },
])("shows no group as $what that nobody marked so", async ({ fields }) => {
  const { console, fingerprint, key } = await openGroup();
  await console.store.redis.hset(key, fields);
  expect(await show(console, fingerprint)).toMatchObject({
    ...OPEN,
    attention: expect.not.stringMatching("looked"),
  });
});

test("shows what a person said, and nothing that was made of their word", async () => {
  const { console, fingerprint, key } = await openGroup();
  const path = `/v1/ward/groups/${encodeURIComponent(fingerprint)}`;
  expect((await console.post(`${path}/acknowledge`, { why: "on it" })).status).toBe(200);
  expect(await show(console, fingerprint)).toMatchObject({ lifecycle: "acknowledged" });
  await console.store.redis.hset(key, { lifecycle: "resolved", resolved_by: "admin", resolved_ms: "9" });
  expect(await show(console, fingerprint)).toMatchObject(OPEN);
  await console.post(`${path}/resolve`, { why: "mended", since: "con-book@2" });
  const resolution = { since: { name: "con-book", version: 2 } };
  expect(await show(console, fingerprint)).toMatchObject({ lifecycle: "resolved", resolution });
  await console.store.redis.hset(key, { resolved_version: "9" });
  expect(await show(console, fingerprint)).toMatchObject(OPEN);
});

test("takes no mark of one group for another's", async () => {
  const { console, fingerprint, key } = await openGroup();
  await console.post(`/v1/ward/groups/${encodeURIComponent(fingerprint)}/acknowledge`, { why: "on it" });
  const signed = (await console.store.redis.hget(key, "signed_mark")) ?? "";
  expect(signed).not.toBe("");
  const other = fingerprint.replace(/.{4}$/, "ffff");
  const fields = await console.store.redis.hgetall(key);
  await console.store.redis.hset(console.store.keys.ward(`group:${other}`), {
    ...fields,
    signed_mark: signed,
  });
  const shown = (await (await console.send(`/v1/ward/groups/${encodeURIComponent(other)}`)).json()) as Shown;
  expect(shown).toMatchObject(OPEN);
});
