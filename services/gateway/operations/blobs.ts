import { Readable } from "node:stream";
import { BodyTooLargeError } from "#shared/blobs";
import { TENANT_DEFAULT } from "#shared/config";
import { AbsentError } from "#shared/http";
import type { Handler } from "../gateway.ts";
import { isStaff } from "../tenancy/may-see.ts";
import type { Caller } from "../tenancy/may-see.ts";
import { requireFiles } from "../tenancy/see-run.ts";

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

/** Stored content as it came. Never shown by a browser as a page of ours: a stranger wrote it. */
export const readBlob: Handler<"readBlob"> = async ({ gateway, params, query, reply, caller }) => {
  requireFiles(gateway, caller);
  const found = await gateway.blobs.of(ownerOf(caller, query.tenant)).find(params.id.replace(/^sha256:/, ""));
  if (found === null) throw new AbsentError("blob");
  const { facts, content } = found;
  return reply
    .headers({
      "content-length": facts.bytes,
      "content-disposition": "attachment",
      "content-security-policy": "sandbox; default-src 'none'",
      "cache-control": "private, max-age=31536000, immutable",
      etag: `"${facts.sha256}"`,
    })
    .type(facts.mime_type)
    .send(content);
};

/** Returns the tenant whose blobs are read. Another one, for a key that may not, is absent as an unknown digest is. */
function ownerOf(caller: Caller, wanted: string | undefined): string {
  const own = caller?.tenant ?? TENANT_DEFAULT;
  if (wanted === undefined || wanted === own) return own;
  if (isStaff(caller)) return wanted;
  throw new AbsentError("blob");
}
