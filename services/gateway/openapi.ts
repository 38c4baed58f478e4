import swagger from "@fastify/swagger";
import type { StaticDocumentSpec } from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { describeApi } from "#shared/api";

/** Serves the description of the API at `/openapi.json`, and a reader of it at `/docs`. Both ask for no key. */
export async function serveDescription(app: FastifyInstance): Promise<void> {
  const document = describeApi();
  // The plugin declares OpenAPI 3.0 alone and hands any document on as it is.
  const specification = { document: document as unknown as StaticDocumentSpec["document"] };
  await app.register(swagger, { mode: "static", specification });
  await app.register(async (scope) => {
    scope.addHook("onRoute", (route) => {
      route.config = { ...route.config, scopes: null };
    });
    await scope.register(swaggerUi, {
      routePrefix: "/docs",
      staticCSP: true,
      uiConfig: { tryItOutEnabled: false },
    });
    scope.get("/openapi.json", async () => document);
  });
}
