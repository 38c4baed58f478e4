import { expect, onTestFinished, test } from "vitest";
import { showLiveness } from "./api/operations/show-liveness.ts";
import { ROUTES } from "./api/routes.ts";
import { startTestConsole } from "./testing/start-test-console.ts";

test("a console with a route that declares no role does not start, and names it", async () => {
  const operation = { ...showLiveness, id: "showSecrets" };
  Reflect.deleteProperty(operation, "role");
  Array.prototype.push.call(ROUTES, { method: "GET", path: "/api/v1/secrets", operation });
  onTestFinished(() => void Array.prototype.pop.call(ROUTES));
  await expect(startTestConsole()).rejects.toMatchObject({
    code: "ROUTE_UNGUARDED",
    message: expect.stringContaining("GET /api/v1/secrets"),
  });
});
