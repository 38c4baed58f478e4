import { connect } from "node:net";
import type { Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { SECRETS, startTestConsole, waitFor } from "./testing/start-test-console.ts";

test("gives clients without a login few connections, shortly, and refuses a header that comes twice", async () => {
  const console = await startTestConsole({ anonymousPerAddressMax: 3, anonymousMs: 1000 });
  const { port } = new URL(console.url);
  const open = (): Promise<Socket> =>
    new Promise((resolve) => {
      const socket = connect(Number(port), "127.0.0.1", () => resolve(socket));
      onTestFinished(() => void socket.destroy());
    });
  const idle = [await open(), await open(), await open(), await open()];
  await waitFor(async () => idle[0]?.destroyed);
  expect(idle.filter(({ destroyed }) => destroyed)).toHaveLength(1);
  await waitFor(async () => idle.every(({ destroyed }) => destroyed));
  const twice = await open();
  const answer = new Promise<string>((resolve) => twice.once("data", (bytes) => resolve(bytes.toString())));
  const key = `Authorization: Bearer ${SECRETS.viewer}\r\n`;
  twice.write(`GET /v1/session HTTP/1.1\r\nHost: x\r\n${key}${key}\r\n`);
  expect(await answer).toMatch(/^HTTP\/1\.1 400 [^]*header_repeated/);
});

test("serves streams and connections of others while one key opens all it can", async () => {
  const console = await startTestConsole({ streamsMax: 10, connectionsMax: 40 });
  const leave = new AbortController();
  onTestFinished(() => leave.abort());
  const watch = async (key: keyof typeof SECRETS): Promise<number> =>
    (await console.send("/v1/events", { key, signal: leave.signal })).status;
  const ofOne = await Promise.all(Array.from({ length: 12 }, () => watch("viewer")));
  expect(ofOne.filter((status) => status === 200)).toHaveLength(5);
  expect(await watch("admin")).toBe(200);
  const open = (): Promise<Socket> =>
    new Promise((resolve) => {
      const socket = connect(Number(new URL(console.url).port), "127.0.0.1", () => resolve(socket));
      onTestFinished(() => void socket.destroy());
    });
  const ask = async (key: string): Promise<string> => {
    const socket = await open();
    const answer = new Promise<string>((resolve) => {
      socket.once("data", (bytes) => resolve(bytes.toString().slice(9, 12)));
      socket.once("close", () => resolve(""));
      socket.once("error", () => resolve(""));
    });
    socket.write(`GET /v1/session HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    return answer;
  };
  const opened = await Promise.all(Array.from({ length: 45 }, () => ask(SECRETS.viewer)));
  expect(opened.filter((status) => status === "200").length).toBeLessThanOrEqual(20);
  expect(await ask(SECRETS.admin)).toBe("200");
});
