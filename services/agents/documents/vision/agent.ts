import { agent, readPrompt } from "#shared/runtime";
import type { Context } from "#shared/runtime";
import type { ContractOutput } from "#shared/contract";
import { ReadDocument, TaggedDocument } from "../contracts.ts";
import { TAGGED_CHARACTERS_MAX } from "../limits.ts";
import { libraryOf, loadPages, pictureOf, shownDigest } from "../library.ts";
import type { Library } from "../library.ts";
import { VisionAnswer } from "./answer.ts";
import type { VisionInput } from "./answer.ts";
import { lookAtFile } from "../rehearsal/vision.ts";

const to = { invoice: TaggedDocument, photo: TaggedDocument, longread: TaggedDocument };

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "tag");
/** Part of the key under which descriptions are kept: another prompt describes anew. */
const EDITION = "1";
/** Enough for a delivery that waits while another describes the same file. */
const DELIVERIES_MAX = 12;

type Read = ContractOutput<typeof ReadDocument>;
type Tagged = ContractOutput<typeof TaggedDocument>;

/** Tags and describes a file, once for each content, and routes it by its tags. */
export const createVision = (library: Library) =>
  agent("vision@1", {
    accepts: ReadDocument,
    to,
    description: "Tags and describes files, each content once, and routes by tag.",
    capabilities: ["vision", "routing"],
    tier: "router",
    promptVersion: EDITION,
    deliveriesMax: DELIVERIES_MAX,
    answers: [VisionAnswer],
    standIns: { tag: lookAtFile },
    needs: { tag: { fields: ["/kind", "/sha256", "/text", "/pages", "/width", "/height"] } },
    contextTokensMax: 8000,
    guard: {
      mayCause: ["describe"],
      untrusted: { payload: { "/question": "customer" } },
      injection: { reaction: "flag" },
    },
    handle: async (document, ctx) => {
      const described = await describe(libraryOf(library, ctx.envelope), ctx, document);
      const { file, question, content } = document;
      const tagged: Tagged = { file, question, content, ...described };
      return ctx.handoff(routeOf(tagged), tagged, { reason: described.tags.join(", ") });
    },
  });

/** Describes a file once for the same bytes, over all runs. */
function describe(
  library: Library,
  ctx: Context<typeof to>,
  { file, content }: Read,
): Promise<ContractOutput<typeof VisionAnswer>> {
  const ask = async (): Promise<ContractOutput<typeof VisionAnswer>> => {
    const isPicture = content.kind === "picture";
    const pages = isPicture ? null : await loadPages(library, content.pages);
    const input: VisionInput = {
      kind: content.kind,
      sha256: file.sha256,
      text: pages === null ? null : pages.join("\n\n").slice(0, TAGGED_CHARACTERS_MAX).toWellFormed(),
      pages: pages === null ? null : pages.length,
      width: isPicture ? content.width : null,
      height: isPicture ? content.height : null,
    };
    return ctx.model("tag", {
      instructions: INSTRUCTIONS,
      input,
      answers: VisionAnswer,
      ...(isPicture ? { images: [pictureOf(library, file, content)] } : {}),
    });
  };
  // Asking again does no harm: a description that was paid for is on this message's record.
  const reconcile = (): Promise<{ readonly done: false }> => Promise.resolve({ done: false });
  return ctx.once(`describe:${EDITION}:${shownDigest(file, content)}`, ask, { scope: "agent", reconcile });
}

/** By tag; among texts that are no invoices, length makes no difference. */
function routeOf({ tags, content }: Tagged): keyof typeof to {
  if (tags.includes("invoice")) return "invoice";
  return content.kind === "picture" ? "photo" : "longread";
}
