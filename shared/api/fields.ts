import { z } from "zod";
import type { ApiScope } from "#shared/config";

/** Everybody with a key may look. */
export const READERS: readonly ApiScope[] = ["viewer", "submit", "operator", "admin"];
/** Scopes that may start runs. */
export const SUBMITTERS: readonly ApiScope[] = ["submit", "operator", "admin"];
/** Scopes that may look at what belongs to all. */
export const VIEWERS: readonly ApiScope[] = ["viewer", "operator", "admin"];
/** Scopes that may act on runs of others, and on cases and queues. */
export const OPERATORS: readonly ApiScope[] = ["operator", "admin"];
export const ADMINS: readonly ApiScope[] = ["admin"];

const ID_CHARS_MAX = 200;
const WHY_CHARS_MAX = 2000;
const PAGE_MAX = 200;
const OFFSET_MAX = 1_000_000;

export const idField = z.string().min(1).max(ID_CHARS_MAX);
export const nameField = z.string().min(1).max(128);
export const textQuery = z.string().max(200);

/** Reason of an act, for readers of the audit. */
export const whyField = z.string().trim().min(1).max(WHY_CHARS_MAX);
export const optionalWhy = z.string().trim().max(WHY_CHARS_MAX).default("");

/** The version that the person looked at; what changed since is refused. */
export const versionField = z.int().min(0).exactOptional();

export const acceptsField = z.boolean().exactOptional().meta({
  description:
    "For an attached queue: the person has looked whether effects may be repeated; without it jobs are held.",
});

/** A decision that needs nothing but its reason. */
export const whyBody = z.strictObject({ why: whyField, version: versionField });

/** As above, where the reason may be left out, and so may the body. */
export const optionalWhyBody = z
  .strictObject({ why: optionalWhy, version: versionField })
  .default({ why: "" });

export const agentParams = z.object({ agent: idField });

export const limitQuery = z.coerce.number().pipe(z.int().min(1).max(PAGE_MAX)).default(50);
export const offsetQuery = z.coerce.number().pipe(z.int().min(0).max(OFFSET_MAX)).default(0);

/** Any object; what it holds depends on what it belongs to. */
export const detailField = z.record(z.string(), z.unknown());

/** A fault at one place. */
export const issueSchema = z.object({
  path: z.string().meta({ description: "JSON pointer; empty: the whole." }),
  code: z.string(),
  message: z.string(),
});
