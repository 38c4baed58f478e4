// Run in isolation: tries what must not be possible there, and writes down what was. Imports nothing of ours.
import { existsSync, writeFileSync, writeSync } from "node:fs";
import { connect } from "node:net";

const [, , port = "", file = ""] = process.argv;
const RESULT = 3;
const ANSWER_MS = 500;

function canConnect(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port: Number(port), timeout: ANSWER_MS });
    const settle = (isOpen: boolean): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
    socket.once("timeout", () => settle(false));
  });
}

function can(act: () => unknown): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}

const found: [is: boolean, what: string][] = [
  [await canConnect(), "it can reach this machine's network"],
  // The first process of new namespaces has started it. An id says nothing: small ones are there in all of them.
  [process.ppid !== 1, "it can signal processes of this machine"],
  [existsSync(file), "it can read files of this machine"],
  [can(() => writeFileSync("/written", "")), "it can write to its root folder"],
  [process.getuid?.() === 0, "it runs as root"],
  [!can(() => writeFileSync("written", "")), "it cannot write to its own folder"],
];
writeSync(RESULT, JSON.stringify(found.flatMap(([is, what]) => (is ? [what] : []))));
