import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { RequestInvalidError } from "#shared/http";
import { BodyTooLargeError } from "#shared/blobs";
import { NotAnUploadError } from "../errors.ts";

/** One file with its place among the client's others. */
export interface Upload {
  readonly file: File;
  readonly relativePath: string | null;
}

/** What the form's boundaries and heads may take beside the file. */
const FORM_BYTES_MAX = 64 * 1024;
const NAME_CHARS_MAX = 255;
const PATH_CHARS_MAX = 1024;
/**
 * A name is only told, never used as a path; still, no reader of it should be led elsewhere. U+FFFD stands for bytes
 * that are not UTF-8, lone surrogates among them: the name would not be the one that was sent.
 */
const NAME = /^[^\p{Cc}/\\\ufffd]+$/u;
const PATH = /^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$))[^\p{Cc}\\\ufffd]*$/u;

/**
 * Reads a multipart form with one `file` and, if it is there, `relative_path`. It is held in memory, so that whoever
 * calls bounds how many there are at once.
 *
 * @throws {NotAnUploadError} The body is no such form. {BodyTooLargeError} {RequestInvalidError}
 */
export async function readUpload(
  request: FastifyRequest,
  { bytesMax, signal }: { readonly bytesMax: number; readonly signal: AbortSignal },
): Promise<Upload> {
  const type = request.headers["content-type"] ?? "";
  if (!/^multipart\/form-data\s*;/i.test(type)) throw new NotAnUploadError();
  const body = await readBounded(request.body instanceof Readable ? request.body : request.raw, {
    bytesMax: bytesMax + FORM_BYTES_MAX,
    signal,
  });
  const form = await new Response(body, { headers: { "content-type": type } }).formData().catch(() => {
    throw new NotAnUploadError();
  });
  const file = form.get("file");
  if (!(file instanceof File)) throw missing("/file", "a file is asked for under this name");
  if (file.size > bytesMax) throw new BodyTooLargeError(bytesMax);
  const path = form.get("relative_path") ?? "";
  if (file.name.length > NAME_CHARS_MAX || !NAME.test(file.name))
    throw missing("/file", `its name must be 1 to ${NAME_CHARS_MAX} characters without / and \\`);
  if (typeof path !== "string" || path.length > PATH_CHARS_MAX || !PATH.test(path))
    throw missing("/relative_path", "must be a path below the task's own, without ..");
  return { file, relativePath: path === "" ? null : path };
}

function missing(path: string, message: string): RequestInvalidError {
  return new RequestInvalidError([{ path, code: "invalid_format", message }]);
}

async function readBounded(
  content: Readable,
  { bytesMax, signal }: { readonly bytesMax: number; readonly signal: AbortSignal },
): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  // Not destroyed when it is too long: the refusal must still reach the client.
  for await (const chunk of content.iterator({ destroyOnReturn: false })) {
    signal.throwIfAborted();
    // An HTTP body without an encoding gives buffers.
    const part = chunk as Buffer;
    bytes += part.length;
    if (bytes > bytesMax) throw new BodyTooLargeError(bytesMax);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
