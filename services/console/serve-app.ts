import { globSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { errorCodes } from "fastify";
import type { FastifyInstance } from "fastify";
import { AbsentError } from "#shared/http";

/** Folder into which set-up builds `app/`. */
const BUILT = join(import.meta.dirname, "built");

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

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Encodings that files lie there in, the smallest first. */
const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/** Places that show to every client that there is a console. */
const HEADS: readonly string[] = ["", "login"];

/** Of an address. */
export const PATH_CHARS_MAX = 1500;

/** A year, in seconds: such a file is named by its content. */
const FOREVER_S = 31_536_000;

/**
 * Serves what set-up built of `app/`. It holds no data and is open to anyone; what it shows comes from the API. To a
 * browser, an address that is no file and none of the API's is one of the app's own places.
 */
export function serveApp(app: FastifyInstance, folder: string = BUILT): void {
  const files = new Set(globSync("**/*.*", { cwd: folder }));
  app.get<{ Params: { "*": string } }>("/*", { config: { scopes: null } }, async (request, reply) => {
    const asked = request.params["*"];
    // No route of the API takes an address that comes here.
    if (asked.length > PATH_CHARS_MAX) throw new errorCodes.FST_ERR_MAX_PARAM_LENGTH(asked.slice(0, 100));
    if (asked.startsWith("v1/")) return reply.callNotFound();
    // Anything else that asks is answered that there is no such address, however it is spelled.
    const opensPage = request.headers.accept?.includes("text/html") === true || HEADS.includes(asked);
    const isPlace = !files.has(asked) && !asked.startsWith("assets/") && opensPage;
    const name = isPlace ? "index.html" : asked;
    const type = TYPES[extname(name)];
    if (type === undefined || !files.has(name)) throw new AbsentError("file");
    const accepted = request.headers["accept-encoding"] ?? "";
    const found = ENCODINGS.find(
      ([encoding, ending]) => accepted.includes(encoding) && files.has(name + ending),
    );
    void reply.headers({
      "content-security-policy": PAGE_POLICY,
      "cache-control": name.startsWith("assets/") ? `public, max-age=${FOREVER_S}, immutable` : "no-cache",
      vary: "accept-encoding",
      ...(found === undefined ? {} : { "content-encoding": found[0] }),
    });
    return reply.type(type).send(readFileSync(join(folder, name + (found?.[1] ?? ""))));
  });
}
