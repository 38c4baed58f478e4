// Builds the package and packs it: `npm run package`. Prints the tarball's path.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildPackage } from "./build-package.ts";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const folder = join(root, ".suture/package");
await buildPackage(root, join(folder, "suture"));
const { status } = spawnSync("npm", ["pack", "./suture", "--silent"], { cwd: folder, stdio: "inherit" });
process.exitCode = status ?? 1;
