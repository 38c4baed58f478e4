#!/usr/bin/env node
// `npx suture …`: sets up what is missing, then runs the command line with a Node that reads TypeScript.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { endAfter, findProjectNode, setUp } from "./setup.mjs";

const MAIN = fileURLToPath(new URL("../services/cli/main.ts", import.meta.url));
const COMPILED = fileURLToPath(new URL("../node_modules/.cache/commands", import.meta.url));

// Without a listener Node opens an inspector on it, to every program of this user.
process.on("SIGUSR1", () => undefined);

try {
  await setUp();
  run(findProjectNode());
} catch (error) {
  endAfter(error);
}

function run(node) {
  const child = spawn(node, ["--disable-sigusr1", MAIN, ...process.argv.slice(2)], {
    stdio: "inherit",
    env: { NODE_COMPILE_CACHE: COMPILED, ...process.env },
  });
  const pass = (signal) => {
    // On Ctrl+C the terminal has told the child already, and a second time would mean "at once".
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, pass);
  child.once("error", (error) => {
    process.stderr.write(`The command could not be started with ${node}: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.once("exit", (code, signal) => {
    for (const name of signals) process.off(name, pass);
    if (signal === null) process.exitCode = code ?? 1;
    // End as the child did, so that a shell or a supervisor sees the same.
    else process.kill(process.pid, signal);
  });
}
