import { createHash, randomBytes } from "node:crypto";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { head, KEY, openConnection, sendRaw, startTestGateway } from "../testing/start-test-gateway.ts";
import type { TestGateway } from "../testing/start-test-gateway.ts";

function upload(
  gateway: TestGateway,
  body: NonNullable<RequestInit["body"]>,
  type: string,
): Promise<Response> {
  return gateway.send("/v1/blobs", { method: "POST", body, headers: { "content-type": type } });
}

/** Returns the files that are left of uploads that did not end well. */
async function incoming(gateway: TestGateway): Promise<string[]> {
  return readdir(join(gateway.blobsFolder, "incoming")).catch(() => []);
}

describe("blobs", () => {
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

  it("are refused above the bound, said or unsaid, and leave nothing behind", async () => {
    const gateway = await startTestGateway({ bounds: { blobBytesMax: 1000 } });
    expect((await upload(gateway, Buffer.alloc(1000), "a/b")).status).toBe(201);
    expect((await upload(gateway, Buffer.alloc(1001), "a/b")).status).toBe(413);
    const chunked = head("POST /v1/blobs HTTP/1.1", KEY, "Transfer-Encoding: chunked");
    const answer = await sendRaw(gateway, `${chunked}${(5000).toString(16)}\r\n${"x".repeat(5000)}\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 [^]*problem\+json/);
    expect(await incoming(gateway)).toEqual([]);
  });

  it("leave nothing behind when the client goes away in the middle", async () => {
    const gateway = await startTestGateway();
    const socket = await openConnection(gateway);
    socket.write(`${head("POST /v1/blobs HTTP/1.1", KEY, "Content-Length: 100000")}${"x".repeat(5000)}`);
    await expect.poll(async () => (await incoming(gateway)).length).toBe(1);
    socket.destroy();
    await expect.poll(() => incoming(gateway)).toEqual([]);
  });

  it.each(["a".repeat(64), "..%2f..%2fetc%2fpasswd"])("are not found at %s", async (id) => {
    const gateway = await startTestGateway();
    expect((await gateway.send(`/v1/blobs/${id}`)).status).toBe(404);
  });
});

describe("what there is", () => {
  it("shows both sides of the equation and every queue", async () => {
    const gateway = await startTestGateway();
    for (let i = 0; i < 3; i += 1)
      await gateway.post("/v1/tasks", { team: "gw-chain", input: { text: "x" } });
    const stats = async () => (await gateway.send("/v1/stats")).json();
    await expect.poll(stats).toMatchObject({
      equation: { submitted: 3, completed: 0, waiting: 3, balanced: true },
      waiting: { queue: 3, retry: 0, ward: 0, quarantine: 0 },
      runs: { queued: 3 },
      inbox: 0,
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
    expect(metrics).toContain('suture_ward_oldest_seconds{status="quarantined"} 0\n');
    expect(metrics).toMatch(/suture_queue_oldest_seconds\{agent="gw-first",lane="fresh"\} 0\.\d+\n/);
    expect(metrics).toContain('suture_queue_oldest_seconds{agent="gw-last",lane="fresh"} 0\n');
    expect(metrics).toMatch(/suture_redis_memory_bytes\{kind="used"\} [1-9]\d+\n/);
    expect(metrics).toMatch(/suture_redis_memory_bytes\{kind="max"\} [1-9]\d+\n/);
    expect(metrics).toMatch(
      /suture_http_request_seconds_count\{method="POST",route="\/v1\/tasks",status="202"\} 3/,
    );
  });
});
