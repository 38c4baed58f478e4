import { execFile, spawnSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { SECRETS, startTestGateway } from "../../services/gateway/testing/start-test-gateway.ts";
import { processEnv } from "../support/process-env.ts";
import { counting } from "./counting-team.ts";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "#shared/testing";

const run = promisify(execFile);
const Note = contract("note@1", z.object({ text: z.string() }));
const Facts = contract("facts@1", z.object({ facts: z.array(z.string()) }));
const Report = contract("report@1", z.object({ count: z.number() }));
const report = team(
  "report",
  [
    agent("extract@1", {
      accepts: Note,
      to: { write: Facts },
      handle: ({ text }, ctx) => ctx.handoff("write", { facts: text.split(". ") }),
    }),
    agent("write@1", {
      accepts: Facts,
      handle: ({ facts }, ctx) => ctx.complete({ count: facts.length }),
    }),
  ],
  { result: Report },
);

const page = await readFile(new URL("../../docs/guides/client.md", import.meta.url), "utf8");
const blocks = (language: string): string =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}[^\\n]*\\n([^]*?)^\`\`\``, "gm"))]
    .map(([, code]) => code)
    .join("\n");

async function openGuide() {
  const gateway = await startTestGateway({ team: report });
  await gateway.system.start();
  const folder = temporaryFolder();
  const env = { ...processEnv(), SUTURE_URL: gateway.url, SUTURE_KEY: SECRETS.submit };
  return { gateway, folder, options: { cwd: folder, env, timeout: 60_000 } };
}

test("the TypeScript of the guide runs", async () => {
  const { folder, options } = await openGuide();
  const installed = join(folder, "node_modules/suture");
  await mkdir(installed, { recursive: true });
  const manifest = { name: "suture", type: "module", exports: { "./client": "./client.js" } };
  await writeFile(join(installed, "package.json"), JSON.stringify(manifest));
  await writeFile(join(installed, "client.js"), await buildClient());
  await writeFile(join(folder, "guide.mts"), blocks("ts"));
  const { stdout } = await run(process.execPath, ["guide.mts"], options);
  expect(stdout).toMatch(/^2\nextract \[.*write.*\]\nsha256:[0-9a-f]{64} [0-9a-f]{64}\n$/s);
});

test("the Python of the guide runs", async ({ skip }) => {
  skip(hasNoPython, NEEDED);
  const { folder, options } = await openGuide();
  await writeFile(join(folder, "guide.py"), blocks("python"));
  const { stdout } = await run("python3", ["guide.py"], options);
  expect(stdout).toBe("completed 2\n");
});

describe("the client, bundled", () => {
  /** Gzipped. */
  const BYTES_MAX = 5 * 1024;

  /** Runs the part that is the same on every platform; returns its outcome. */
  const STORY = `async function story(createClient, url, key) {
  const client = createClient({ url, key });
  const run = await client.submit("cl-count", { text: "three small words" });
  const types = [];
  for await (const { type } of run.events()) types.push(type);
  const { bytes } = await client.upload(new Blob(["four"], { type: "text/plain" }));
  const refused = await client.submit("cl-count", {}).catch(({ code }) => code);
  return { result: await run.result(), types, bytes, refused };
}`;

  const EXPECTED = {
    result: { words: 3 },
    types: ["submitted", "handed_off", "completed"],
    bytes: 4,
    refused: "PAYLOAD_INVALID",
  };

  let code = "";
  beforeAll(async () => {
    code = await buildClient();
  });

  test("is at most 5 kB gzipped, without imports", () => {
    expect(gzipSync(code).length).toBeLessThanOrEqual(BYTES_MAX);
  });

  test("runs on this Node, and on the one on the PATH", async () => {
    const gateway = await startTestGateway({ team: counting });
    await gateway.system.start();
    const args = [gateway.url, SECRETS.submit].map((arg) => JSON.stringify(arg)).join();
    const source = `${STORY}
    const { createClient } = await import(${JSON.stringify(`data:text/javascript,${encodeURIComponent(code)}`)});
    console.log(JSON.stringify(await story(createClient, ${args})));`;
    for (const node of [process.execPath, "node"]) {
      const options = { env: processEnv(), timeout: 60_000 };
      const { stdout } = await promisify(execFile)(node, ["--input-type=module", "-e", source], options);
      expect(JSON.parse(stdout)).toEqual(EXPECTED);
    }
  });
});

/** Bundles the client as one module without imports, minified, as a project's bundler does. */
async function buildClient(): Promise<string> {
  const bundle = await rolldown({ input: "shared/client/index.ts", platform: "browser" });
  const { output } = await bundle.generate({ format: "esm", minify: true, comments: false });
  await bundle.close();
  const [{ code, imports }] = output;
  if (imports.length > 0) throw new Error(`The client imports ${imports.join(", ")}.`);
  return code;
}

const version = spawnSync("python3", ["-c", "import sys; print(sys.version_info >= (3, 11))"], {
  encoding: "utf8",
});

/** True where the generated client cannot run; the tests are then skipped, for the reason `NEEDED`. */
const hasNoPython = version.status !== 0 || version.stdout.trim() !== "True";

const NEEDED = "python3 of version 3.11 or newer is not installed";

const ROOT = join(import.meta.dirname, "../..");

const documentForm = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({}))),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

test("every contract of the key's teams is a named schema, and none is shown without a key", async () => {
  const gateway = await startTestGateway({ team: counting });
  const read = async (path: string, key: string | null) =>
    documentForm.parse(await (await gateway.send(path, { key })).json()).components.schemas;
  const schemas = await read("/v1/openapi.json", SECRETS.submit);
  expect(Object.keys(schemas)).toEqual(
    expect.arrayContaining(["cl.text.v1", "cl.count.v1", "cl.result.v1", "Task.cl-count", "Teams"]),
  );
  expect(schemas["Teams"]).toMatchObject({
    properties: {
      "cl-count": {
        properties: {
          input: { $ref: "#/components/schemas/cl.text.v1" },
          result: { $ref: "#/components/schemas/cl.result.v1" },
        },
      },
    },
  });
  expect((await gateway.send("/v1/openapi.json", { key: null })).status).toBe(401);
  expect(JSON.stringify(await read("/openapi.json", null))).not.toContain("cl.text");
});

test("`suture types` writes the types by which a client's calls compile, and wrong ones do not", async () => {
  const gateway = await startTestGateway({ team: counting });
  const { code, stdout, stderr } = await runCli([
    "types",
    "--gateway-url",
    gateway.url,
    "--key",
    SECRETS.submit,
  ]);
  expect([code, stderr]).toEqual([0, ""]);
  const folder = temporaryFolder();
  await writeFile(join(folder, "suture-types.d.ts"), stdout);
  const use = `import { createClient } from ${JSON.stringify(join(ROOT, "shared/client/index.ts"))};
import type { Teams } from "./suture-types.d.ts";
const client = createClient<Teams>({ url: "http://127.0.0.1", key: "" });
const run = await client.submit("cl-count", { text: "good" });
export const words: number = (await run.result()).words;
client.submit("cl-count", { texts: "bad" });
client.submit("cl-other", { text: "bad" });
export const wrong: string = (await run.result()).words;
`;
  await writeFile(join(folder, "use.ts"), use);
  const compilerOptions = {
    target: "esnext",
    module: "nodenext",
    lib: ["esnext", "dom"],
    types: [],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["use.ts"] }));
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  const compiled = await promisify(execFile)(process.execPath, [
    join(ROOT, "node_modules/typescript/bin/tsc"),
    "-p",
    folder,
  ]).catch((error: unknown) => z.object({ stdout: z.string() }).parse(error));
  const faults = [...compiled.stdout.matchAll(/use\.ts\((\d+),/g)].map(([, line]) => Number(line));
  expect(faults, compiled.stdout).toEqual([6, 7, 8]);
});
