import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { answerOf } from "../testing/answer.ts";
import {
  artifactPageForm,
  executeAll,
  failureForm,
  protocolClient,
  stepForm,
  stepPageForm,
  taskForm,
  taskPageForm,
} from "../testing/protocol-client.ts";
import type { ProtocolClient } from "../testing/protocol-client.ts";
import { SECRETS, startTestGateway } from "../testing/start-test-gateway.ts";
import type { TestGatewayOptions } from "../testing/start-test-gateway.ts";

const Ask = contract(
  "ap.ask@1",
  z.strictObject({
    text: z.string().min(1),
    mode: z.enum(["work", "person"]).default("work"),
  }),
);
const Answer = contract("ap.answer@1", z.object({ text: z.string() }));
const Judged = contract("ap.judged@1", z.object({ text: z.string() }), {
  onContentError: "quarantine",
  check: () => [{ path: "/text", code: "unsure", message: "a person must look" }],
});

const asked = team("ap-team", [
  agent("ap-reader@1", {
    accepts: Ask,
    to: { "ap-writer": Answer, "ap-judge": Judged },
    deliveriesMax: 1,
    handle: ({ text, mode }, ctx) => {
      if (mode === "person") return ctx.handoff("ap-judge", { text });
      return ctx.handoff("ap-writer", { text: text.toUpperCase() });
    },
  }),
  agent("ap-writer@1", {
    accepts: Answer,
    ttlMs: 60_000,
    handle: ({ text }, ctx) => ctx.complete({ text }),
  }),
  agent("ap-judge@1", { accepts: Judged, handle: (_, ctx) => ctx.complete(null) }),
]);

async function open(options: TestGatewayOptions = {}) {
  const gateway = await startTestGateway({ team: asked, ...options });
  return { gateway, client: protocolClient(gateway.url, SECRETS.admin) };
}

async function create(client: ProtocolClient, body: unknown = { input: "hello" }): Promise<string> {
  return (await answerOf(client.create(body), taskForm)).task_id;
}

describe("a task of the Agent Protocol", () => {
  it("runs step by step to its end, each step once and in order", async () => {
    const { gateway, client } = await open();
    await gateway.system.start();
    const task = await answerOf(client.create({ input: "hello" }), taskForm);
    expect(task).toMatchObject({ input: "hello", additional_input: { team: "ap-team", text: "hello" } });
    const steps = await executeAll(client, task.task_id);
    expect(steps.map(({ name, status, is_last }) => [name, status, is_last])).toEqual([
      ["ap-reader", "completed", false],
      ["ap-writer", "completed", true],
    ]);
    expect(steps[0]?.output).toBe("handed on to ap-writer");
    expect(JSON.parse(steps[1]?.output ?? "")).toMatchObject({ text: "HELLO" });
    expect(await answerOf(client.task(task.task_id), taskForm)).toMatchObject({ input: "hello" });
    // A task that is done says so again to whoever asks again.
    expect(await answerOf(client.execute(task.task_id), stepForm)).toEqual(steps[1]);
    expect(await answerOf(client.step(task.task_id, steps[0]?.step_id ?? ""), stepForm)).toEqual(steps[0]);
  });

  it("tells the last step as the last when the run ends between two reads", async () => {
    const { gateway, client } = await open();
    const { system, store } = gateway;
    await system.start();
    const id = await create(client);
    await answerOf(client.execute(id), stepForm);
    const ended = await system.until(id);
    // The record as it was a moment before the events told of the end.
    const { runs } = store;
    const read = runs.get.bind(runs);
    const before = { ...ended, status: "running", result: null, ended_at: null } as const;
    vi.spyOn(runs, "get").mockImplementationOnce(read).mockResolvedValueOnce(before);
    expect(await answerOf(client.execute(id), stepForm)).toMatchObject({ name: "ap-writer", is_last: true });
  });

  it("gives every step to one of several clients", async () => {
    const { gateway, client } = await open();
    await gateway.system.start();
    const id = await create(client);
    await gateway.system.until(id);
    const taken = await Promise.all(Array.from({ length: 2 }, () => answerOf(client.execute(id), stepForm)));
    expect(new Set(taken.map(({ name }) => name))).toEqual(new Set(["ap-reader", "ap-writer"]));
  });

  it("answers a step that takes longer as it is, and the next request waits for it again", async () => {
    const { gateway, client } = await open({ bounds: { stepWaitMsMax: 50 } });
    const id = await create(client);
    const early = await answerOf(client.execute(id), stepForm);
    expect(early).toMatchObject({ name: "ap-reader", status: "created", is_last: false });
    await gateway.system.start();
    await gateway.system.until(id);
    expect(await answerOf(client.execute(id), stepForm)).toMatchObject({
      step_id: early.step_id,
      status: "completed",
    });
  });

  it("takes fields of the input, and a team, as additional input", async () => {
    const { gateway, client } = await open();
    await gateway.system.start();
    const id = await create(client, { additional_input: { team: "ap-team", text: "fields alone" } });
    expect(JSON.parse((await executeAll(client, id)).at(-1)?.output ?? "")).toMatchObject({
      text: "FIELDS ALONE",
    });
    const both = await create(client, { input: "words", additional_input: { text: "the field wins" } });
    expect(JSON.parse((await executeAll(client, both)).at(-1)?.output ?? "")).toMatchObject({
      text: "THE FIELD WINS",
    });
  });

  it.each([
    [{}, "/additional_input/text"],
    [{ input: "" }, "/input"],
    [{ input: 7 }, "/input"],
    [{ input: "x", additional_input: [] }, "/additional_input"],
    [{ input: "x", additional_input: { team: "nobody" } }, "/additional_input/team"],
    [{ input: "x", additional_input: { team: 7 } }, "/additional_input/team"],
    [{ input: "x", additional_input: { mode: "guess" } }, "/additional_input/mode"],
    [{ input: "x", additional_input: { debug: true } }, "/additional_input/debug"],
  ])("is refused as %j with the place of the fault, in the protocol's form", async (body, pointer) => {
    const { client } = await open();
    const reply = await client.create(body);
    expect(reply.status).toBe(422);
    expect(reply.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await reply.json()).toMatchObject({ message: expect.any(String), errors: [{ pointer }] });
  });

  it("is refused as something that is not JSON, in the protocol's form", async () => {
    const { gateway } = await open();
    const reply = await gateway.post("/ap/v1/agent/tasks", "{not json");
    expect(reply.status).toBe(400);
    expect(failureForm.parse(await reply.json()).message).not.toBe("");
  });

  it("that is unknown is not found by any operation, in the protocol's form", async () => {
    const { client } = await open();
    const known = await create(client);
    for (const reply of [
      client.task("nope"),
      client.steps("nope"),
      client.execute("nope"),
      client.step("nope", "x"),
      client.step(known, "nope"),
      client.artifacts("nope"),
      client.download("nope", "x"),
      client.download(known, "nope"),
    ]) {
      const { status, headers } = await reply;
      expect(status).toBe(404);
      expect(headers.get("content-type")).toContain("application/json");
      expect(failureForm.parse(await (await reply).json()).message).not.toBe("");
    }
  });
});

describe("what becomes of a task of the Agent Protocol", () => {
  it("is its last step with the reason when a run fails", async () => {
    const { gateway, client } = await open({ team: team("ap-team", [failing], { ttlMs: 1 }) });
    await gateway.system.start();
    const id = await create(client);
    const last = (await executeAll(client, id)).at(-1);
    expect(last).toMatchObject({
      is_last: true,
      additional_output: { run_status: "expired", error: { class: "expired" } },
    });
    expect(last?.output).toMatch(/^expired: /);
    expect(await answerOf(client.artifacts(id), artifactPageForm)).toMatchObject({ artifacts: [] });
  });

  it("is a step that says whom it waits for while only a person can move it", async () => {
    const { gateway, client } = await open({ bounds: { stepWaitMsMax: 100 } });
    await gateway.system.start();
    const id = await create(client, { input: "x", additional_input: { mode: "person" } });
    await gateway.system.until(id, ["quarantined"]);
    const first = await answerOf(client.execute(id), stepForm);
    expect(first).toMatchObject({ name: "ap-reader", status: "completed", is_last: false });
    const waiting = await answerOf(client.execute(id), stepForm);
    expect(waiting).toMatchObject({
      name: "ap-judge",
      status: "running",
      is_last: false,
      additional_output: { waiting_for: "person", run_status: "quarantined" },
    });
  });
});

const failing = agent("ap-late@1", {
  accepts: Ask,
  handle: () => Promise.reject(new Error("never done")),
});

describe("pages of the Agent Protocol", () => {
  it("go through tasks newest first, without losing one, and say how many there are", async () => {
    const { client } = await open();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift(await create(client, { input: `task ${n}` }));
    const seen: string[] = [];
    for (const page of [1, 2, 3, 4]) {
      const { tasks, pagination } = await answerOf(
        client.tasks(`?current_page=${page}&page_size=2`),
        taskPageForm,
      );
      seen.push(...tasks.map(({ task_id }) => task_id));
      expect(pagination).toEqual({ total_items: 5, total_pages: 3, current_page: page, page_size: 2 });
    }
    expect(seen.length).toBe(5);
    expect(seen.toSorted()).toEqual(ids.toSorted());
  });

  it("go through the steps of a task", async () => {
    const { gateway, client } = await open();
    await gateway.system.start();
    const id = await create(client);
    await gateway.system.until(id);
    const { steps, pagination } = await answerOf(
      client.steps(id, "?current_page=2&page_size=1"),
      stepPageForm,
    );
    expect(steps.map(({ name }) => name)).toEqual(["ap-writer"]);
    expect(pagination).toEqual({ total_items: 2, total_pages: 2, current_page: 2, page_size: 1 });
  });
});

it("has its result as an artifact, also at the addresses of the protocol's draft", async () => {
  const { gateway, client } = await open();
  await gateway.system.start();
  const created = await answerOf(gateway.post("/agent/tasks", { input: "hello" }), taskForm);
  await gateway.system.until(created.task_id);
  const reply = await gateway.post(`/agent/tasks/${created.task_id}/steps`, {});
  expect(stepForm.parse(await reply.json()).name).toBe("ap-reader");
  const { artifacts } = await answerOf(client.artifacts(created.task_id), artifactPageForm);
  expect(artifacts.map(({ file_name }) => file_name)).toEqual(["result.json"]);
  const content = await client.download(created.task_id, artifacts[0]?.artifact_id ?? "");
  expect(content.headers.get("content-type")).toBe("application/octet-stream");
  const result = await gateway.send(`/agent/artifacts/${created.task_id}.result`);
  expect(await result.json()).toMatchObject({ text: "HELLO" });
  expect((await gateway.send("/agent/artifacts/nope")).status).toBe(404);
  expect((await gateway.send("/agents")).status).toBe(404);
});
