// Tries the ward as a user has it, on one release of each minor of BullMQ: `npm run bullmq-matrix [-- 5.81 6.7]`. Packs
// the package; for each release installs the tarball into an empty project, by `npm install` alone, and runs the class,
// each command and the Nest module there.

import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "./package/smoke/open-outside.ts";
import { startScratchRedis } from "./redis/scratch-redis.ts";

const FIRST = { 5: 80, 6: 0 };
const NEST = { 5: ["11"], 6: ["11", "12"] };
const OUTSIDE = join(import.meta.dirname, "package/smoke/outside");

function newestOfMinors() {
  const listed = JSON.parse(run("npm", ["view", "bullmq", "versions", "--json"], { cwd: process.cwd() }));
  const newest = new Map();
  for (const version of listed) {
    const [, major, minor] = /^(\d+)\.(\d+)\.\d+$/.exec(version) ?? [];
    // The list is in the order of versions.
    if (major in FIRST && Number(minor) >= FIRST[major]) newest.set(`${major}.${minor}`, version);
  }
  return newest;
}

/** Runs programs in an empty project that installs these packages. */
async function tryProject(packages, programs) {
  const cwd = mkdtempSync(join(tmpdir(), "suture-matrix-"));
  const redis = await startScratchRedis(join(cwd, ".suture"));
  try {
    writeFileSync(
      join(cwd, "package.json"),
      JSON.stringify({ name: "outside", private: true, type: "module" }),
    );
    run("npm", ["install", ...packages, "--no-audit", "--no-fund"], { cwd });
    for (const name of programs) {
      copyFileSync(join(OUTSIDE, `${name}.txt`), join(cwd, name));
      run(process.execPath, [name], { cwd, env: { ...process.env, REDIS_URL: redis.url } });
    }
  } finally {
    await redis.stop();
    rmSync(cwd, { recursive: true, force: true });
  }
}

async function report(name, packages, programs) {
  try {
    await tryProject(packages, programs);
    console.log(`${name}: passed`);
  } catch (error) {
    console.log(`${name}: failed\n${error.message}`);
    process.exitCode = 1;
  }
}

const wanted = process.argv.slice(2);
const [tarball = ""] = run("npm", ["run", "--silent", "package"], { cwd: process.cwd() }).split("\n");
for (const [minor, version] of newestOfMinors()) {
  if (wanted.length > 0 && !wanted.includes(minor)) continue;
  // The caller's own connection is of the ioredis that BullMQ of this major goes with.
  const [major] = minor.split(".");
  const packages = [tarball, `bullmq@${version}`, `ioredis@${major}`, "zod"];
  await report(`bullmq ${version}`, packages, ["ward.mjs", "commands.mjs"]);
  for (const nest of NEST[major]) {
    const modules = ["@nestjs/bullmq", "@nestjs/common", "@nestjs/core"].map((one) => `${one}@${nest}`);
    await report(
      `bullmq ${version} in Nest ${nest}`,
      [...packages, ...modules, "reflect-metadata", "rxjs"],
      ["nest.mjs"],
    );
  }
}
