import { execFile } from "node:child_process";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { SECRETS, startTestGateway } from "../../services/gateway/testing/start-test-gateway.ts";
import { hasNoBrowser, openPage } from "../support/browser/open-browser.ts";
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

test.skipIf(hasNoBrowser)("runs in a page and in a worker of a real browser", async () => {
  const gateway = await startTestGateway({ team: counting });
  await gateway.system.start();
  const url = await serveBeside(gateway.port, {
    "/": "<!doctype html><title>page</title>",
    "/client.js": code,
    "/worker.js": `import { createClient } from "./client.js";
      ${STORY}
      postMessage(await story(createClient, location.origin, ${JSON.stringify(SECRETS.submit)}));`,
  });
  const page = await openPage();
  await page.goTo(url);
  const inPage = await page.tab.evaluate(`(async () => {
    ${STORY}
    const { createClient } = await import("/client.js");
    return story(createClient, location.origin, ${JSON.stringify(SECRETS.submit)});
  })()`);
  expect(inPage).toEqual(EXPECTED);
  const inWorker = await page.tab.evaluate(`new Promise((resolve, reject) => {
    const worker = new Worker("/worker.js", { type: "module" });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = reject;
  })`);
  expect(inWorker).toEqual(EXPECTED);
  expect(page.complaints).toEqual([]);
});

/** Serves files, and everything else from the gateway, as one origin. */
async function serveBeside(port: number, files: Readonly<Record<string, string>>): Promise<string> {
  const server = createServer((from, to) => {
    const { url: path = "/", method, headers } = from;
    const file = files[path];
    if (file !== undefined) {
      const type = path.endsWith(".js") ? "text/javascript" : "text/html";
      to.writeHead(200, { "content-type": type }).end(file);
      return;
    }
    from.pipe(
      request({ host: "127.0.0.1", port, path, method, headers }, (reply) => {
        to.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(to);
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A TCP server that listens has an address and a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
