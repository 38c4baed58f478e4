import type { StaticDocumentSpec } from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import { describeApi } from "#shared/api";
import { loadPackage, PackageMissingError } from "#shared/errors";
import type { Gateway } from "./gateway.ts";

/**
 * Serves the description of the API at `/openapi.json`, and a reader of it at `/docs`, which says what to install where
 * its optional packages are absent. Both ask for no key.
 */
export async function serveDescription(
  app: FastifyInstance,
  { publicUrl }: Pick<Gateway, "publicUrl">,
): Promise<void> {
  const document = describeApi([], publicUrl ?? undefined);
  const reader = await loadReader();
  // The plugin declares OpenAPI 3.0 alone and hands any document on as it is.
  const specification = { document: document as unknown as StaticDocumentSpec["document"] };
  if ("swagger" in reader) await app.register(reader.swagger, { mode: "static", specification });
  await app.register(async (scope) => {
    scope.addHook("onRoute", (route) => {
      route.config = { ...route.config, scopes: null };
    });
    scope.get("/openapi.json", async () => document);
    if ("missing" in reader) return void scope.get("/docs", () => Promise.reject(reader.missing));
    await scope.register(reader.swaggerUi, {
      routePrefix: "/docs",
      staticCSP: true,
      uiConfig: { tryItOutEnabled: false },
    });
  });
}

async function loadReader() {
  const names = ["@fastify/swagger", "@fastify/swagger-ui"];
  try {
    const [{ default: swagger }, { default: swaggerUi }] = await loadPackage(names, () =>
      Promise.all([import("@fastify/swagger"), import("@fastify/swagger-ui")]),
    );
    return { swagger, swaggerUi };
  } catch (error) {
    if (error instanceof PackageMissingError) return { missing: error };
    throw error;
  }
}
