import { randomUUID } from "node:crypto";
import { request as send } from "node:http";
import { AgentCard, TaskState } from "@a2a-js/sdk";
import type { Task } from "@a2a-js/sdk";
import type { Client } from "@a2a-js/sdk/client";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { CONTRACT_EXTENSION, RUN_EXTENSION } from "#shared/a2a";
import { atOnce, collect, messageOf, openA2aClient } from "../testing/a2a-client.ts";
import { SECRETS, startTestGateway } from "../testing/start-test-gateway.ts";
import type { TestGatewayOptions } from "../testing/start-test-gateway.ts";
import { chooseFreePort } from "../../../infra/redis/redis-process.ts";

const Ask = contract(
  "a2a.ask@1",
  z.strictObject({ text: z.string().min(1), mode: z.enum(["work", "person", "fail"]).default("work") }),
);
const Judged = contract("a2a.judged@1", z.object({ text: z.string() }), {
  onContentError: "quarantine",
  check: () => [{ path: "/text", code: "unsure", message: "a person must look" }],
});

const AGENTS = [
  agent("a2a-reader@1", {
    accepts: Ask,
    to: { "a2a-judge": Judged },
    deliveriesMax: 1,
    handle: ({ text, mode }, ctx) => {
      if (mode === "person") return ctx.handoff("a2a-judge", { text });
      if (mode === "fail") throw new Error("broken on purpose");
      return ctx.complete({ said: text.toUpperCase() });
    },
  }),
  agent("a2a-judge@1", { accepts: Judged, handle: (_, ctx) => ctx.complete(null) }),
];
const asked = team("a2a-team", AGENTS, { description: "Says it louder." });
const ending = team("a2a-team", AGENTS, { onFailure: "end" });

const BINDINGS = ["JSONRPC", "GRPC"] as const;

async function open(options: TestGatewayOptions = {}) {
  const a2aGrpcPort = await chooseFreePort(null);
  const gateway = await startTestGateway({
    team: asked,
    ...options,
    parts: { a2aGrpcPort, ...options.parts },
  });
  const client = (key: string, binding: (typeof BINDINGS)[number] = "JSONRPC"): Promise<Client> =>
    openA2aClient(gateway, { team: "a2a-team", key, binding });
  return { gateway, client };
}

const say = (text: string, more: object = {}, messageId: string = randomUUID()) =>
  messageOf({ $case: "data", value: { text, ...more } }, { messageId });

function isTask(answer: object): asserts answer is Task {
  expect(answer).toHaveProperty("status");
}

const resultOf = (task: Task): unknown => {
  const content = task.artifacts[0]?.parts[0]?.content;
  return content?.$case === "data" ? content.value : undefined;
};

describe.each(BINDINGS)("a team as an A2A agent over %s", (binding) => {
  it("answers a message with its task at its end, and streams another", async () => {
    const { gateway, client } = await open();
    await gateway.system.start();
    const own = await client(SECRETS.submit, binding);
    const task = await own.sendMessage(say("hello"));
    isTask(task);
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(resultOf(task)).toEqual({ said: "HELLO" });
    const spoken = await collect(own.sendMessageStream(messageOf({ $case: "text", value: "by text" })));
    const kinds = spoken.map(({ payload }) => payload?.$case);
    expect(kinds[0]).toBe("task");
    expect(kinds.slice(-2)).toEqual(["artifactUpdate", "statusUpdate"]);
    const last = spoken.at(-1)?.payload;
    expect(last?.$case === "statusUpdate" && last.value.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    const { tasks, totalSize } = await own.listTasks({
      tenant: "",
      contextId: "",
      status: TaskState.TASK_STATE_COMPLETED,
      pageSize: 1,
      pageToken: "",
      statusTimestampAfter: undefined,
      includeArtifacts: true,
    });
    expect([tasks.length, totalSize]).toEqual([1, 2]);
    expect(tasks.map(resultOf)).toEqual([{ said: "BY TEXT" }]);
  });

  it("begins one run for one messageId, and refuses other content under it", async () => {
    const { gateway, client } = await open();
    const own = await client(SECRETS.submit, binding);
    const request = atOnce(say("once"));
    const [one, two] = [await own.sendMessage(request), await own.sendMessage(request)];
    isTask(one);
    isTask(two);
    expect(two.id).toBe(one.id);
    const altered = atOnce(say("twice", {}, request.message?.messageId));
    await expect(own.sendMessage(altered)).rejects.toThrow("messageId");
    expect((await gateway.store.runs.counts()).submitted).toBe(1);
  });

  it("refuses push notifications, and begins nothing for a message that asks for them", async () => {
    const { gateway, client } = await open();
    const config = { tenant: "", id: "", taskId: "", url: "https://example.org/hook", token: "" };
    const taskPushNotificationConfig = { ...config, authentication: undefined };
    const own = await client(SECRETS.submit, binding);
    const { configuration, ...rest } = atOnce(say("push"));
    const asking = {
      ...rest,
      configuration: configuration && { ...configuration, taskPushNotificationConfig },
    };
    await expect(own.sendMessage(asking)).rejects.toThrow(/webhook/);
    expect((await gateway.store.runs.counts()).submitted).toBe(0);
  });

  it("rejects content that its contract does not take, and names the place", async () => {
    const { gateway, client } = await open();
    const own = await client(SECRETS.submit, binding);
    const task = await own.sendMessage(say("x", { mode: "guess" }));
    isTask(task);
    expect(task.status?.state).toBe(TaskState.TASK_STATE_REJECTED);
    expect(JSON.stringify(task.status?.message?.parts)).toContain("/mode");
    expect((await gateway.store.runs.counts()).submitted).toBe(0);
  });

  it("never shows or cancels a task of another tenant, nor one by another team's address", async () => {
    const { client } = await open();
    const acme = await client(SECRETS.acme, binding);
    const task = await acme.sendMessage(atOnce(say("secret words")));
    isTask(task);
    const { id } = task;
    const globex = await client(SECRETS.globex, binding);
    // By gRPC the tenant is the team; the client puts it in.
    const named = { tenant: binding === "GRPC" ? "" : "acme", id };
    await expect(globex.getTask(named)).rejects.toThrow(/not found|no run/i);
    await expect(collect(globex.resubscribeTask(named))).rejects.toThrow();
    const { tasks, totalSize } = await globex.listTasks({
      tenant: "",
      contextId: task.contextId,
      status: TaskState.TASK_STATE_UNSPECIFIED,
      pageToken: "",
      statusTimestampAfter: undefined,
    });
    expect([tasks, totalSize]).toEqual([[], 0]);
    await expect(globex.cancelTask({ ...named, metadata: {} })).rejects.toThrow();
    expect((await acme.getTask({ tenant: "", id })).status?.state).toBe(TaskState.TASK_STATE_SUBMITTED);
    // The same messageId of another tenant is another message.
    const again = await globex.sendMessage(atOnce(say("secret words", {}, task.history[0]?.messageId)));
    isTask(again);
    expect(again.id).not.toBe(id);
  });

  it("cancels for keys that may, and says so to who follows", async () => {
    const { gateway, client } = await open();
    const staff = await client(SECRETS.operator, binding);
    const task = await staff.sendMessage(atOnce(say("stop me")));
    isTask(task);
    const following = collect(staff.resubscribeTask({ tenant: "", id: task.id }));
    const viewer = await client(SECRETS.viewer, binding);
    await expect(viewer.cancelTask({ tenant: "", id: task.id, metadata: {} })).rejects.toThrow();
    await staff.cancelTask({ tenant: "", id: task.id, metadata: {} });
    await gateway.system.start();
    const last = (await following).at(-1)?.payload;
    expect(last?.$case === "statusUpdate" && last.value.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    await expect(staff.cancelTask({ tenant: "", id: task.id, metadata: {} })).rejects.toThrow(/ended/);
  });
});

describe("the states of a task", () => {
  it("are WORKING while a person decides", async () => {
    const { gateway, client } = await open();
    await gateway.system.start();
    const own = await client(SECRETS.submit);
    const waiting = await own.sendMessage(atOnce(say("x", { mode: "person" })));
    isTask(waiting);
    await gateway.system.until(waiting.id, ["quarantined"]);
    const held = await own.getTask({ tenant: "", id: waiting.id });
    expect(held.status?.state).toBe(TaskState.TASK_STATE_WORKING);
    expect(held.metadata?.[RUN_EXTENSION]).toMatchObject({ waiting_for: "person" });
  });

  it("are FAILED with the reason", async () => {
    const { gateway, client } = await open({ team: ending });
    await gateway.system.start();
    const failed = await (await client(SECRETS.submit)).sendMessage(say("x", { mode: "fail" }));
    isTask(failed);
    expect(failed.status?.state).toBe(TaskState.TASK_STATE_FAILED);
    expect(failed.metadata?.[RUN_EXTENSION]).toMatchObject({
      status: "failed",
      billing: { currency: "USD" },
    });
  });
});

describe("the card of a team", () => {
  it("has one skill, the contract as an extension, and is for keys that may use the team", async () => {
    const { gateway } = await open();
    const path = "/a2a/a2a-team/.well-known/agent-card.json";
    const card = AgentCard.fromJSON(await (await gateway.send(path)).json());
    expect(card).toMatchObject({
      name: "a2a-team",
      description: "Says it louder.",
      skills: [{ id: "a2a-team" }],
    });
    const extension = card.capabilities?.extensions.find(
      ({ uri }: { uri: string }) => uri === CONTRACT_EXTENSION,
    );
    expect(extension?.params).toMatchObject({ contract: "a2a.ask@1", schema: { type: "object" } });
    expect((await gateway.send(path, { key: null })).status).toBe(401);
    expect((await gateway.send("/a2a/other/.well-known/agent-card.json")).status).toBe(404);
  });

  it.each([
    [{ jsonrpc: "2.0", id: 1, method: "SendMessage", params: {} }, -32602],
    [{ jsonrpc: "2.0", id: 1, method: "Nothing", params: {} }, -32601],
    [{ jsonrpc: "1.0", id: 1, method: "GetTask", params: { id: "x" } }, -32602],
    [{ jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: "x" } }, -32001],
    [[], -32602],
  ])("leads to an address that answers %j with %d", async (body, code) => {
    const { gateway } = await open();
    const reply = await gateway.post("/a2a/a2a-team", body, { "a2a-version": "1.0" });
    expect(await reply.json()).toMatchObject({ jsonrpc: "2.0", error: { code } });
  });

  it("leads to limits that are told by their HTTP status", async () => {
    const { gateway } = await open({ parts: { wardIsFull: async () => true } });
    const body = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message: wire("x") } };
    const reply = await gateway.post("/a2a/a2a-team", body, { "a2a-version": "1.0" });
    expect(reply.status).toBe(429);
  });
});

const wire = (messageId: string): object => ({
  messageId,
  role: "ROLE_USER",
  parts: [{ data: { text: "hello" } }],
});

describe("the addresses in a card", () => {
  /** Sends any `Host`, which `fetch` does not. */
  async function cardFor(url: string, headers: Record<string, string>) {
    const path = "/a2a/a2a-team/.well-known/agent-card.json";
    const options = { headers: { authorization: `Bearer ${SECRETS.submit}`, ...headers } };
    const text = await new Promise<string>((resolve, reject) => {
      send(url + path, options, (response) => {
        response.setEncoding("utf8");
        let body = "";
        response.on("data", (piece: string) => (body += piece));
        response.on("end", () => resolve(body));
      })
        .on("error", reject)
        .end();
    });
    return {
      text,
      origins: AgentCard.fromJSON(JSON.parse(text))
        .supportedInterfaces.filter(({ protocolBinding }) => protocolBinding !== "GRPC")
        .map(({ url: at }) => at),
    };
  }

  it.each(["evil.example", "localhost.evil.example", "127.0.0.1@evil.example", ""])(
    "are the gateway's own where a request names the host %j",
    async (host) => {
      const { gateway } = await open();
      for (const more of [{}, { "x-forwarded-host": "evil.example", forwarded: "host=evil.example" }]) {
        const { text, origins } = await cardFor(gateway.url, { host, ...more });
        expect(text).not.toContain("evil");
        const own = `http://127.0.0.1:${gateway.port}/a2a/a2a-team`;
        expect(origins).toEqual([own]);
      }
    },
  );

  it("are the loopback that a request names, and with a public address always that", async () => {
    const { gateway } = await open();
    for (const host of ["localhost:7001", "127.0.0.1:7001", "[::1]:7001"])
      expect((await cardFor(gateway.url, { host })).origins[0]).toBe(`http://${host}/a2a/a2a-team`);
    const publicUrl = "https://agents.example.org/suture";
    const { gateway: published } = await open({ parts: { gatewayPublicUrl: publicUrl } });
    for (const host of ["localhost:7001", "evil.example"])
      expect((await cardFor(published.url, { host })).origins[0]).toBe(`${publicUrl}/a2a/a2a-team`);
  });
});

it.each(["__proto__", 7])("answers the method %s as one that is not there", async (method) => {
  const { gateway } = await open();
  const reply = await gateway.post("/a2a/a2a-team", { jsonrpc: "2.0", id: 1, method, params: {} });
  expect(reply.status).toBeLessThan(500);
  expect(await reply.json()).toMatchObject({ error: { code: expect.any(Number) } });
});
