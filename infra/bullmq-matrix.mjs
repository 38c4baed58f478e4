// Runs the tests of the attached ward on one release of each minor of BullMQ: `npm run bullmq-matrix [-- 5.81 6.7]`.
// Releases are installed under .suture/bullmq, outside of the tree's own packages.

import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";

const FIRST = { 5: 80, 6: 0 };

const listed = JSON.parse(
  execFileSync("npm", ["view", "bullmq", "versions", "--json"], { encoding: "utf8" }),
);
const newest = new Map();
for (const version of listed) {
  const [, major, minor] = /^(\d+)\.(\d+)\.\d+$/.exec(version) ?? [];
  // The list is in the order of versions.
  if (major in FIRST && Number(minor) >= FIRST[major]) newest.set(`${major}.${minor}`, version);
}
const wanted = process.argv.slice(2);
let failed = 0;
for (const [minor, version] of newest) {
  if (wanted.length > 0 && !wanted.includes(minor)) continue;
  const folder = join(process.cwd(), ".suture", "bullmq", version);
  execFileSync("npm", ["i", "--prefix", folder, "--ignore-scripts", "--no-audit", `bullmq@${version}`], {
    stdio: "ignore",
  });
  const tests = [
    "shared/bullmq-ward/bullmq-ward.test.ts",
    "shared/bullmq-ward/kept-jobs.test.ts",
    "tests/attached-ward.test.ts",
  ];
  const env = { ...process.env, BULLMQ_TEST_PACKAGE: join(folder, "node_modules", "bullmq") };
  const { status, stdout } = spawnSync("npx", ["vitest", "run", ...tests, "--maxWorkers=1"], {
    env,
    encoding: "utf8",
  });
  if (status !== 0) failed += 1;
  console.log(`bullmq ${version}: ${status === 0 ? "passed" : `failed\n${stdout}`}`);
}
process.exitCode = failed === 0 ? 0 : 1;
