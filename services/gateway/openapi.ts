import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { createJsonSchemaTransform } from "fastify-type-provider-zod";
import { z } from "zod";

/** Only what routes name: the registry that zod shares across a process also holds the marks of contracts. */
const registry = z.registry<{ id?: string | undefined }>();

/** Writes `/openapi.json` from the table of operations, and a reader of it at `/docs`. Both ask for no key. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Suture gateway",
        version: "1",
        description: "Submit tasks to teams of agents and follow their runs. Errors are RFC 9457 problems.",
      },
      components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
    },
    transform: createJsonSchemaTransform({ schemaRegistry: registry }),
  });
  await app.register(async (scope) => {
    scope.addHook("onRoute", (route) => {
      route.config = { ...route.config, scopes: null };
    });
    await scope.register(swaggerUi, {
      routePrefix: "/docs",
      staticCSP: true,
      uiConfig: { tryItOutEnabled: false },
    });
    scope.get("/openapi.json", { schema: { hide: true } }, async () => app.swagger());
  });
}
