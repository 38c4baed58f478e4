import type { FastifyInstance, RouteOptions } from "fastify";
import { RouteUnguardedError } from "./errors.ts";

/**
 * Makes the start of a server fail when any of its routes does not declare who may call it, also routes that plugins
 * add. Call it before the first route is added.
 *
 * @param isDeclared - Whether a route says who may call it; "anyone" counts, if it is written down.
 * @throws {RouteUnguardedError} From `app.ready()` and `app.listen()`; names every such route.
 */
export function requireGuards(app: FastifyInstance, isDeclared: (route: RouteOptions) => boolean): void {
  const routes: RouteOptions[] = [];
  app.addHook("onRoute", (route) => {
    routes.push(route);
  });
  // A scope may declare the guard of all its routes in a hook of its own, which runs after this one.
  app.addHook("onReady", async () => {
    const open = routes.filter((route) => !isDeclared(route));
    if (open.length > 0)
      throw new RouteUnguardedError(open.map(({ method, url }) => `${String(method)} ${url}`));
  });
}
