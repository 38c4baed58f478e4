import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { SECRETS, startTestGateway } from "../../services/gateway/testing/start-test-gateway.ts";
import { processEnv } from "../support/process-env.ts";
import { buildClient } from "./build-client.ts";
import { counting } from "./counting-team.ts";

/** Gzipped. */
const BYTES_MAX = 5 * 1024;

/** What every platform runs; gives what came of it. */
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
