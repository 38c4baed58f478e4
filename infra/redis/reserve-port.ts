import { createServer } from "node:net";

/** How long a chosen port stays reserved: longer than any of our servers takes from the choice to the first listen. */
const RESERVED_MS = 60_000;

/**
 * Reserves a port among our own processes on this machine, until this one ends or a minute has passed. A port is
 * chosen some time before its server listens on it, and two test files, or two checkouts, would choose the same one.
 * The reservation is an abstract Unix socket, which leaves no file; elsewhere than on Linux nothing is reserved.
 * @returns False where another process, or this one, has reserved it.
 */
export function reservePort(port: number): Promise<boolean> {
  if (process.platform !== "linux") return Promise.resolve(true);
  return new Promise((resolve) => {
    const reservation = createServer();
    reservation.once("error", () => resolve(false));
    reservation.listen({ path: `\0suture-port-${port}` }, () => {
      reservation.unref();
      setTimeout(() => reservation.close(), RESERVED_MS).unref();
      resolve(true);
    });
  });
}
