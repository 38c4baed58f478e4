import { z } from "zod";
import { TENANT, TENANT_DEFAULT } from "#shared/config";
import { AbsentError } from "#shared/http";
import { operation, READERS } from "../operation.ts";
import { isStaff } from "../tenancy/may-see.ts";
import type { Caller } from "../tenancy/may-see.ts";
import { requireFiles } from "../tenancy/see-run.ts";

/** Stored content as it came. Never shown by a browser as a page of ours: a stranger wrote it. */
export const readBlob = operation({
  id: "readBlob",
  summary: "Read stored content",
  scopes: READERS,
  params: z.object({
    id: z.string().max(71).meta({ description: "SHA-256 in hex, with or without `sha256:`" }),
  }),
  query: z.object({
    tenant: z
      .string()
      .regex(TENANT)
      .exactOptional()
      .meta({ description: "Whose content, for operators. Default: the key's own tenant." }),
  }),
  status: 200,
  async handle({ gateway, params, query, reply, caller }) {
    requireFiles(gateway, caller);
    const found = await gateway.blobs
      .of(ownerOf(caller, query.tenant))
      .find(params.id.replace(/^sha256:/, ""));
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
  },
});

/** Whoever names another tenant without being allowed to look there finds nothing, as under any unknown digest. */
function ownerOf(caller: Caller, wanted: string | undefined): string {
  const own = caller?.tenant ?? TENANT_DEFAULT;
  if (wanted === undefined || wanted === own) return own;
  if (isStaff(caller)) return wanted;
  throw new AbsentError("blob");
}
