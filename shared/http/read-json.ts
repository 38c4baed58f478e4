import type { FastifyInstance, FastifyRequest } from "fastify";
import { parseOutside } from "#shared/envelope/json";
import type { EnvelopeLimits } from "#shared/envelope";
import { InvalidUtf8Error, UnsupportedMediaError } from "./errors.ts";

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)"?/i;

/** Keeps a byte order mark, which JSON does not allow, and refuses what is not UTF-8 rather than replace it. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads JSON bodies within the bounds of what travels, and no other type: depth, keys, values, strings, lone
 * surrogates, keys given twice and keys that reach for a prototype are refused with the place.
 *
 * @param bodyBytesMax - Inclusive.
 * @param limits - Bounds of a body that differ from those of an envelope. Default: none.
 */
export function readJsonOnly(
  app: FastifyInstance,
  bodyBytesMax: number,
  limits: Partial<EnvelopeLimits> = {},
): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer", bodyLimit: bodyBytesMax },
    readJson({ ...limits, envelopeBytesMax: bodyBytesMax }),
  );
}

function readJson(limits: Partial<EnvelopeLimits>) {
  return (
    request: FastifyRequest,
    body: string | Buffer,
    done: (error: Error | null, value?: unknown) => void,
  ): void => {
    try {
      requireUtf8Charset(request.headers["content-type"]);
      // An operation that takes no body may be sent an empty one; one that does says what is missing.
      done(null, body.length === 0 ? undefined : parseOutside(decode(body), limits));
    } catch (error) {
      // Whatever is thrown here is an Error of ours; `done` takes nothing else.
      done(error as Error);
    }
  };
}

function requireUtf8Charset(contentType: string | undefined): void {
  const charset = CHARSET.exec(contentType ?? "")?.[1]?.toLowerCase();
  if (charset !== undefined && charset !== "utf-8" && charset !== "utf8") {
    throw new UnsupportedMediaError("its charset is not UTF-8");
  }
}

function decode(body: string | Buffer): string {
  if (typeof body === "string") return body;
  try {
    return decoder.decode(body);
  } catch {
    throw new InvalidUtf8Error();
  }
}

/** Compressed bodies are refused unread: a kilobyte can unpack to a gigabyte. @throws {UnsupportedMediaError} */
export function refuseCompressed(request: FastifyRequest): void {
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== "identity") {
    throw new UnsupportedMediaError("it is compressed");
  }
}
