import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { readBlocksOf } from "./docs/read-blocks.ts";
import { temporaryFolder } from "#shared/testing";

/** The commands of the platform's quick start, one after the other in a copy of the repository. */

const PAGE = "docs/quick-start/platform.md";
const root = dirname(import.meta.dirname);
/** `demo.long.test.ts`, `npm run check:deploy` and, for a model, `dialects.test.ts` run these. */
const ELSEWHERE = /npm run demo|docker compose|OPENAI_API_KEY/;

/** A network of its own, where every port is free: the page names the default ones. What it starts ends with it. */
const ALONE = [
  ...(process.getuid?.() === 0 ? [] : ["--map-root-user"]),
  "--net",
  "--pid",
  "--fork",
  "--kill-child",
  "--mount-proc",
  "bash",
  "-euc",
];

const BEGIN = `
ip link set lo up
npm start > start.log 2>&1 & started=$!
for _ in $(seq 600); do grep -q '^Ready' start.log && break; kill -0 $started; sleep 0.2; done
`;
const END = "kill $started; wait $started || true";

it("holds: each command ends well, with the services started as the page says", (context) => {
  if (spawnSync("unshare", [...ALONE, "ip link set lo up"]).status !== 0)
    context.skip("no network of its own can be made here");
  const folder = temporaryFolder();
  const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).split("\0");
  for (const path of tracked.filter((one) => one !== ""))
    cpSync(join(root, path), join(folder, path), { verbatimSymlinks: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const [start, ...commands] = readBlocksOf(PAGE, readFileSync(join(root, PAGE), "utf8"))
    .filter(({ language, code }) => language === "sh" && !ELSEWHERE.test(code))
    .map(({ code }) => code);
  expect(start).toBe("npm start\n");
  expect(commands.length).toBeGreaterThan(3);
  const { status, stdout, stderr } = spawnSync("unshare", [...ALONE, [BEGIN, ...commands, END].join("\n")], {
    cwd: folder,
    env: { PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`, HOME: process.env["HOME"] },
    encoding: "utf8",
    timeout: 180_000,
  });
  const said = `${stdout}${stderr}${readFileSync(join(folder, "start.log"), "utf8")}`;
  expect(status, said).toBe(0);
  expect(said).toMatch(/"category": "refunds"/);
  expect(said).toMatch(/^\S+ +support +completed /m);
  expect(said).toMatch(/^\/total +text_to_number /m);
});
