import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TcpProxy } from "./tcp-proxy.ts";

/** A server that answers each piece with itself, and remembers what arrived. */
let arrived: string;
let proxy: TcpProxy;
let close: () => void;

beforeEach(async () => {
  arrived = "";
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      arrived += String(bytes);
      socket.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server that listens has an address of this form.
  proxy = await TcpProxy.open((server.address() as AddressInfo).port);
  close = () => {
    proxy.close();
    server.close();
  };
});
afterEach(() => close());

async function join(): Promise<Socket & { received: string }> {
  const socket = Object.assign(connect(proxy.port, "127.0.0.1"), { received: "" });
  socket.on("error", () => undefined);
  socket.on("data", (bytes) => {
    socket.received += String(bytes);
  });
  await once(socket, "connect");
  return socket;
}

function whenClosed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once("close", () => resolve()));
}

describe("a link", () => {
  it("passes everything on while it behaves, and harms nothing", async () => {
    const client = await join();
    client.write("hello");
    await expect.poll(() => client.received).toBe("hello");
    expect(proxy.harmed).toBe(0);
  });

  it("keeps the order of what is late and what comes after it", async () => {
    const client = await join();
    client.write("a");
    await expect.poll(() => client.received).toBe("a");
    proxy.misbehave("delay");
    client.write("b");
    await expect.poll(() => proxy.harmed).toBe(1);
    proxy.mend();
    client.write("c");
    await expect.poll(() => client.received).toBe("abc");
  });

  it("carries a request out whose reply it loses, and breaks the connection", async () => {
    const client = await join();
    proxy.misbehave("lose_reply");
    client.write("pay");
    await whenClosed(client);
    expect([arrived, client.received]).toEqual(["pay", ""]);
    expect(proxy.harmed).toBe(1);
  });

  it("swallows replies on a connection that stays open, until it is mended", async () => {
    const client = await join();
    proxy.misbehave("swallow_replies");
    client.write("pay");
    await expect.poll(() => proxy.harmed).toBe(1);
    expect([arrived, client.received, client.destroyed]).toEqual(["pay", "", false]);
    proxy.mend();
    await whenClosed(client);
  });

  it("swallows requests, so that nothing arrives", async () => {
    const client = await join();
    proxy.misbehave("swallow_requests");
    client.write("pay");
    await expect.poll(() => proxy.harmed).toBe(1);
    expect(arrived).toBe("");
  });

  it("cuts a connection in the middle of a reply", async () => {
    const client = await join();
    proxy.misbehave("cut_after");
    client.write("x".repeat(5000));
    await whenClosed(client);
    expect(client.received.length).toBeGreaterThan(0);
    expect(client.received.length).toBeLessThan(5000);
  });

  it("refuses", async () => {
    const client = await join();
    proxy.misbehave("refuse");
    await whenClosed(client);
    const next = connect(proxy.port, "127.0.0.1");
    next.on("error", () => undefined);
    await whenClosed(next);
    expect(proxy.harmed).toBeGreaterThanOrEqual(2);
  });
});
