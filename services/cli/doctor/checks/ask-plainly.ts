import { connect as connectPlain } from "node:net";
import { connect as connectTls } from "node:tls";

export interface PlainAsk {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  readonly timeoutMs: number;
}

/**
 * Sends commands to Redis without user, password or client certificate.
 *
 * @param commands - Each a line, as `GET x`; the answer to the last one is returned.
 * @returns The first line of the answer, or what kept it from coming.
 */
export function askPlainly(
  { host, port, isTls, timeoutMs }: PlainAsk,
  commands: readonly string[],
): Promise<string> {
  return new Promise((resolve) => {
    // The certificate does not matter for this probe.
    const socket = isTls
      ? connectTls({ host, port, rejectUnauthorized: false })
      : connectPlain({ host, port });
    let text = "";
    const finish = (answer: string): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(timeoutMs, () => finish("no answer in time"));
    socket.once("error", (error) => finish(error.message));
    socket.once("close", () => finish("the connection was closed"));
    socket.once(isTls ? "secureConnect" : "connect", () => socket.write(`${commands.join("\r\n")}\r\n`));
    socket.on("data", (chunk) => {
      text += String(chunk);
      const lines = text.split("\r\n");
      if (lines.length > commands.length) finish(lines[commands.length - 1] ?? "");
    });
  });
}
