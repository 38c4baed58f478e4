import { connect, createServer } from "node:net";
import type { Socket } from "node:net";
import { onTestFinished } from "vitest";
import { listenLocally } from "./listen-locally.ts";

/** A link to Redis on which one kind of connection can fall silent while the others go on. */
export interface WedgingProxy {
  readonly url: string;
  /**
   * From now on nothing passes on connections that have blocked for work, in either direction, and they stay open:
   * what a firewall does that forgot them. They are lost for good. Other connections go on.
   *
   * @param wedge.newOnes - Whether connections made from now on fall silent too.
   */
  wedge(wedge: { readonly newOnes: boolean }): void;
  /** Pieces that were swallowed: proof that the fault bit. */
  readonly swallowed: number;
}

const BLOCKING = "bzpopmin";

export async function openWedgingProxy(targetPort: number): Promise<WedgingProxy> {
  const links = new Set<{ isBlocking: boolean; isDead: boolean }>();
  const sockets = new Set<Socket>();
  let swallowsNew = false;
  let swallowed = 0;
  const server = createServer((client) => {
    const redis = connect(targetPort, "127.0.0.1");
    const link = { isBlocking: false, isDead: swallowsNew };
    links.add(link);
    const pass = (to: Socket, bytes: Buffer): void => {
      if (link.isDead) swallowed += 1;
      else to.write(bytes);
    };
    client.on("data", (bytes) => {
      link.isBlocking ||= bytes.includes(BLOCKING);
      pass(redis, bytes);
    });
    redis.on("data", (bytes) => pass(client, bytes));
    for (const socket of [client, redis]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        links.delete(link);
        sockets.delete(socket);
        client.destroy();
        redis.destroy();
      });
    }
  });
  const port = await listenLocally(server);
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  return {
    url: `redis://127.0.0.1:${port}`,
    wedge({ newOnes }) {
      swallowsNew = newOnes;
      for (const link of links) link.isDead ||= link.isBlocking;
    },
    get swallowed() {
      return swallowed;
    },
  };
}
