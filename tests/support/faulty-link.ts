import { connect, createServer } from "node:net";
import type { Socket } from "node:net";
import { onTestFinished } from "vitest";
import { listenLocally } from "./listen-locally.ts";

/** A fault of the network that happens once. */
export interface Fault {
  /** Happens to the next request that contains this text. */
  readonly on: string;
  /** `request`: breaks off within it. `answer`: the request arrives, and its answer breaks off. */
  readonly cuts: "request" | "answer";
  /** Bytes that still pass. Default 0. */
  readonly after?: number;
}

/** A way to an HTTP server, on which connections break where a test says. */
export interface FaultyLink {
  readonly url: string;
  /** Faults to come, in order. One that has happened is no longer there. */
  readonly faults: Fault[];
  /** Breaks every connection; from then on they lead to another port. Null: none is taken. */
  leadTo(port: number | null): void;
}

/** Opens a link to a port of this machine; closes it after the test. */
export async function openFaultyLink(port: number): Promise<FaultyLink> {
  let target: number | null = port;
  const sockets = new Set<Socket>();
  const faults: Fault[] = [];
  const server = createServer((client) => {
    if (target === null) {
      client.destroy();
      return;
    }
    const upstream = connect(target, "127.0.0.1");
    const breakOff = (): void => {
      client.resetAndDestroy();
      upstream.resetAndDestroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    /** Bytes of the answer that still pass. */
    let left = Infinity;
    client.on("data", (bytes) => {
      const fault = faults[0] !== undefined && bytes.includes(faults[0].on) ? faults.shift() : undefined;
      if (fault?.cuts === "answer") left = fault.after ?? 0;
      if (fault?.cuts !== "request") return void upstream.write(bytes);
      upstream.write(bytes.subarray(0, fault.after ?? 0), breakOff);
    });
    upstream.on("data", (bytes) => {
      const passing = bytes.subarray(0, left);
      left -= passing.length;
      if (passing.length === bytes.length) client.write(passing);
      // Ended in order after its last byte, so that this byte arrives.
      else client.end(passing, () => client.destroy());
    });
  });
  const own = await listenLocally(server);
  const breakAll = (): void => sockets.forEach((socket) => socket.destroy());
  onTestFinished(breakAll);
  return {
    url: `http://127.0.0.1:${own}`,
    faults,
    leadTo(next) {
      target = next;
      breakAll();
    },
  };
}
