import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, readPrompt } from "#shared/runtime";
import { remark, TaggedDocument } from "../contracts.ts";
import { pictureOf } from "../library.ts";
import { standIns } from "../recordings.ts";

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "answer");

const PhotoAnswer = contract(
  "photo.answer@1",
  z.object({
    /** False: the picture does not show it. */
    is_shown: z.boolean(),
    answer: remark,
  }),
  { description: "An answer to a question about a picture, or that the picture does not show it." },
);

/** Gives a picture's description, and answers what is asked about it. */
export const photo = agent("photo@1", {
  accepts: TaggedDocument,
  description: "Describes pictures, and answers questions about them.",
  capabilities: ["vision"],
  answers: [PhotoAnswer],
  standIns: { answer: standIns.answer },
  needs: { answer: { fields: ["/question", "/description", "/sha256"] } },
  contextTokensMax: 8000,
  guard: {
    mayCause: [],
    untrusted: { payload: { "/question": "customer", "/description": "file" } },
    injection: { reaction: "flag" },
  },
  handle: async ({ file, question, content, tags, description, reasons }, ctx) => {
    if (content.kind !== "picture") return ctx.reject("photo takes pictures, not pages");
    const answer =
      question === null
        ? null
        : await ctx.model("answer", {
            instructions: INSTRUCTIONS,
            input: { question, description, sha256: file.sha256 },
            answers: PhotoAnswer,
            images: [pictureOf(ctx, file, content)],
          });
    return ctx.complete({
      kind: "picture",
      status: reasons.length === 0 ? "described" : "for_a_person",
      reasons,
      name: file.name,
      sha256: file.sha256,
      tags,
      description,
      width: content.width,
      height: content.height,
      answer,
    });
  },
});
