import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { answerOf, pageForm, startedForm } from "../testing/answer.ts";
import { protocolClient, taskPageForm } from "../testing/protocol-client.ts";
import { SECRETS, startTestGateway } from "../testing/start-test-gateway.ts";
import type { TestGateway } from "../testing/start-test-gateway.ts";

const TASK = { team: "gw-chain", input: { text: "hello" } };
const as = (secret: string) => ({ authorization: `Bearer ${secret}` });
const NOBODYS = "0".repeat(64);
const ABSENT = "01990000-0000-7000-8000-000000000000";

async function submitAs(gateway: TestGateway, secret: string, headers: Record<string, string> = {}) {
  return answerOf(gateway.post("/v1/tasks", TASK, { ...as(secret), ...headers }), startedForm);
}

/** Returns the words of an answer, without those that name the request or the moment. */
async function told(reply: Response, runId: string): Promise<unknown> {
  const text = (await reply.text()).replaceAll(runId, "RUN").replace(/"trace_id":"[^"]*"/, "");
  const headers = [...reply.headers].filter(([name]) => name !== "date");
  return { status: reply.status, text, headers };
}

describe("a run of another tenant", () => {
  const ACTS: readonly (readonly [string, (id: string) => readonly [string, RequestInit?]])[] = [
    ["shown", (id) => [`/v1/runs/${id}`]],
    ["waited for", (id) => [`/v1/runs/${id}?wait=1`]],
    ["followed", (id) => [`/v1/runs/${id}/events`]],
    ["shown as a task", (id) => [`/ap/v1/agent/tasks/${id}`]],
    ["asked for its steps", (id) => [`/ap/v1/agent/tasks/${id}/steps`]],
    ["asked for its next step", (id) => [`/ap/v1/agent/tasks/${id}/steps`, { method: "POST" }]],
    ["asked for one step", (id) => [`/ap/v1/agent/tasks/${id}/steps/${id}`]],
    ["asked for its artifacts", (id) => [`/ap/v1/agent/tasks/${id}/artifacts`]],
    ["asked for its result", (id) => [`/ap/v1/agent/tasks/${id}/artifacts/${id}.result`]],
    ["asked for its result by that alone", (id) => [`/agent/artifacts/${id}.result`]],
  ];

  it.each(ACTS)("is as absent as one that never was when it is %s", async (_what, act) => {
    const gateway = await startTestGateway({ bounds: { stepWaitMsMax: 50 } });
    const { run_id } = await submitAs(gateway, SECRETS.acme);
    const tell = async (id: string) => {
      const [path, init] = act(id);
      return told(await gateway.send(path, { ...init, key: SECRETS.globex }), id);
    };
    const theirs = await tell(run_id);
    expect(theirs).toMatchObject({ status: 404 });
    expect(theirs).toEqual(await tell(ABSENT));
    // The same for the tenant of those who run the cluster, where the key is none of theirs.
    const [path, init] = act(run_id);
    expect((await gateway.send(path, { ...init, key: SECRETS.submit })).status).toBe(404);
    const own = act(run_id);
    expect((await gateway.send(own[0], { ...own[1], key: SECRETS.acme })).status).not.toBe(403);
  });

  it("is neither cancelled nor replayed by keys that submit", async () => {
    const gateway = await startTestGateway();
    const { run_id } = await submitAs(gateway, SECRETS.acme);
    for (const act of ["cancel", "replay"]) {
      const reply = await gateway.send(`/v1/runs/${run_id}/${act}`, { method: "POST", key: SECRETS.globex });
      expect(reply.status).toBe(403);
    }
    expect(await gateway.store.runs.get(run_id)).toMatchObject({ status: "queued", tenant: "acme" });
  });

  it("is in no list but its tenant's and the operators', and no cursor or count tells of it", async () => {
    const gateway = await startTestGateway();
    const acme = await submitAs(gateway, SECRETS.acme);
    const globex = await submitAs(gateway, SECRETS.globex);
    const local = await submitAs(gateway, SECRETS.submit);
    const ids = async (key: string, query = "") =>
      (await answerOf(gateway.send(`/v1/runs${query}`, { key }), pageForm)).runs.map(({ run_id }) => run_id);
    expect(await ids(SECRETS.acme)).toEqual([acme.run_id]);
    expect(await ids(SECRETS.acmeViewer, "?status=queued")).toEqual([acme.run_id]);
    expect(await ids(SECRETS.acme, "?status=completed")).toEqual([]);
    expect(await ids(SECRETS.globex)).toEqual([globex.run_id]);
    expect(await ids(SECRETS.viewer)).toEqual([local.run_id]);
    const all = [local.run_id, globex.run_id, acme.run_id].toSorted();
    expect((await ids(SECRETS.operator)).toSorted()).toEqual(all);
    expect((await ids(SECRETS.acmeOperator)).toSorted()).toEqual(all);
    const tasks = await answerOf(protocolClient(gateway.url, SECRETS.acme).tasks(), taskPageForm);
    expect(tasks).toMatchObject({ tasks: [{ task_id: acme.run_id }], pagination: { total_items: 1 } });
    const page = await answerOf(gateway.send("/v1/runs?limit=1", { key: SECRETS.acme }), pageForm);
    const cursor = Buffer.from(page.next_cursor ?? "", "base64url").toString();
    expect(cursor).not.toMatch(new RegExp(`${globex.run_id}|${local.run_id}`));
  });

  it("has its numbers only with those who run the cluster", async () => {
    const gateway = await startTestGateway();
    for (const path of ["/v1/stats", "/metrics", "/v1/handoffs"]) {
      expect((await gateway.send(path, { key: SECRETS.acme })).status, path).toBe(403);
      expect((await gateway.send(path, { key: SECRETS.viewer })).status, path).toBe(200);
    }
  });

  it("has an Idempotency-Key of its own", async () => {
    const gateway = await startTestGateway();
    const key = { "idempotency-key": "mail-1" };
    const acme = await submitAs(gateway, SECRETS.acme, key);
    // The same name of the key, in two tenants.
    const globex = await submitAs(gateway, SECRETS.globex, key);
    expect(globex.run_id).not.toBe(acme.run_id);
    expect(await submitAs(gateway, SECRETS.acme, key)).toEqual(acme);
  });

  it("belongs to its tenant still when an operator has it run again", async () => {
    const gateway = await startTestGateway();
    const { run_id } = await submitAs(gateway, SECRETS.acme);
    const reply = gateway.post(`/v1/runs/${run_id}/replay`, {}, as(SECRETS.operator));
    const again = await answerOf(reply, startedForm);
    expect(await gateway.store.runs.get(again.run_id)).toMatchObject({ tenant: "acme" });
  });
});

describe("a run from before there were tenants", () => {
  it("belongs to the default tenant", async () => {
    const gateway = await startTestGateway();
    const { runId } = await gateway.system.submit({ text: "old" });
    expect((await gateway.send(`/v1/runs/${runId}`, { key: SECRETS.viewer })).status).toBe(200);
    expect((await gateway.send(`/v1/runs/${runId}`, { key: SECRETS.operator })).status).toBe(200);
    expect((await gateway.send(`/v1/runs/${runId}`, { key: SECRETS.acme })).status).toBe(404);
  });
});

describe("a file of another tenant", () => {
  const bytes = "the design of the engine";
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const storeAs = (gateway: TestGateway, key: string) =>
    gateway.send("/v1/blobs", { method: "POST", body: bytes, key });

  it("is not found by its digest, and is found once its owner or an operator asks", async () => {
    const gateway = await startTestGateway();
    expect((await storeAs(gateway, SECRETS.acme)).status).toBe(201);
    const read = (key: string, query = "") => gateway.send(`/v1/blobs/${sha256}${query}`, { key });
    expect(await told(await read(SECRETS.globex), sha256)).toEqual(
      await told(await gateway.send(`/v1/blobs/${NOBODYS}`, { key: SECRETS.globex }), NOBODYS),
    );
    for (const key of [SECRETS.globex, SECRETS.submit, SECRETS.viewer]) {
      expect((await read(key)).status).toBe(404);
      expect((await read(key, "?tenant=acme")).status).toBe(404);
    }
    expect(await (await read(SECRETS.acmeViewer)).text()).toBe(bytes);
    expect(await (await read(SECRETS.operator, "?tenant=acme")).text()).toBe(bytes);
    expect((await read(SECRETS.operator, "?tenant=..")).status).toBe(422);
    // A holder of the bytes may store them; that makes them one's own, and no other's.
    expect((await storeAs(gateway, SECRETS.globex)).status).toBe(201);
    expect(await (await read(SECRETS.globex)).text()).toBe(bytes);
    expect((await read(SECRETS.submit)).status).toBe(404);
  });
});

describe("a conversation of another tenant", () => {
  const said = contract("gw.said@1", z.object({ words: z.string() }));
  const talking = team("gw-talk", [
    agent("gw-talk@1", {
      accepts: said,
      handle: async ({ words }, ctx) => {
        const board = ctx.board("notes", {}, { conversation: "one" });
        await board.update("note", "words", (before) =>
          before === null ? words : `${JSON.stringify(before.value)} ${words}`,
        );
        return ctx.complete((await board.read()).entries.get("words")?.value);
      },
    }),
  ]);

  it.each([
    ["the same user", "bob", "bob"],
    ["no user", undefined, undefined],
    ["an empty user", undefined, ""],
    ["a user written as the other tenant's", "bob", "acme/bob"],
    ["a user that climbs", "bob", "../acme/bob"],
  ])("is not taken by naming %s", async (_what, theirs, mine) => {
    const gateway = await startTestGateway({ team: talking });
    await gateway.system.start();
    const say = async (secret: string, words: string, user_id: string | undefined) => {
      const user = user_id === undefined ? {} : { user: { user_id } };
      const body = { team: "gw-talk", input: { words }, ...user };
      const { run_id } = await answerOf(gateway.post("/v1/tasks", body, as(secret)), startedForm);
      return (await gateway.system.until(run_id)).result;
    };
    expect(await say(SECRETS.acme, "secret", theirs)).toBe("secret");
    for (const secret of [SECRETS.globex, SECRETS.submit, SECRETS.operator])
      expect(JSON.stringify(await say(secret, "probe", mine))).not.toContain("secret");
    expect(await say(SECRETS.acme, "again", theirs)).toBe('"secret" again');
  });
});
