import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { SECRETS, startTestGateway } from "../../services/gateway/testing/start-test-gateway.ts";
import { runCli } from "../support/run-cli.ts";
import { counting } from "./counting-team.ts";

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
  const { code, stdout, stderr } = await runCli(["types", "--url", gateway.url, "--key", SECRETS.submit]);
  expect([code, stderr]).toEqual([0, ""]);
  const folder = await mkdtemp(join(tmpdir(), "suture-types-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
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
