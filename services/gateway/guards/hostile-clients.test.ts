import type { Socket } from "node:net";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import {
  head,
  KEY,
  openConnection,
  SECRETS,
  sendRaw,
  startTestGateway,
} from "../testing/start-test-gateway.ts";
import type { TestGateway } from "../testing/start-test-gateway.ts";

/** Sends one request on an open connection and returns the status line, or "" when the connection was closed. */
async function ask(socket: Socket, path: string, headers: readonly string[] = []): Promise<string> {
  const answer = new Promise<string>((resolve) => {
    socket.once("data", (bytes) => resolve(bytes.toString().split("\r\n", 1)[0] ?? ""));
    socket.once("close", () => resolve(""));
  });
  socket.write(head(`GET ${path} HTTP/1.1`, ...headers));
  return answer;
}

const openOf = (sockets: readonly Socket[]): number => sockets.filter(({ destroyed }) => !destroyed).length;

describe("an upload that its client breaks off", () => {
  it("is no error of ours", async () => {
    const lines: string[] = [];
    const logger = pino({ level: "error" }, { write: (line: string) => void lines.push(line) });
    const gateway = await startTestGateway({ parts: { logger } });
    for (let n = 0; n < 3; n += 1) {
      const socket = await openConnection(gateway);
      const type = "Content-Type: multipart/form-data; boundary=x";
      socket.write(`${head("POST /v1/blobs HTTP/1.1", KEY, type, "Content-Length: 100000")}--x`);
      await new Promise((resolve) => setTimeout(resolve, 100));
      socket.destroy();
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(lines).toEqual([]);
  });
});

describe("idle connections without a key", () => {
  it("do not keep a client with a key out, from their own address or another", async () => {
    const gateway = await startTestGateway({ bounds: { connectionsMax: 40, anonymousPerAddressMax: 10 } });
    const idle: Socket[] = [];
    for (let i = 0; i < 100; i += 1) idle.push(await openConnection(gateway, `127.0.0.${2 + (i % 5)}`));
    await expect.poll(() => openOf(idle)).toBeLessThanOrEqual(20);
    expect(await ask(await openConnection(gateway, "127.0.0.2"), "/v1/teams", [KEY])).toBe("HTTP/1.1 200 OK");
    expect(await ask(await openConnection(gateway, "127.0.0.9"), "/v1/teams", [KEY])).toBe("HTTP/1.1 200 OK");
  });

  it("are closed one by one when an address has more than its share", async () => {
    const gateway = await startTestGateway({ bounds: { anonymousPerAddressMax: 3 } });
    const first = await openConnection(gateway, "127.0.0.2");
    const other = await openConnection(gateway, "127.0.0.3");
    const more = [];
    for (let i = 0; i < 3; i += 1) more.push(await openConnection(gateway, "127.0.0.2"));
    await expect.poll(() => first.destroyed).toBe(true);
    expect(openOf([other, ...more])).toBe(4);
  });

  it("live shortly, whether or not they ask for open pages, and authenticated ones outlive them", async () => {
    const gateway = await startTestGateway({ bounds: { anonymousMs: 1000 } });
    const silent = await openConnection(gateway);
    const asking = await openConnection(gateway);
    const known = await openConnection(gateway);
    expect(await ask(asking, "/healthz")).toBe("HTTP/1.1 200 OK");
    expect(await ask(known, "/v1/teams", [KEY])).toBe("HTTP/1.1 200 OK");
    await expect.poll(() => openOf([silent, asking])).toBe(0);
    expect(await ask(known, "/healthz")).toBe("HTTP/1.1 200 OK");
  });

  it("leave room for known clients, whose connections are never closed for new ones", async () => {
    const gateway = await startTestGateway({
      bounds: { connectionsMax: 16, anonymousPerAddressMax: 10 },
      parts: { tenantShare: 1 },
    });
    const known = [];
    for (let i = 0; i < 8; i += 1) {
      known.push(await openConnection(gateway));
      expect(await ask(known[i] ?? expect.unreachable(), "/v1/teams", [KEY])).toBe("HTTP/1.1 200 OK");
    }
    for (let i = 0; i < 20; i += 1) await openConnection(gateway, `127.0.0.${2 + i}`);
    for (const socket of known) expect(await ask(socket, "/healthz")).toBe("HTTP/1.1 200 OK");
  });
});

describe("wrong keys", () => {
  const attempt = async (gateway: TestGateway, from: string, key: string): Promise<string> =>
    ask(await openConnection(gateway, from), "/v1/teams", [`Authorization: Bearer ${key}`]);

  it("are slowed down for each address, and right keys never", async () => {
    const gateway = await startTestGateway({ bounds: { failuresBurst: 5, failuresPerSecond: 0.01 } });
    const statuses: string[] = [];
    for (let i = 0; i < 8; i += 1) statuses.push(await attempt(gateway, "127.0.0.2", `wrong-${i}`));
    expect(statuses.map((line) => line.slice(9, 12)).join(" ")).toBe("401 401 401 401 401 429 429 429");
    expect(await attempt(gateway, "127.0.0.2", SECRETS.admin)).toBe("HTTP/1.1 200 OK");
    expect(await attempt(gateway, "127.0.0.3", SECRETS.admin)).toBe("HTTP/1.1 200 OK");
    expect(await attempt(gateway, "127.0.0.3", "wrong")).toMatch(/ 401 /);
  });
});

describe("a header that must be given once", () => {
  it.each([
    ["Authorization", [KEY, "Authorization: Bearer x"], "/headers/authorization"],
    ["Idempotency-Key", [KEY, "Idempotency-Key: a", "idempotency-key: b"], "/headers/idempotency-key"],
    ["Host", [KEY, "Host: y"], "/headers/host"],
  ])("is refused when it comes twice: %s", async (_what, headers, pointer) => {
    const gateway = await startTestGateway();
    const answer = await sendRaw(gateway, head("GET /v1/teams HTTP/1.1", "Connection: close", ...headers));
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"header_repeated"');
    expect(answer).toContain(`"pointer":"${pointer}"`);
  });
});

describe("refused attempts", () => {
  it("are recorded with the key's name and the client's address, and nothing else of them", async () => {
    const gateway = await startTestGateway();
    await gateway.send("/v1/tasks", { method: "POST", key: SECRETS.viewer });
    await gateway.send("/v1/teams?x=private", { key: "wrong-key-0123456789" });
    await gateway.send("/v1/teams", { key: null });
    await expect.poll(() => gateway.store.refusals.list(10)).toHaveLength(2);
    const shared = { service: "gateway", address: "127.0.0.1", unrecorded: 0, at: expect.any(String) };
    expect(await gateway.store.refusals.list(10)).toEqual([
      { ...shared, by: null, method: "GET", route: "/v1/teams", status: 401, code: "unauthorised" },
      { ...shared, by: "v", method: "POST", route: "/v1/tasks", status: 403, code: "forbidden" },
    ]);
  });
});
