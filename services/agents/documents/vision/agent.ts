import { agent, readPrompt } from "#shared/runtime";
import type { Context } from "#shared/runtime";
import type { ContractOutput } from "#shared/contract";
import type { Tag } from "../contract-fields.ts";
import { ReadDocument, TaggedDocument } from "../contracts.ts";
import type { Content, Reason } from "../contracts.ts";
import { TAGGED_CHARACTERS_MAX } from "../limits.ts";
import { libraryOf, loadPages, pictureOf, shownDigest, textOf } from "../library.ts";
import type { Library } from "../library.ts";
import { VisionAnswer } from "./answer.ts";
import type { VisionInput } from "./answer.ts";
import { decideType, tagsOfType, typeOfTags } from "../recognise/decide-type.ts";
import { MONEY_TYPES, recogniseText } from "../recognise/recognise-text.ts";
import { lookAtFile } from "../rehearsal/vision.ts";
import { clipPages } from "./clip-pages.ts";

const to = { invoice: TaggedDocument, photo: TaggedDocument, longread: TaggedDocument };

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "tag");
/** Part of the key under which descriptions are kept: another prompt describes anew. */
const EDITION = "2";
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
      const own = libraryOf(library, ctx.envelope);
      const described = await describe(own, ctx, document);
      const { file, question, content } = document;
      const reference = textOf(content);
      const pages = reference === null ? null : clipPages(await loadPages(own, reference));
      const tagged: Tagged = {
        file,
        question,
        content,
        ...described,
        ...decide(described.tags, pages, content),
      };
      const route = routeOf(tagged, pages);
      if (route === null) return ctx.complete(unclearResult(tagged));
      return ctx.handoff(route, tagged, { reason: tagged.tags.join(", ") });
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
    const reference = textOf(content);
    const pages = reference === null ? null : await loadPages(library, reference);
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

/** Returns a file's type by its text and its tags, with the reasons for which it goes to a person. */
function decide(
  tags: readonly Tag[],
  pages: readonly string[] | null,
  { kind, ocr }: Content,
): Pick<Tagged, "tags" | "type" | "reasons"> {
  if (pages !== null && !isPhoto(tags, pages)) {
    const { type, reasons } = decideType(recogniseText(pages), tags);
    const named = kind === "picture" && !tags.includes("scan") ? [...tags, "scan" as const] : tags;
    return { type, reasons: [...reasons], tags: tagsOfType(type, named) };
  }
  const why =
    ocr !== null && ocr.languages.length === 0
      ? "no reader of pictures is installed"
      : `${ocr?.trusted ?? 0} of ${ocr?.words ?? 0} words could be read`;
  const reasons: Reason[] = tags.includes("unclear")
    ? [{ code: "not_recognised", path: null, message: `Nothing tells what the picture shows; ${why}.` }]
    : tags.includes("scan") || tags.includes("invoice")
      ? [{ code: "text_unread", path: null, message: `The picture is of a text; ${why}.` }]
      : [];
  return { type: typeOfTags(tags), reasons, tags: [...tags] };
}

/** A picture of the world with some words in it, such as a shop's name, is still a photo. */
function isPhoto(tags: readonly Tag[], pages: readonly string[]): boolean {
  const isSeen = tags.includes("photo") || tags.includes("chart") || tags.includes("drawing");
  const { type } = recogniseText(pages);
  return isSeen && (type === "other" || type === null);
}

/** Null: what it is cannot be told, and a person says. Among texts that are no invoices, length makes no difference. */
function routeOf({ type, tags, content }: Tagged, pages: readonly string[] | null): keyof typeof to | null {
  if (pages === null || (content.kind === "picture" && tags.includes("photo")))
    return tags.includes("invoice") ? "invoice" : "photo";
  if (type === null) return null;
  return MONEY_TYPES.has(type) ? "invoice" : "longread";
}

function unclearResult({ file, question, tags, description, reasons }: Tagged): unknown {
  const { name, sha256 } = file;
  return { kind: "unclear", status: "for_a_person", name, sha256, question, tags, description, reasons };
}
