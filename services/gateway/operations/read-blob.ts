import { TENANT_DEFAULT } from "#shared/config";
import { AbsentError } from "#shared/http";
import type { Handler } from "../operation.ts";
import { isStaff } from "../tenancy/may-see.ts";
import type { Caller } from "../tenancy/may-see.ts";
import { requireFiles } from "../tenancy/see-run.ts";

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

/** Whoever names another tenant without being allowed to look there finds nothing, as under any unknown digest. */
function ownerOf(caller: Caller, wanted: string | undefined): string {
  const own = caller?.tenant ?? TENANT_DEFAULT;
  if (wanted === undefined || wanted === own) return own;
  if (isStaff(caller)) return wanted;
  throw new AbsentError("blob");
}
