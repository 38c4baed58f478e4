import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { head, KEY, sendRaw, startTestGateway } from "../testing/start-test-gateway.ts";

const CLOSE = "Connection: close";
const TASK = '{"team":"gw-chain","input":{"text":"x"}}';
const nested = (depth: number): string =>
  `{"team":"gw-chain","input":${"[".repeat(depth)}${"]".repeat(depth)}}`;

describe("a hostile body", () => {
  it.each([
    ["nesting deeper than the bound", nested(200_000), 400, "envelope_too_deep"],
    [
      "an escaped __proto__",
      '{"team":"gw-chain","input":{"\\u005f_proto__":{"a":1}}}',
      400,
      "envelope_prototype_key",
    ],
    [
      "an integer that would change",
      '{"team":"gw-chain","input":{"amount":90071992547409931}}',
      400,
      "envelope_number_precision",
    ],
    ["no JSON", "{team:1}", 400, "envelope_json_syntax"],
    ["half a character", '{"team":"gw-chain","input":{"text":"\\ud83d"}}', 400, "envelope_lone_surrogate"],
    ["an array", "[]", 422, "request_invalid"],
  ])("is refused with a problem: %s", async (_what, body, status, code) => {
    const gateway = await startTestGateway();
    const reply = await gateway.post("/v1/tasks", body);
    expect({ status: reply.status, type: reply.headers.get("content-type") }).toEqual({
      status,
      type: "application/problem+json; charset=utf-8",
    });
    expect(await reply.json()).toMatchObject({
      status,
      code,
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(await gateway.system.store.runs.counts()).toMatchObject({ submitted: 0 });
  });

  it("is refused in a bounded answer that names places, whatever its keys are", async () => {
    const gateway = await startTestGateway();
    const keys = Array.from({ length: 300 }, (_, i) => `"${String(i).padEnd(2000, "k")}":1`).join();
    for (const body of [`{"team":"gw-chain","input":{${keys}}}`, `{"team":"gw-chain","input":{},${keys}}`]) {
      const reply = await gateway.post("/v1/tasks", body);
      expect(reply.status).toBe(422);
      expect((await reply.text()).length).toBeLessThan(40_000);
    }
    const twice = await gateway.post("/v1/tasks", `{"${"k".repeat(9000)}":1,"${"k".repeat(9000)}":2}`);
    expect((await twice.text()).length).toBeLessThan(2000);
    const unpaired = await gateway.post("/v1/tasks", '{"team":"gw-chain","input":{"text":["\\udfff"]}}');
    expect(await unpaired.json()).toMatchObject({
      errors: [{ pointer: "/input/text/0", code: "lone_surrogate" }],
    });
  });

  it("is refused when it is not UTF-8, rather than changed", async () => {
    const gateway = await startTestGateway();
    const body = Buffer.concat([
      Buffer.from('{"team":"gw-chain","input":{"text":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}}'),
    ]);
    const reply = await gateway.send("/v1/tasks", {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
    });
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({ code: "invalid_utf8" });
  });

  it.each([
    ["application/jsonx", {}],
    ["application/json; charset=utf-16le", {}],
    ["application/json", { "content-encoding": "gzip" }],
  ])("is refused in the form %s %j", async (type, headers) => {
    const gateway = await startTestGateway();
    const body = "content-encoding" in headers ? gzipSync(TASK) : TASK;
    const reply = await gateway.send("/v1/tasks", {
      method: "POST",
      body,
      headers: { "content-type": type, ...headers },
    });
    expect(reply.status).toBe(415);
    expect(await reply.json()).toMatchObject({ status: 415 });
  });

  it("is refused without a content type", async () => {
    const gateway = await startTestGateway();
    const raw = `${head("POST /v1/tasks HTTP/1.1", `Content-Length: ${TASK.length}`, KEY, CLOSE)}${TASK}`;
    expect(await sendRaw(gateway, raw)).toMatch(/^HTTP\/1\.1 415 [^]*application\/problem\+json/);
  });

  it("is refused above the bound in bytes, said or unsaid", async () => {
    const gateway = await startTestGateway({ bounds: { bodyBytesMax: 2000 } });
    const big = JSON.stringify({ team: "gw-chain", input: { text: "x ".repeat(1500) } });
    const said = await gateway.post("/v1/tasks", big);
    expect(said.status).toBe(413);
    expect(await said.json()).toMatchObject({ status: 413 });
    const lines = ["POST /v1/tasks HTTP/1.1", "Content-Type: application/json", "Transfer-Encoding: chunked"];
    const unsaid = await sendRaw(
      gateway,
      `${head(...lines, KEY, CLOSE)}${big.length.toString(16)}\r\n${big}\r\n0\r\n\r\n`,
    );
    expect(unsaid).toMatch(/^HTTP\/1\.1 413 [^]*application\/problem\+json/);
  });
});

describe("a hostile request", () => {
  it.each([
    ["what is not HTTP", "hello\r\n\r\n", 400],
    [
      "a length and chunks",
      "POST /v1/tasks HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    ["a head that is too large", `GET /healthz HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(40_000)}\r\n\r\n`, 431],
  ])("is answered with a problem or an end: %s", async (_what, raw, status) => {
    const gateway = await startTestGateway();
    expect(await sendRaw(gateway, raw)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect((await gateway.send("/healthz")).status).toBe(200);
  });

  it("is cut off when its head or its body comes too slowly", async () => {
    const gateway = await startTestGateway({
      bounds: { headersTimeoutMs: 200, requestTimeoutMs: 300, connectionsCheckEveryMs: 50 },
    });
    expect(await sendRaw(gateway, "GET /healthz HTTP/1.1\r\nHost: x\r\n")).toMatch(
      /^HTTP\/1\.1 408 [^]*problem\+json/,
    );
    const lines = ["POST /v1/tasks HTTP/1.1", "Content-Type: application/json", "Content-Length: 100"];
    expect(await sendRaw(gateway, `${head(...lines, KEY, CLOSE)}{`)).toMatch(/^(HTTP\/1\.1 408 |$)/);
  });

  it.each(["/v1/runs/%", "/%2e%2e/etc/passwd"])("finds nothing at %s, and gets a problem", async (path) => {
    const gateway = await startTestGateway();
    const answer = await sendRaw(gateway, head(`GET ${path} HTTP/1.1`, KEY, CLOSE));
    expect(answer).toMatch(/^HTTP\/1\.1 4(00|04|14|22) [^]*application\/problem\+json/);
  });

  it.each([
    ["GET", "/v1/tasks", "POST"],
    ["PUT", "/v1/runs/abc", "GET, HEAD"],
  ])("is told which methods there are: %s %s", async (method, path, allow) => {
    const gateway = await startTestGateway();
    const reply = await gateway.send(path, { method });
    expect(reply.status).toBe(405);
    expect(reply.headers.get("allow")).toBe(allow);
    expect(await reply.json()).toMatchObject({ code: "method_not_allowed" });
  });

  it("is refused when its query is not text in UTF-8", async () => {
    const gateway = await startTestGateway();
    const reply = await gateway.send("/v1/runs?cursor=%ED%A0%80");
    expect(reply.status).toBe(422);
    const errors = [{ pointer: "/query/cursor", code: "invalid_encoding" }];
    expect(await reply.json()).toMatchObject({ errors });
  });
});
