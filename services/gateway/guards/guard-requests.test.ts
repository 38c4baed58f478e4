import Fastify from "fastify";
import { describe, expect, it, onTestFinished, test } from "vitest";
import { z } from "zod";
import { loadConfig } from "#shared/config";
import { answerProblems, ApiKeys } from "#shared/http";
import { guardRequests } from "#shared/http/server";
import { createLogger } from "#shared/telemetry";
import { GATEWAY_BOUNDS_DEFAULT } from "../bounds.ts";
import { ROUTES } from "../routes.ts";
import { answerOf } from "../testing/answer.ts";
import { SECRETS, startTestGateway } from "../testing/start-test-gateway.ts";
import { createAdmission } from "./guard-requests.ts";

const apiForm = z.looseObject({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({}))),
});

const at = (path: string): string => path.replace(/:\w+/g, "x");

describe("API keys", () => {
  it.each(ROUTES.filter(({ operation }) => operation.scopes !== null))(
    "are asked for, and their scope is held, at $method $path",
    async ({ method, path, operation }) => {
      const gateway = await startTestGateway();
      const none = await gateway.send(at(path), { method, key: null });
      expect(none.status).toBe(401);
      expect(none.headers.get("www-authenticate")).toContain("Bearer");
      for (const scope of ["viewer", "submit", "operator", "admin"] as const) {
        const reply = await gateway.send(at(path), { method, key: SECRETS[scope] });
        if (operation.scopes?.includes(scope)) expect([401, 403]).not.toContain(reply.status);
        else expect(reply.status).toBe(403);
      }
    },
  );

  it("let viewers read only, and keep acting on runs of others to operators", () => {
    const open = (scope: "viewer" | "submit"): string[] =>
      ROUTES.filter(({ operation }) => operation.scopes?.includes(scope)).map(
        ({ operation }) => operation.id,
      );
    expect(
      ROUTES.filter(({ method, operation }) => method === "POST" && operation.scopes?.includes("viewer")),
    ).toEqual([]);
    expect(open("submit")).not.toContain("cancelRun");
    expect(open("submit")).not.toContain("replayRun");
  });

  it.each([
    "Bearer",
    "Bearer ",
    "Basic YTpi",
    "Bearer wrong-secret-0123456789",
    `Bearer ${SECRETS.admin}x`,
    `bearer  ${SECRETS.admin} y`,
  ])("are not %j", async (authorization) => {
    const gateway = await startTestGateway();
    const reply = await gateway.send("/v1/runs", { key: null, headers: { authorization } });
    expect(reply.status).toBe(401);
    expect(await reply.text()).not.toContain("secret-0123456789");
  });

  it("are not asked for where probes look", async () => {
    const gateway = await startTestGateway();
    for (const path of ["/healthz", "/readyz", "/openapi.json"]) {
      expect((await gateway.send(path, { key: null })).status).toBe(200);
    }
  });

  it("may send only so fast, each for itself", async () => {
    const gateway = await startTestGateway({ bounds: { rateBurst: 3, ratePerSecond: 0.5 } });
    const statuses: number[] = [];
    for (let i = 0; i < 4; i += 1) statuses.push((await gateway.send("/v1/teams")).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refused = await gateway.send("/v1/teams");
    expect(refused.headers.get("retry-after")).toBe("2");
    expect((await gateway.send("/v1/teams", { key: SECRETS.viewer })).status).toBe(200);
  });
});

describe("the description of the API", () => {
  it("names every operation, its problem form and its key", async () => {
    const gateway = await startTestGateway();
    const api = await answerOf(gateway.send("/openapi.json", { key: null }), apiForm);
    expect(api.openapi).toBe("3.1.0");
    for (const { method, path, operation } of ROUTES) {
      const described = api.paths[path.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
      expect(described).toMatchObject({ operationId: operation.id });
      expect(described).toHaveProperty(["responses", "default", "content", "application/problem+json"]);
      // An operation without `security` asks for the key that the whole description names.
      expect(described?.["security"]).toEqual(operation.scopes === null ? [] : undefined);
    }
    expect(api.paths["/v1/tasks"]?.["post"]).toHaveProperty(
      ["requestBody", "content", "application/json", "schema", "required"],
      ["team", "input"],
    );
  });
});

test("a gateway with a route that declares no scopes does not start, and names it", async () => {
  const operation = { ...ROUTES[0]?.operation, id: "showSecrets" };
  Reflect.deleteProperty(operation, "scopes");
  Array.prototype.push.call(ROUTES, { method: "GET", path: "/v1/secrets", operation });
  onTestFinished(() => void Array.prototype.pop.call(ROUTES));
  await expect(startTestGateway()).rejects.toMatchObject({
    code: "ROUTE_UNGUARDED",
    message: expect.stringContaining("GET /v1/secrets"),
  });
});

test("a route that declares no scopes is refused, should one ever be served", async () => {
  const app = Fastify();
  const logger = createLogger({ service: "gateway", level: "silent" });
  answerProblems(app, { logger });
  const apiKeys = loadConfig({ SUTURE_API_KEYS: `ada:admin:${SECRETS.admin}` }).apiKeys ?? [];
  app.get("/early", async () => "secret");
  const { store } = await startTestGateway();
  const keys = new ApiKeys(apiKeys, store.apiKeys);
  const admit = createAdmission({ keys, store, bounds: GATEWAY_BOUNDS_DEFAULT });
  const { signal: stopping } = new AbortController();
  guardRequests(app, { stopping, admit: (request, scopes) => admit(request, scopes ?? []) });
  onTestFinished(() => app.close());
  expect((await app.inject("/early")).statusCode).toBe(401);
  const headers = { authorization: `Bearer ${SECRETS.admin}` };
  const answer = await app.inject({ url: "/early", headers });
  expect(answer.statusCode).toBe(403);
  expect(answer.body).not.toContain("secret");
});
