import type { Server as HttpServer } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { onTestFinished } from "vitest";

/** Has a server listen on a free port of the loopback until the test has finished. @returns The port. */
export async function listenLocally(server: Server | HttpServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    if ("closeAllConnections" in server) server.closeAllConnections();
  });
  // A server that listens on TCP has an address of this form.
  return (server.address() as AddressInfo).port;
}
