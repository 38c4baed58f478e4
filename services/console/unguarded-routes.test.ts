import { expect, onTestFinished, test } from "vitest";
import { ROUTES } from "./api/routes.ts";
import { startTestConsole } from "./testing/start-test-console.ts";

test("a console with a route that declares no role does not start, and names it", async () => {
  const operation = { ...ROUTES[0]?.operation, id: "showSecrets" };
  Array.prototype.push.call(ROUTES, { method: "GET", path: "/v1/secrets", operation });
  onTestFinished(() => void Array.prototype.pop.call(ROUTES));
  await expect(startTestConsole()).rejects.toMatchObject({
    code: "ROUTE_UNGUARDED",
    message: expect.stringContaining("GET /v1/secrets"),
  });
});
