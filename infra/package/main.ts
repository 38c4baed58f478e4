// Builds the package and packs it: `npm run package`. Prints the tarball's path.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { buildPackage } from "./build-package.ts";
import { installTools } from "./install-tools.ts";

const root = join(import.meta.dirname, "../..");
const folder = join(root, ".suture/package");
await installTools();
await buildPackage(root, join(folder, "suture"));
const { status, stdout } = spawnSync("npm", ["pack", "./suture", "--silent"], {
  cwd: folder,
  encoding: "utf8",
  stdio: ["ignore", "pipe", "inherit"],
});
const tarball = join(folder, stdout.trim());
if (status === 0) process.stdout.write(`${tarball}\nInstall it in a project: npm install ${tarball}\n`);
process.exitCode = status ?? 1;
