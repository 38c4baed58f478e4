import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface LinkEnds {
  readonly client: Socket;
  readonly server: Socket;
}

/** Bytes that pass on one connection. Default: every byte. */
export interface LinkRules {
  readonly toServer?: (bytes: Buffer) => void;
  readonly toClient?: (bytes: Buffer) => void;
  readonly onClose?: () => void;
}

/** A TCP server on loopback that passes what it gets on to another port. */
export interface Link {
  readonly port: number;
  breakAll(): void;
}

/** Opens a link for a test. @param target - Where connections lead; null: not taken. @param rulesOf - What passes. */
export async function openLink(
  target: () => { readonly host?: string; readonly port: number } | null,
  rulesOf: (ends: LinkEnds) => LinkRules,
): Promise<Link> {
  const sockets = new Set<Socket>();
  const listener = createServer((client) => {
    const to = target();
    if (to === null) return void client.destroy();
    const server = connect({ host: "127.0.0.1", ...to });
    const rules = rulesOf({ client, server });
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        rules.onClose?.();
        client.destroy();
        server.destroy();
      });
    }
    client.on("data", rules.toServer ?? ((bytes) => server.write(bytes)));
    server.on("data", rules.toClient ?? ((bytes) => client.write(bytes)));
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const breakAll = (): void => sockets.forEach((socket) => socket.destroy());
  onTestFinished(() => {
    listener.close();
    breakAll();
  });
  // A TCP server that listens has an address and a port.
  return { port: (listener.address() as AddressInfo).port, breakAll };
}
