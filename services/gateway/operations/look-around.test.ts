import { createHash, randomBytes } from "node:crypto";
import { readdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SECRETS, startTestGateway } from "../testing/start-test-gateway.ts";
import type { TestGateway } from "../testing/start-test-gateway.ts";
import { z } from "zod";
import { answerOf } from "../testing/answer.ts";

function upload(
  gateway: TestGateway,
  body: NonNullable<RequestInit["body"]>,
  type: string,
): Promise<Response> {
  return gateway.send("/v1/blobs", { method: "POST", body, headers: { "content-type": type } });
}

const agentsForm = z.looseObject({
  agents: z.array(z.looseObject({ agent: z.string(), live: z.array(z.unknown()) })),
});
const teamsForm = z.looseObject({ teams: z.array(z.looseObject({ mermaid: z.string() })) });

/** What is left of uploads that did not end well. */
async function incoming(gateway: TestGateway): Promise<string[]> {
  return readdir(join(gateway.blobsFolder, "incoming")).catch(() => []);
}

describe("blobs", () => {
  it("come back byte for byte, by their hash, with their type and never as a page", async () => {
    const gateway = await startTestGateway();
    const mark = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    const content = Buffer.concat([mark, randomBytes(300_000 - mark.length)]);
    const sha256 = createHash("sha256").update(content).digest("hex");
    const reply = await upload(gateway, content, "image/png; x=1");
    expect(reply.status).toBe(201);
    expect(await reply.json()).toEqual({
      id: sha256,
      uri: `sha256:${sha256}`,
      mime_type: "image/png",
      bytes: 300_000,
      sha256,
    });
    for (const id of [sha256, `sha256:${sha256}`]) {
      const read = await gateway.send(`/v1/blobs/${id}`);
      expect(Buffer.from(await read.arrayBuffer()).equals(content)).toBe(true);
      expect(read.headers.get("content-type")).toBe("image/png");
      expect(read.headers.get("content-disposition")).toBe("attachment");
      expect(read.headers.get("content-security-policy")).toContain("sandbox");
      expect(read.headers.get("x-content-type-options")).toBe("nosniff");
    }
    expect(await incoming(gateway)).toEqual([]);
  });

  it("whose bytes were changed are refused, or broken off before their end, and come back once they are stored again", async () => {
    const gateway = await startTestGateway();
    for (const length of [1000, 4_000_000]) {
      const content = randomBytes(length);
      const sha256 = createHash("sha256").update(content).digest("hex");
      expect((await upload(gateway, content, "text/plain")).status).toBe(201);
      const file = join(gateway.blobsFolder, sha256.slice(0, 2), sha256);
      await writeFile(
        file,
        Buffer.concat([content.subarray(0, -1), Buffer.from([(content.at(-1) ?? 0) ^ 1])]),
      );
      const read = async () => {
        const reply = await gateway.send(`/v1/blobs/${sha256}`);
        return { status: reply.status, bytes: Buffer.from(await reply.arrayBuffer()) };
      };
      if (length < 10_000) expect((await read()).bytes.toString()).toContain("blob_damaged");
      else await expect(read()).rejects.toThrow();
      expect((await upload(gateway, content, "text/plain")).status).toBe(201);
      const mended = await read();
      expect({ status: mended.status, isWhole: mended.bytes.equals(content) }).toEqual({
        status: 200,
        isWhole: true,
      });
    }
  });

  it("are what their bytes say: programs are refused, and so is what is sent under another type", async () => {
    const gateway = await startTestGateway();
    const program = await upload(gateway, Buffer.from("\x7fELF\x02\x01"), "application/pdf");
    expect(program.status).toBe(415);
    expect(await program.json()).toMatchObject({
      errors: [{ pointer: "/content-type", code: "type_refused" }],
    });
    expect((await upload(gateway, "%PDF-1.7", "image/png")).status).toBe(415);
    const found = await upload(gateway, "%PDF-1.7", "application/octet-stream");
    expect(await found.json()).toMatchObject({ mime_type: "application/pdf" });
    expect(await incoming(gateway)).toEqual([]);
  });

  it("are one when the same content comes many times at once", async () => {
    const gateway = await startTestGateway();
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => upload(gateway, "same", "text/plain")),
    );
    expect(new Set(await Promise.all(replies.map((reply) => reply.text()))).size).toBe(1);
    expect(await incoming(gateway)).toEqual([]);
  });

  it("may be JSON, however it is written, or nothing at all", async () => {
    const gateway = await startTestGateway();
    expect(await (await upload(gateway, "{not json", "application/json")).json()).toMatchObject({
      bytes: 9,
      mime_type: "application/json",
    });
    expect(await (await gateway.send("/v1/blobs", { method: "POST" })).json()).toMatchObject({ bytes: 0 });
  });

  it("are refused above the bound, said or unsaid, and leave nothing behind", async () => {
    const gateway = await startTestGateway({ bounds: { blobBytesMax: 1000 } });
    expect((await upload(gateway, Buffer.alloc(1000), "a/b")).status).toBe(201);
    expect((await upload(gateway, Buffer.alloc(1001), "a/b")).status).toBe(413);
    const lines = [
      "POST /v1/blobs HTTP/1.1",
      "Host: x",
      `Authorization: Bearer ${SECRETS.admin}`,
      "Transfer-Encoding: chunked",
    ];
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(gateway.port, "127.0.0.1");
      let text = "";
      socket.on("data", (chunk) => (text += chunk.toString()));
      socket.on("error", () => undefined);
      socket.on("close", () => resolve(text));
      socket.write(`${lines.join("\r\n")}\r\n\r\n${(5000).toString(16)}\r\n${"x".repeat(5000)}\r\n`);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 [^]*problem\+json/);
    expect(await incoming(gateway)).toEqual([]);
  });

  it("leave nothing behind when the client goes away in the middle", async () => {
    const gateway = await startTestGateway();
    const socket = connect(gateway.port, "127.0.0.1");
    socket.on("error", () => undefined);
    const lines = [
      "POST /v1/blobs HTTP/1.1",
      "Host: x",
      `Authorization: Bearer ${SECRETS.admin}`,
      "Content-Length: 100000",
    ];
    socket.write(`${lines.join("\r\n")}\r\n\r\n${"x".repeat(5000)}`);
    await expect.poll(async () => (await incoming(gateway)).length).toBe(1);
    socket.destroy();
    await expect.poll(() => incoming(gateway)).toEqual([]);
  });

  it.each(["nope", "a".repeat(64), "sha256:x", "..%2f..%2fetc%2fpasswd", "A".repeat(64)])(
    "are not found at %s",
    async (id) => {
      const gateway = await startTestGateway();
      expect((await gateway.send(`/v1/blobs/${id}`)).status).toBe(404);
    },
  );
});

describe("what there is", () => {
  it("lists agents, declared and live", async () => {
    const gateway = await startTestGateway();
    await gateway.system.start({ only: ["gw-first"] });
    const { agents } = await answerOf(gateway.send("/v1/agents"), agentsForm);
    expect(agents.map((one) => [one.agent, one.live.length])).toEqual([
      ["gw-first", 1],
      ["gw-last", 0],
      ["gw-old", 0],
    ]);
    expect(agents[0]).toMatchObject({
      id: "gw-first@1",
      accepts: "gw.note@2",
      hands_to: ["gw-last"],
      capabilities: ["counting"],
      declared: true,
    });
  });

  it("says of an agent that it waits for its model, and why", async () => {
    const gateway = await startTestGateway();
    const { registry } = gateway.system.store;
    await gateway.system.start({ only: ["gw-first"] });
    const [live] = await registry.live();
    const waits_for_model = { model: "m", reason: "configuration", since_ms: 0 };
    if (live !== undefined) await registry.announce([{ ...live, instance: "other", waits_for_model }]);
    const { agents } = z
      .object({ agents: z.array(z.looseObject({ live: z.array(z.looseObject({})) })) })
      .parse(await (await gateway.send("/v1/agents")).json());
    expect(agents[0]?.live.map((one) => one["waits_for_model"])).toEqual(
      expect.arrayContaining([
        null,
        { model: "m", reason: "configuration", since: "1970-01-01T00:00:00.000Z" },
      ]),
    );
  });

  it("draws teams", async () => {
    const gateway = await startTestGateway();
    const { teams } = await answerOf(gateway.send("/v1/teams"), teamsForm);
    expect(teams[0]).toMatchObject({
      team: "gw-chain",
      entry: "gw-first",
      edges: [{ from: "gw-first", to: "gw-last", contract: "gw.length@1" }],
    });
    expect(teams[0]?.mermaid.split("\n")).toContain('  a0 -->|"gw.length@1"| a1');
  });

  it("shows contracts as JSON Schema, of every version", async () => {
    const gateway = await startTestGateway();
    const reply = await gateway.send("/v1/contracts/gw.note@2");
    expect(reply.headers.get("content-type")).toContain("application/schema+json");
    expect(await reply.json()).toMatchObject({ title: "gw.note@2", required: ["text"] });
    expect((await gateway.send("/v1/contracts/gw.note@1")).status).toBe(200);
    for (const id of ["gw.note@3", "gw.note", "@", "__proto__@1", "constructor"]) {
      expect((await gateway.send(`/v1/contracts/${id}`)).status).toBe(404);
    }
  });

  it("shows both sides of the equation and every queue", async () => {
    const gateway = await startTestGateway();
    for (let i = 0; i < 3; i += 1)
      await gateway.post("/v1/tasks", { team: "gw-chain", input: { text: "x" } });
    const stats = async () => (await gateway.send("/v1/stats")).json();
    await expect.poll(stats).toMatchObject({
      equation: { submitted: 3, completed: 0, waiting: 3, balanced: true },
      waiting: { queue: 3, retry: 0, ward: 0, quarantine: 0 },
      runs: { queued: 3 },
      outbox: { runs: 0 },
    });
    expect(await stats()).toHaveProperty(
      "queues",
      expect.arrayContaining([
        { agent: "gw-first", lane: "fresh", waiting: 3, active: 0, delayed: 0, failed: 0, damage: null },
      ]),
    );
    const metrics = await (await gateway.send("/metrics")).text();
    expect(metrics).toContain('suture_runs{status="queued"} 3');
    expect(metrics).toContain("suture_equation_balanced 1");
    expect(metrics).toContain("# TYPE suture_runs_submitted_total counter\nsuture_runs_submitted_total 3\n");
    expect(metrics).toContain('suture_ward_cases{status="quarantined"} 0\n');
    expect(metrics).toMatch(/suture_queue_oldest_seconds\{agent="gw-first",lane="fresh"\} 0\.\d+\n/);
    expect(metrics).toContain('suture_queue_oldest_seconds{agent="gw-last",lane="fresh"} 0\n');
    expect(metrics).toMatch(/suture_redis_memory_bytes\{kind="used"\} [1-9]\d+\n/);
    expect(metrics).toMatch(/suture_redis_memory_bytes\{kind="max"\} [1-9]\d+\n/);
    expect(metrics).toMatch(
      /suture_http_request_seconds_count\{method="POST",route="\/v1\/tasks",status="202"\} 3/,
    );
  });
});

describe("the matrix of handoffs", () => {
  const form = z.looseObject({
    mermaid: z.string(),
    handoffs: z.array(
      z.looseObject({ from: z.string(), to: z.string(), done: z.number(), failed: z.number() }),
    ),
  });

  it("is listed with what became of handoffs, and drawn", async () => {
    const gateway = await startTestGateway();
    await gateway.system.start({ circuitsEveryMs: 20 });
    const before = await answerOf(gateway.send("/v1/handoffs"), form);
    expect(before.handoffs).toContainEqual({
      team: "gw-chain",
      from: "gw-first",
      to: "gw-last",
      handoff_type: "task_delegation",
      contract: "gw.length@1",
      loop: false,
      done: 0,
      failed: 0,
      success_rate: null,
      is_declared: true,
    });
    expect(before.mermaid).toContain('"task_delegation: gw.length@1"');
    const reply = await gateway.post("/v1/tasks", { team: "gw-chain", input: { text: "hello" } });
    expect(reply.status).toBe(202);
    const rate = async (): Promise<unknown> =>
      (await answerOf(gateway.send("/v1/handoffs?span=two_days"), form)).handoffs.find(
        ({ from }) => from === "gw-first",
      );
    await expect.poll(rate, { timeout: 60_000 }).toMatchObject({ done: 1, failed: 0, success_rate: 1 });
  });

  it("holds what producers send, and says which types there are", async () => {
    const gateway = await startTestGateway();
    const send = (handoff_type: string): Promise<Response> =>
      gateway.post("/v1/handoffs", {
        target_agent: "gw-first",
        contract: "gw.note@2",
        data_payload: { text: "x" },
        handoff_type,
      });
    expect((await send("task_delegation")).status).toBe(202);
    const refused = await send("takeover");
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({
      errors: [{ pointer: "/handoff_type", code: "undeclared" }],
    });
  });
});
