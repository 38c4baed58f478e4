import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { FastifyInstance } from "fastify";

/** Addresses that are pages; every other file is found under `/web/`. */
const PAGES: Readonly<Record<string, string>> = { "/": "index.html", "/login": "login.html" };

/** Allows our own scripts and styles alone, no frame, and no text as markup where browsers know trusted types. */
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
  const files = new Map(readWebFiles(join(import.meta.dirname, "web")).map((file) => [file.name, file]));
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

/** One file of the page, as it is sent. */
interface WebFile {
  readonly name: string;
  readonly type: string;
  readonly body: Buffer;
  readonly etag: string;
}

export const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Reads the page's files once: what is not among them cannot be asked for. @param folder - Holds files only. */
function readWebFiles(folder: string): WebFile[] {
  return readdirSync(folder).flatMap((name) => {
    const type = TYPES[extname(name)];
    if (type === undefined) return [];
    const body = readFileSync(join(folder, name));
    const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
    return [{ name, type, body, etag }];
  });
}
