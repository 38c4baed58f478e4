import Fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { loadConfig } from "#shared/config";
import { answerProblems, ApiKeys } from "#shared/http";
import { createLogger } from "#shared/telemetry";
import { GATEWAY_BOUNDS_DEFAULT } from "../bounds.ts";
import { ROUTES } from "../routes.ts";
import { SECRETS, startTestGateway } from "../testing/start-test-gateway.ts";
import { createAdmission, guardRequests } from "./guard-requests.ts";

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
  answerProblems(app, [], { logger, traceIdOf: () => null });
  const apiKeys = loadConfig({ SUTURE_API_KEYS: `ada:admin:${SECRETS.admin}` }).apiKeys ?? [];
  app.get("/early", async () => "secret");
  const { store } = await startTestGateway();
  const keys = new ApiKeys(apiKeys, store.apiKeys);
  const admit = createAdmission({ keys, store, bounds: GATEWAY_BOUNDS_DEFAULT });
  guardRequests(app, { stopping: new AbortController().signal }, admit);
  onTestFinished(() => app.close());
  expect((await app.inject("/early")).statusCode).toBe(401);
  const headers = { authorization: `Bearer ${SECRETS.admin}` };
  const answer = await app.inject({ url: "/early", headers });
  expect(answer.statusCode).toBe(403);
  expect(answer.body).not.toContain("secret");
});
