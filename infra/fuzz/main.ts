import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { now } from "#shared/clock";
import { FUZZ_VARIABLE } from "./seeded-assert.ts";
import type { FuzzSettings } from "./seeded-assert.ts";

/** `npm run fuzz`: runs property tests with new seeds. A counterexample belongs into the property's `examples`. */

const USAGE = `Usage: npm run fuzz -- [--times N] [--seconds N] [--rounds N] [--seed INTEGER] [FILE…]
  --times    how many times as many runs each property makes as in npm test (20)
  --seconds  the longest that one property takes (10)
  --rounds   how often all is done again, each time with the next seed (1)
  --seed     the first seed (from the clock)
  FILE…      test files (all with properties)
`;
/** Default timeout of a test with several properties. */
const TEST_TIMEOUT_MS = 3_600_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: "string", default: "20" },
    seconds: { type: "string", default: "10" },
    rounds: { type: "string", default: "1" },
    seed: { type: "string", default: String(now() % 1_000_000_000) },
  },
});
const first: FuzzSettings = {
  seed: Number(values.seed),
  times: Number(values.times),
  seconds: Number(values.seconds),
};
const rounds = Number(values.rounds);
if (!(first.times > 0 && first.seconds > 0 && rounds > 0 && Number.isInteger(first.seed))) {
  process.stderr.write(USAGE);
  process.exit(2);
}

const all = globSync("{shared,services,infra,tests,bench}/**/*.test.ts");
const files =
  positionals.length > 0
    ? positionals
    : all.filter((file) => readFileSync(file, "utf8").includes("fc.assert("));

for (let round = 0; round < rounds; round += 1) {
  const settings: FuzzSettings = { ...first, seed: first.seed + round };
  process.stdout.write(
    `Round ${round + 1} of ${rounds}: --seed ${settings.seed} --times ${settings.times}\n`,
  );
  const { status } = spawnSync(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", `--testTimeout=${TEST_TIMEOUT_MS}`, ...files],
    { stdio: "inherit", env: { ...process.env, [FUZZ_VARIABLE]: JSON.stringify(settings) } },
  );
  if (status !== 0) process.exitCode = 1;
}
