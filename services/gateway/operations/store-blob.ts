import { Readable } from "node:stream";
import { BodyTooLargeError } from "#shared/blobs";
import { TENANT_DEFAULT } from "#shared/config";
import type { Handler } from "../operation.ts";

const MIME_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;
const UNKNOWN_TYPE = "application/octet-stream";

/** Content that envelopes refer to. The answer is what a file reference is made of. */
export const storeBlob: Handler<"storeBlob"> = async ({ gateway, request, reply, signal, caller }) => {
  const bytesMax = gateway.bounds.blobBytesMax;
  if (Number(request.headers["content-length"] ?? 0) > bytesMax) throw new BodyTooLargeError(bytesMax);
  const facts = await gateway.blobs.of(caller?.tenant ?? TENANT_DEFAULT).store({
    // Without a body there is nothing to hand on; the request itself is then the empty stream.
    content: request.body instanceof Readable ? request.body : request.raw,
    mimeType: mimeTypeOf(request.headers["content-type"]),
    bytesMax,
    signal,
  });
  void reply.header("location", `/v1/blobs/${facts.sha256}`);
  return { id: facts.sha256, uri: `sha256:${facts.sha256}`, ...facts };
};

/** The type without its parameters; what is no type is unknown content. */
function mimeTypeOf(header: string | undefined): string {
  const type = header?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return MIME_TYPE.test(type) ? type : UNKNOWN_TYPE;
}
