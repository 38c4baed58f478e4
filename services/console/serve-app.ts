import { globSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AbsentError } from "#shared/http";
import { PAGE_POLICY, TYPES } from "./serve-pages.ts";

/** Where set-up builds `app/`. */
const BUILT = join(import.meta.dirname, "built");

/** Where it is found until it takes the place of the page in `web/`. */
const BASE = "/next";

/** Encodings that files lie there in, the smallest first. */
const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/** A year, in seconds: such a file is named by its content. */
const FOREVER_S = 31_536_000;

/**
 * Serves what set-up built of `app/`. It holds no data and is open to anyone; what it shows comes from the API. An
 * address below that is no file is one of the app's own places.
 */
export function serveApp(app: FastifyInstance, folder: string = BUILT): void {
  const files = new Set(globSync("**/*.*", { cwd: folder }));
  const serve = (
    request: FastifyRequest<{ Params: { "*"?: string } }>,
    reply: FastifyReply,
  ): FastifyReply => {
    const asked = request.params["*"] ?? "";
    const name = files.has(asked) ? asked : "index.html";
    const type = TYPES[extname(name)];
    if (type === undefined || !files.has(name) || (name !== asked && asked.startsWith("assets/")))
      throw new AbsentError("file");
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
  };
  const open = { config: { role: null } };
  app.get(BASE, open, serve);
  app.get(`${BASE}/*`, open, serve);
}
