import { z } from "zod";
import { checkDistinct, contract } from "#shared/contract";
import type { ContractOutput } from "#shared/contract";
import { agent, readPrompt } from "#shared/runtime";
import type { Context } from "#shared/runtime";
import {
  DOCUMENT_TYPES,
  isMoneyType,
  remark,
  ROUTING_TAGS,
  tag as tagForm,
  TAGGED_CHARACTERS_MAX,
  ReadDocument,
  TaggedDocument,
} from "../contracts.ts";
import type { DocumentType, Tag, Content, Reason } from "../contracts.ts";
import { askOnce, loadPages, pictureOf, textOf } from "../library.ts";
import { standIns } from "../recordings.ts";

const to = { invoice: TaggedDocument, photo: TaggedDocument, longread: TaggedDocument };

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "tag");
/** Part of the key under which descriptions are kept: another prompt describes anew. */
const EDITION = "3";
/** Enough for a delivery that waits while another describes the same file. */
const DELIVERIES_MAX = 12;

type Tagged = ContractOutput<typeof TaggedDocument>;

const VisionAnswer = contract(
  "vision.tags@2",
  z.object({ tags: z.array(tagForm).min(1).max(8), description: remark }),
  {
    description: "Tags of a picture or a text, one of which says its route, and a description.",
    check: ({ tags }) => [
      ...(ROUTING_TAGS.some((route) => tags.includes(route))
        ? []
        : [{ path: "/tags", code: "no_route", message: `one of them is ${ROUTING_TAGS.join(", ")}` }]),
      ...checkDistinct(tags, "/tags"),
    ],
  },
);

/** Tags and describes a file, once for each content, and routes it by its tags. */
export const vision = agent("vision@1", {
  accepts: ReadDocument,
  to,
  description: "Tags and describes files, each content once, and routes by tag.",
  capabilities: ["vision", "routing"],
  tier: "router",
  promptVersion: EDITION,
  deliveriesMax: DELIVERIES_MAX,
  answers: [VisionAnswer],
  standIns: { tag: standIns.tag },
  needs: { tag: { fields: ["/kind", "/sha256", "/text", "/pages", "/width", "/height"] } },
  contextTokensMax: 8000,
  guard: {
    mayCause: ["describe"],
    untrusted: { payload: { "/question": "customer" } },
    injection: { reaction: "flag" },
  },
  handle: async (document, ctx) => {
    const described = await describe(ctx, document);
    const { tags } = described;
    const type = typeOf(tags);
    const reasons = reasonsOf(tags, document.content);
    const tagged: Tagged = { ...document, ...described, type, reasons };
    const route = routeOf(tagged);
    if (route !== null) return ctx.handoff(route, tagged, { reason: tags.join(", ") });
    const { file, question } = document;
    const about = { name: file.name, sha256: file.sha256, question, ...described, reasons };
    return ctx.complete({ kind: "unclear", status: "for_a_person", ...about });
  },
});

/** Describes a file once for the same bytes, over all runs. */
function describe(
  ctx: Context<typeof to>,
  { file, content }: ContractOutput<typeof ReadDocument>,
): Promise<ContractOutput<typeof VisionAnswer>> {
  const ask = async (): Promise<ContractOutput<typeof VisionAnswer>> => {
    const isPicture = content.kind === "picture";
    const reference = textOf(content);
    const pages = reference === null ? null : await loadPages(ctx, reference);
    const input = {
      kind: content.kind,
      // Two pictures of the same size are not the same question.
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
      ...(isPicture ? { images: [pictureOf(ctx, file, content)] } : {}),
    });
  };
  return askOnce(ctx, { step: `describe:${EDITION}`, file, content }, ask);
}

/** Returns the kind that tags name; beside a credit note or a receipt they name an invoice. Null: it cannot be told. */
function typeOf(tags: readonly Tag[]): DocumentType | null {
  if (tags.includes("unclear")) return null;
  const named = DOCUMENT_TYPES.filter((type) => tags.some((tag) => tag === type));
  return named.find((type) => type !== "invoice") ?? named[0] ?? "other";
}

/** Returns the reasons for which a file goes to a person, whoever deals with it. */
function reasonsOf(tags: readonly Tag[], content: Content): Reason[] {
  if (textOf(content) !== null)
    return tags.includes("unclear")
      ? [{ code: "type_unclear", path: null, message: "What the text is cannot be told." }]
      : [];
  const { ocr } = content;
  const why =
    ocr !== null && ocr.languages.length === 0
      ? "no reader of pictures is installed"
      : `${ocr?.trusted ?? 0} of ${ocr?.words ?? 0} words could be read`;
  if (tags.includes("unclear"))
    return [{ code: "not_recognised", path: null, message: `Nothing tells what the picture shows; ${why}.` }];
  return tags.includes("scan") || tags.includes("invoice")
    ? [{ code: "text_unread", path: null, message: `The picture is of a text; ${why}.` }]
    : [];
}

/** Null: what it is cannot be told, and a person says. Among texts that are no invoices, length makes no difference. */
function routeOf({ type, tags, content }: Tagged): keyof typeof to | null {
  if (tags.includes("invoice")) return isMoneyType(type) ? "invoice" : null;
  const hasText = textOf(content) !== null;
  // A picture of the world with some words in it, such as a shop's name, is still a photo.
  if (content.kind === "picture" && (!hasText || tags.includes("photo"))) return "photo";
  return type === null ? null : isMoneyType(type) ? "invoice" : "longread";
}
