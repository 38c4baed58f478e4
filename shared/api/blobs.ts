import { z } from "zod";
import { TENANT } from "#shared/config";
import { READERS, SUBMITTERS } from "./fields.ts";
import { get, post } from "./operation.ts";
import type { DeclaredApi } from "./operation.ts";

export const BLOBS = {
  storeBlob: {
    ...post("/v1/blobs", SUBMITTERS),
    summary: "Store content by its hash",
    takes: "stream",
    answers: {
      201: z.object({
        id: z.string().meta({ description: "SHA-256, hex" }),
        uri: z.string().meta({ description: "For file_references: sha256:<id>" }),
        mime_type: z.string(),
        bytes: z.int(),
        sha256: z.string(),
      }),
    },
    problems: ["body_too_large", "blobs_full", "blob_type_refused", "blob_type_mismatch"],
  },
  readBlob: {
    ...get("/v1/blobs/:id", READERS),
    summary: "Read stored content",
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
    answers: { 200: "application/octet-stream" },
    problems: ["not_found", "blob_damaged"],
  },
} as const satisfies DeclaredApi;
