import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished, test } from "vitest";
import { chainTeam } from "../../services/gateway/testing/chain-team.ts";
import { startTestGateway, SECRETS } from "../../services/gateway/testing/start-test-gateway.ts";
import { startTestConsole } from "../../services/console/testing/start-test-console.ts";
import { startRealSurgeon } from "../support/start-real-surgeon.ts";
import { generateTypes } from "../../infra/api-client/render-client.ts";

const ROOT = join(import.meta.dirname, "../..");
const run = promisify(execFile);

test("a client generated from the served description submits, waits, finds the case and releases it", async () => {
  const gateway = await startTestGateway({ team: chainTeam });
  const console = await startTestConsole({}, [], gateway.system);
  await gateway.system.start();
  startRealSurgeon(console);
  const document: unknown = await (await fetch(`${gateway.url}/openapi.json`)).json();
  const folder = await mkdtemp(join(tmpdir(), "suture-client-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "package.json"), JSON.stringify(PACKAGE));
  await writeFile(join(folder, "api.ts"), await generateTypes(document));
  await cp(join(import.meta.dirname, "story.ts"), join(folder, "story.ts"));
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: COMPILER }));
  await run(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", folder]);
  await run(process.execPath, ["story.ts", gateway.url, console.url, SECRETS.admin], {
    cwd: folder,
    timeout: 60_000,
  });
}, 120_000);

/** The story imports the types by the name of this repository's own. */
const PACKAGE = { type: "module", imports: { "#shared/api/client": "./api.ts" } };

const COMPILER = {
  target: "esnext",
  module: "nodenext",
  types: ["node"],
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
};
