import { connect } from "node:net";
import type { Socket } from "node:net";
import { onTestFinished } from "vitest";
import { SECRETS } from "./start-test-gateway.ts";
import type { TestGateway } from "./start-test-gateway.ts";

export const KEY = `Authorization: Bearer ${SECRETS.admin}`;

/** Opens a connection from one of the loopback addresses, on which nothing is sent. It ends with the test. */
export async function openConnection(
  { port }: Pick<TestGateway, "port">,
  localAddress = "127.0.0.1",
): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  return socket;
}

/** Sends bytes as they are. @returns All that comes back until the other side closes. */
export async function sendRaw(gateway: Pick<TestGateway, "port">, text: string): Promise<string> {
  const socket = await openConnection(gateway);
  const answer = new Promise<string>((resolve) => {
    let told = "";
    socket.on("data", (bytes) => (told += bytes.toString()));
    socket.once("close", () => resolve(told));
  });
  socket.write(text);
  return answer;
}

/** The head of a request: its lines, a `Host` and the empty line. */
export function head(...lines: readonly string[]): string {
  return [...lines, "Host: x", "", ""].join("\r\n");
}
