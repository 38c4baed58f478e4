#!/usr/bin/env node
// The command of the built package. Runs what is installed and installs nothing.

import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const NODE_MIN = [22, 18];
/** Folders of the shipped teams and their samples, used outside of projects where there are none. */
const SHIPPED = {
  SUTURE_TEAMS: "services/agents",
  SUTURE_CHECKOUTS: "services/agents/coder/samples/checkouts",
  SUTURE_SOURCES: "services/agents/research/samples/sources",
};

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < NODE_MIN[0] || (major === NODE_MIN[0] && minor < NODE_MIN[1])) {
  process.stderr.write(
    `Suture needs Node ${NODE_MIN.join(".")} or newer and this is ${process.versions.node}.\n`,
  );
  process.exit(1);
}
// Without a listener Node opens an inspector on it, to every program of this user.
process.on("SIGUSR1", () => undefined);
const isProject = ["ts", "js", "mjs"].some((ending) => existsSync(`suture.config.${ending}`));
for (const [name, folder] of Object.entries(SHIPPED)) {
  if (!isProject && process.env[name] === undefined && !existsSync(resolve(folder)))
    process.env[name] = fileURLToPath(new URL(folder, import.meta.url));
}
// Commands start in half the time. Where the folder cannot be written, nothing is kept.
enableCompileCache(fileURLToPath(new URL(".compiled", import.meta.url)));
await import("./services/cli/main.js");
