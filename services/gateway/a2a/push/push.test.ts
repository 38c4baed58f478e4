import { createHmac } from "node:crypto";
import { StreamResponse, TaskState } from "@a2a-js/sdk";
import type { Task } from "@a2a-js/sdk";
import { describe, expect, it } from "vitest";
import { messageOf, openA2aClient } from "../../testing/a2a-client.ts";
import { startReceiver } from "../../testing/start-receiver.ts";
import type { Receiver } from "../../testing/start-receiver.ts";
import { SECRETS, startTestGateway } from "../../testing/start-test-gateway.ts";

const TOKEN = "a-token-of-the-client";

const readTask = (text: string): Task | undefined => {
  const { payload } = StreamResponse.fromJSON(JSON.parse(text));
  return payload?.$case === "task" ? payload.value : undefined;
};

async function open(receiver: Pick<Receiver<unknown>, "host"> | null) {
  const pushHosts = new Set(receiver === null ? [] : [receiver.host]);
  const gateway = { ...(await startTestGateway({ parts: { pushHosts } })), pushHosts };
  const client = (key: string = SECRETS.submit) =>
    openA2aClient(gateway, { team: "gw-chain", key, binding: "JSONRPC" });
  return { gateway, client };
}

const configOf = (url: string, taskId = "") => ({
  tenant: "",
  id: "",
  taskId,
  url,
  token: TOKEN,
  authentication: { scheme: "Bearer", credentials: "credentials-of-the-client" },
});

const sending = (url: string | null) => ({
  ...messageOf({ $case: "data", value: { text: "hello" } }),
  configuration: {
    acceptedOutputModes: [],
    returnImmediately: true,
    taskPushNotificationConfig: url === null ? undefined : configOf(url),
  },
});

const statesOf = ({ posts }: Receiver<Task | undefined>): (TaskState | undefined)[] =>
  posts.map(({ body }) => body?.status?.state);

describe("push notifications", () => {
  it("tell an address of each change until the end, signed with its token, also after it was away", async () => {
    const receiver = await startReceiver(readTask);
    receiver.answers.push(503, 307);
    const { gateway, client } = await open(receiver);
    const task = await (await client()).sendMessage(sending(receiver.url));
    await gateway.system.start();
    await expect
      .poll(() => statesOf(receiver).at(-1), { timeout: 60_000 })
      .toBe(TaskState.TASK_STATE_COMPLETED);
    const last = receiver.posts.at(-1);
    expect(last?.body).toMatchObject({ id: "id" in task ? task.id : "", artifacts: [{ name: "result" }] });
    expect(last?.headers).toMatchObject({
      authorization: "Bearer credentials-of-the-client",
      "x-a2a-notification-token": TOKEN,
    });
    const { "webhook-id": id, "webhook-timestamp": at } = last?.headers ?? {};
    const signature = createHmac("sha256", TOKEN)
      .update(`${String(id)}.${String(at)}.${last?.text}`)
      .digest("base64");
    expect(last?.headers["webhook-signature"]).toBe(`v1,${signature}`);
    // Nothing is left to look at.
    await expect
      .poll(() => gateway.store.redis.zcard(gateway.store.keys.runs("index:push")), { timeout: 60_000 })
      .toBe(0);
  });

  it("are kept, shown without secrets, and removed", async () => {
    const receiver = await startReceiver(readTask);
    const { gateway, client } = await open(receiver);
    const own = await client();
    const task = await own.sendMessage(sending(null));
    if (!("status" in task)) throw new Error("no task");
    const made = await own.createTaskPushNotificationConfig(configOf(receiver.url, task.id));
    expect(made).toMatchObject({ id: "default", url: receiver.url });
    const asked = { tenant: "", taskId: task.id, id: "default" };
    const seen = await own.getTaskPushNotificationConfig(asked);
    expect(JSON.stringify(seen)).not.toMatch(/of-the-client/);
    expect(
      (await own.listTaskPushNotificationConfig({ ...asked, pageSize: 0, pageToken: "" })).configs,
    ).toHaveLength(1);
    const other = await client(SECRETS.globex);
    await expect(other.getTaskPushNotificationConfig(asked)).rejects.toThrow();
    await expect(other.createTaskPushNotificationConfig(configOf(receiver.url, task.id))).rejects.toThrow();
    await own.deleteTaskPushNotificationConfig(asked);
    expect(
      (await own.listTaskPushNotificationConfig({ ...asked, pageSize: 0, pageToken: "" })).configs,
    ).toEqual([]);
    await gateway.system.start();
    await gateway.system.until(task.id);
  });

  const isEnded = (task: Task | undefined): boolean => task?.status?.state === TaskState.TASK_STATE_COMPLETED;

  it.each(["removed", "written anew", "joined by another"] as const)(
    "follow an address that is %s while it is told of the end",
    async (what) => {
      const receiver = await startReceiver(readTask);
      const other = await startReceiver(readTask);
      const { gateway, client } = await open(receiver);
      gateway.pushHosts.add(other.host);
      const own = await client();
      const task = await own.sendMessage(sending(receiver.url));
      if (!("status" in task)) throw new Error("no task");
      const asked = { tenant: "", taskId: task.id, id: "default" };
      receiver.during = async (posted) => {
        if (!isEnded(posted)) return;
        const id = what === "written anew" ? "default" : "other";
        if (what === "removed") await own.deleteTaskPushNotificationConfig(asked);
        else await own.createTaskPushNotificationConfig({ ...configOf(other.url, task.id), id });
      };
      await gateway.system.start();
      await expect.poll(() => receiver.posts.some((post) => isEnded(post.body))).toBe(true);
      const due = gateway.store.keys.runs("index:push");
      await expect.poll(() => gateway.store.redis.zcard(due)).toBe(0);
      const { configs } = await own.listTaskPushNotificationConfig({ ...asked, pageSize: 0, pageToken: "" });
      const kept = {
        removed: [],
        "written anew": [other.url],
        "joined by another": [receiver.url, other.url],
      };
      expect(new Set(configs.map(({ url }) => url))).toEqual(new Set(kept[what]));
      expect(statesOf(other)).toEqual(what === "removed" ? [] : [TaskState.TASK_STATE_COMPLETED]);
    },
  );

  it.each(["is revoked", "has expired"])("are sent no more for a key that %s", async (how) => {
    const receiver = await startReceiver(readTask);
    const { gateway, client } = await open(receiver);
    const expires_at = how === "has expired" ? new Date(Date.now() + 2000).toISOString() : null;
    const shop = { name: "shop", tenant: "acme", scope: "submit", teams: null, quotas: {} } as const;
    const made = await gateway.store.apiKeys.add({ ...shop, expires_at }, "test");
    if (made.kind !== "added") throw new Error(made.kind);
    const task = await (await client(made.secret)).sendMessage(sending(receiver.url));
    if (!("status" in task)) throw new Error("no task");
    await expect
      .poll(() => statesOf(receiver), { timeout: 60_000 })
      .toContain(TaskState.TASK_STATE_SUBMITTED);
    const other = await startReceiver(readTask);
    gateway.pushHosts.add(other.host);
    const again = await client(SECRETS.acme);
    await again.createTaskPushNotificationConfig({ ...configOf(other.url, task.id), id: "other" });
    if (how === "is revoked") await gateway.store.apiKeys.revoke("acme/shop");
    const key = made.secret;
    await expect
      .poll(async () => (await gateway.send("/v1/runs", { key })).status, { timeout: 60_000 })
      .toBe(401);
    // The name is free again; another key of that name has not asked for anything.
    if (how === "is revoked") await gateway.store.apiKeys.add({ ...shop, expires_at }, "test");
    const before = receiver.posts.length;
    await gateway.system.start();
    const targetOf = async (id: string): Promise<{ told: string; failures: number }> =>
      JSON.parse((await gateway.store.pushTargets.list(task.id)).get(id) ?? "{}");
    await expect
      .poll(async () => (await targetOf("default")).failures, { timeout: 60_000 })
      .toBeGreaterThan(0);
    // The address of another key hears of the end, and this one does not.
    await expect.poll(() => statesOf(other), { timeout: 60_000 }).toContain(TaskState.TASK_STATE_COMPLETED);
    expect(receiver.posts.slice(before)).toEqual([]);
    expect((await targetOf("default")).told).toBe("queued");
    const stored = JSON.stringify([...(await gateway.store.pushTargets.list(task.id))]);
    expect(stored).not.toContain(made.secret);
  });

  it.each([
    "http://example.org/hook",
    "https://169.254.169.254/latest/meta-data",
    "https://user:pass@example.org/hook",
  ])("never go to %j, and the message with it begins nothing", async (url) => {
    const { gateway, client } = await open(null);
    await expect((await client()).sendMessage(sending(url))).rejects.toThrow(/url/);
    expect((await gateway.store.runs.counts()).submitted).toBe(0);
  });

  it("do not go to a name that leads inside, however late it does", async () => {
    const receiver = await startReceiver(readTask);
    const { gateway, client } = await open(null);
    const own = await client();
    const named = `https://localhost:${receiver.host.split(":")[1]}/hook`;
    const task = await own.sendMessage(sending(named));
    if (!("status" in task)) throw new Error("no task");
    const failures = async (): Promise<number> => {
      const text = (await gateway.store.pushTargets.list(task.id)).get("default") ?? "{}";
      return JSON.parse(text).failures;
    };
    await expect.poll(failures, { timeout: 60_000 }).toBeGreaterThan(0);
    expect(receiver.posts).toEqual([]);
  });
});
