import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import fastify from "fastify";
import type { FastifyInstance, LightMyRequestResponse as Response } from "fastify";
import { beforeEach, expect, it } from "vitest";
import { temporaryFolder } from "#shared/testing";
import { PAGE_POLICY, serveApp } from "./serve-app.ts";

const SCRIPT = "export const x = 1;";

let app: FastifyInstance;

beforeEach(() => {
  const root = temporaryFolder();
  const built = join(root, "built");
  mkdirSync(join(built, "assets"), { recursive: true });
  writeFileSync(join(root, "secret.js"), "secret");
  writeFileSync(join(built, "index.html"), "<!doctype html>");
  writeFileSync(join(built, "icon.svg"), "<svg/>");
  writeFileSync(join(built, ".sources"), "a stamp");
  writeFileSync(join(built, "assets/main-x1.js"), SCRIPT);
  writeFileSync(join(built, "assets/main-x1.js.br"), brotliCompressSync(SCRIPT));
  writeFileSync(join(built, "assets/main-x1.js.gz"), gzipSync(SCRIPT));
  app = fastify();
  serveApp(app, built);
});

/** Asks as a browser that opens an address. */
const get = async (url: string, encodings?: string): Promise<Response> => {
  const compressed = encodings === undefined ? {} : { "accept-encoding": encodings };
  return app.inject({ url, headers: { accept: "text/html,*/*;q=0.8", ...compressed } });
};

it.each([
  ["/", "text/html"],
  ["/inbox/group/a%2Fb", "text/html"],
  ["/icon.svg", "image/svg+xml"],
  ["/assets/main-x1.js", "text/javascript"],
])("%s is sent as %s under the policy", async (url, type) => {
  const { statusCode, headers } = await get(url);
  expect(statusCode).toBe(200);
  expect(headers["content-type"]).toContain(type);
  expect(headers["content-security-policy"]).toBe(PAGE_POLICY);
});

it.each([
  ["gzip, deflate, br", "br", brotliCompressSync(SCRIPT)],
  ["gzip", "gzip", gzipSync(SCRIPT)],
  [undefined, undefined, Buffer.from(SCRIPT)],
])("to who accepts %s it sends %s", async (accepted, sent, body) => {
  const { headers, rawPayload } = await get("/assets/main-x1.js", accepted);
  expect(headers["content-encoding"]).toBe(sent);
  expect(headers.vary).toBe("accept-encoding");
  expect(rawPayload.equals(body)).toBe(true);
});

it("lets browsers keep what is named by its content for ever, and ask anew for the rest", async () => {
  expect((await get("/assets/main-x1.js")).headers["cache-control"]).toContain("immutable");
  for (const url of ["/", "/icon.svg", "/runs"])
    expect((await get(url)).headers["cache-control"], url).toBe("no-cache");
});

it("answers 404 for an asset of another release and for what the API has not, so that no page is taken for them", async () => {
  for (const url of ["/assets/main-x0.js", "/v1/nothing"]) expect((await get(url)).statusCode, url).toBe(404);
});

it.each(["/../secret.js", "/..%2Fsecret.js", "/%2e%2e/secret.js", "//etc/passwd", "/.sources"])(
  "%s leads to nothing outside the built files",
  async (url) => {
    const { statusCode, body } = await get(url);
    expect(statusCode === 404 || body === "<!doctype html>", body).toBe(true);
  },
);

it("answers 404 where nothing is built", async () => {
  const bare = fastify();
  serveApp(bare, temporaryFolder());
  expect((await bare.inject("/")).statusCode).toBe(404);
});
