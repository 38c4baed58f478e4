import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { FastifyRequest } from "fastify";
import { BodyTooLargeError } from "#shared/blobs";
import { RequestInvalidError } from "#shared/http";
import { NotAnUploadError } from "../errors.ts";

/** What the form's boundaries and heads may take beside the file. */
const FORM_BYTES_MAX = 64 * 1024;
/** Names are told, and never used as paths; U+FFFD stands for bytes that are not UTF-8. */
const NAME = /^[^\p{Cc}/\\\ufffd]{1,255}$/u;
const PATH = /^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$))[^\p{Cc}\\\ufffd]{0,1024}$/u;

/**
 * Reads a multipart form with one `file` and, if it is there, `relative_path`, into memory: the caller bounds how many
 * there are at once.
 *
 * @throws {NotAnUploadError} The body is no such form. {BodyTooLargeError} {RequestInvalidError}
 */
export async function readUpload(
  request: FastifyRequest,
  { bytesMax, signal }: { readonly bytesMax: number; readonly signal: AbortSignal },
): Promise<{ readonly file: File; readonly relativePath: string | null }> {
  const type = request.headers["content-type"] ?? "";
  if (!/^multipart\/form-data\s*;/i.test(type)) throw new NotAnUploadError();
  const content = request.body instanceof Readable ? request.body : request.raw;
  const body = await buffer(bounded(content, bytesMax + FORM_BYTES_MAX, signal));
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } })
    .formData()
    .catch(() => {
      throw new NotAnUploadError();
    });
  const [file, path] = [form.get("file"), form.get("relative_path") ?? ""];
  if (!(file instanceof File) || !NAME.test(file.name))
    throw faultAt("/file", "a file with a name of 1 to 255 characters without / and \\ is asked for");
  if (file.size > bytesMax) throw new BodyTooLargeError(bytesMax);
  if (typeof path !== "string" || !PATH.test(path))
    throw faultAt("/relative_path", "must be a path below the task's own, without ..");
  return { file, relativePath: path === "" ? null : path };
}

function faultAt(path: string, message: string): RequestInvalidError {
  return new RequestInvalidError([{ path, code: "invalid_format", message }]);
}

async function* bounded(content: Readable, bytesMax: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  let bytes = 0;
  // Not destroyed when it is too long: the refusal must still reach the client.
  for await (const chunk of content.iterator({ destroyOnReturn: false })) {
    signal.throwIfAborted();
    // An HTTP body without an encoding gives buffers.
    const part = chunk as Buffer;
    bytes += part.length;
    if (bytes > bytesMax) throw new BodyTooLargeError(bytesMax);
    yield part;
  }
}
