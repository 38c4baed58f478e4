import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { readWebFiles } from "./read-web-files.ts";
import type { WebFile } from "./read-web-files.ts";

/** Addresses that are pages; every other file is found under `/web/`. */
const PAGES: Readonly<Record<string, string>> = { "/": "index.html", "/login": "login.html" };

/**
 * No script or style that is not a file of ours, nothing from elsewhere, no frame around us, and no text that becomes
 * markup where the browser knows trusted types.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** Serves the page's own files. They hold no data and are open to anyone; what they show comes from the API. */
export function servePages(app: FastifyInstance): void {
  const files = new Map(readWebFiles(join(import.meta.dirname, "../web")).map((file) => [file.name, file]));
  for (const [path, name] of Object.entries(PAGES)) serve(app, path, files.get(name));
  for (const file of files.values()) serve(app, `/web/${file.name}`, file);
}

function serve(app: FastifyInstance, path: string, file: WebFile | undefined): void {
  if (file === undefined) return;
  app.get(path, { config: { role: null } }, async (request, reply) => {
    void reply.headers({
      "content-security-policy": PAGE_POLICY,
      "cache-control": "no-cache",
      etag: file.etag,
    });
    if (request.headers["if-none-match"] === file.etag) return reply.code(304).send();
    return reply.type(file.type).send(file.body);
  });
}
