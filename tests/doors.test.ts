import { request } from "node:http";
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { ROUTES as CONSOLE_ROUTES } from "../services/console/api/routes.ts";
import { startTestConsole } from "../services/console/testing/start-test-console.ts";
import { ROUTES as GATEWAY_ROUTES } from "../services/gateway/routes.ts";
import { startTestGateway } from "../services/gateway/testing/start-test-gateway.ts";

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Sends a path as it is written: `fetch` would tidy it up first. */
async function ask(url: string, method: string, path: string): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ hostname, port, path, method, agent: false }, resolve).once("error", reject).end();
  });
  return { status: reply.statusCode ?? 0, body: await text(reply) };
}

/** Ways to write a path that proxies and routers may take for the same. */
function spellingsOf(path: string): string[] {
  const inner = path.slice(1);
  const first = inner.split("/", 1)[0] ?? "";
  return [
    path,
    `${path}/`,
    `${path}.`,
    `${path}..`,
    `${path};`,
    `${path};x=/healthz`,
    `${path}?x=/healthz`,
    `${path}%20`,
    `${path}%00`,
    `${path}%2f`,
    `${path}#/healthz`,
    `/${path}`,
    path.replaceAll("/", "//"),
    path.toUpperCase(),
    `/${encodeURIComponent(inner)}`,
    `/%${inner.charCodeAt(0).toString(16)}${inner.slice(1)}`,
    `/./${inner}`,
    `/healthz/..${path}`,
    `/healthz/..;${path}`,
    `/healthz;/..${path}`,
    `/web/..${path}`,
    `/web/%2e%2e${path}`,
    `/docs/static/..${path}`,
    `/docs/static/%2e%2e%2f${inner}`,
    `/docs/..;${path}`,
    `/${first}/..${path}`,
    `\\${inner}`,
    `/${inner.replaceAll("/", "\\")}`,
  ];
}

const METHODS = ["GET", "POST", "DELETE", "PROPFIND"];

const filled = (path: string): string => path.replaceAll(/:\w+/g, "x");

/** Asks without a key for every spelling of every path by every method. @returns what was not refused. */
async function findOpen(url: string, paths: readonly string[]): Promise<string[]> {
  const open: string[] = [];
  for (const path of paths) {
    await Promise.all(
      spellingsOf(path).flatMap((spelling) =>
        METHODS.map(async (method) => {
          const { status } = await ask(url, method, spelling);
          if (status < 400 || status >= 500) open.push(`${method} ${spelling} ${status}`);
        }),
      ),
    );
  }
  return open;
}

test("the gateway refuses every spelling of every guarded path to who shows no key", async () => {
  const { url } = await startTestGateway({ bounds: { connectionsMax: 5000, anonymousPerAddressMax: 5000 } });
  const guarded = GATEWAY_ROUTES.filter(({ operation }) => operation.scopes !== null);
  expect(await findOpen(url, [...new Set(guarded.map(({ path }) => filled(path)))])).toEqual([]);
});

test("the gateway's pages of documentation show files of their own and nothing beside them", async () => {
  const { url } = await startTestGateway();
  for (const path of ["/docs", "/docs/", "/docs/json", "/docs/static/index.html", "/openapi.json"])
    expect((await ask(url, "GET", path)).status, path).toBeLessThan(400);
  for (const path of [
    "/docs/static/../../package.json",
    "/docs/static/%2e%2e/%2e%2e/package.json",
    "/docs/static/..%2f..%2fpackage.json",
    "/docs/static/..%5c..%5cpackage.json",
    "/docs/static/....//....//package.json",
    "/docs/static//etc/passwd",
    "/docs/static/%00",
  ]) {
    const { status, body } = await ask(url, "GET", path);
    expect(status, path).toBeGreaterThanOrEqual(400);
    expect(status, path).toBeLessThan(500);
    expect(body, path).not.toMatch(/"version":|root:/);
  }
});

test("the console refuses every spelling of every guarded path without a session", async () => {
  const { url } = await startTestConsole({ connectionsMax: 5000, anonymousPerAddressMax: 5000 });
  const guarded = CONSOLE_ROUTES.filter(({ path }) =>
    CONSOLE_ROUTES.every((other) => other.path !== path || other.operation.scopes !== null),
  );
  const paths = new Set(guarded.map(({ path }) => filled(path)));
  expect(await findOpen(url, [...paths])).toEqual([]);
});
