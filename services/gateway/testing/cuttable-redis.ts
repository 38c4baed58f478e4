import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { onTestFinished } from "vitest";
import { testRedisUrl } from "#shared/testing";

/** A way to the real Redis that can be cut, silenced and mended. */
export interface CuttableRedis {
  readonly url: string;
  /** Breaks every connection and takes no new one. */
  cut(): void;
  /** Keeps connections and lets nothing come back: commands arrive, answers do not. */
  silence(): void;
  mend(): void;
}

export async function cuttableRedis(): Promise<CuttableRedis> {
  const target = new URL(testRedisUrl());
  const sockets = new Set<Socket>();
  let state: "open" | "cut" | "silent" = "open";
  const server = createServer((client) => {
    if (state === "cut") {
      client.destroy();
      return;
    }
    const redis = connect(Number(target.port), target.hostname);
    for (const socket of [client, redis]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        redis.destroy();
      });
    }
    client.on("data", (bytes) => redis.write(bytes));
    redis.on("data", (bytes) => {
      if (state === "open") client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    server.close();
    breakAll();
  });
  // A TCP server that listens has an address and a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `redis://127.0.0.1:${port}`,
    cut: () => {
      state = "cut";
      breakAll();
    },
    silence: () => {
      state = "silent";
    },
    mend: () => {
      state = "open";
      breakAll();
    },
  };
}
