import { z } from "zod";
import { AbsentError } from "#shared/http";
import { operation, READERS } from "../operation.ts";

/** Stored content as it came. Never shown by a browser as a page of ours: a stranger wrote it. */
export const readBlob = operation({
  id: "readBlob",
  summary: "Read stored content",
  scopes: READERS,
  params: z.object({
    id: z.string().max(71).meta({ description: "SHA-256 in hex, with or without `sha256:`" }),
  }),
  status: 200,
  async handle({ gateway, params, reply }) {
    const found = await gateway.blobs.find(params.id.replace(/^sha256:/, ""));
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
