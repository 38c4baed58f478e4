import { z } from "zod";
import { contract } from "#shared/contract";
import {
  analysis,
  conversationContext,
  conversationId,
  conversationPlace,
  documentText,
  finding,
  heldClaim,
  heldBack,
  passages,
  question,
  questions,
  readings,
  remark,
  stances,
  title,
  userText,
} from "./contract-fields.ts";
import { checkCited, checkQuotes } from "./check-quotes.ts";
import { CLAIMS_MAX, FINDINGS_MAX, QUESTIONS_MAX } from "./limits.ts";

/** What a client submits: the next message of a conversation, or a document to be looked into. */
export const Message = contract(
  "research.message@1",
  z.object({
    /** Null begins a conversation: its id is the run's, and the result names it. */
    conversation_id: conversationId.nullable().default(null),
    /** The run of the message before, where the client wants to be sure that this one comes after it. */
    after: z.uuid().nullable().default(null),
    ask: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("message"), text: userText }),
      z.object({
        kind: z.literal("document"),
        title,
        text: documentText,
        wish: z.string().max(1000).default(""),
      }),
    ]),
  }),
  { description: "The next message of a conversation, or a document that is to be looked into." },
);

export const ChatTurn = contract(
  "research.chat-turn@2",
  z.object({ conversation: conversationPlace, text: userText, context: conversationContext }),
  { description: "A message with what was said before." },
);

export const ReferenceDocument = contract(
  "research.reference-document@1",
  z.object({ conversation: conversationPlace, title, text: documentText, wish: z.string().max(1000) }),
  { description: "A document of the user's, and what is to be found out about it." },
);

/** What is asked of research: a lookup by chat, a document by reference, or the next message of its conversation. */
export const ResearchRequest = contract(
  "research.request@2",
  z.object({
    conversation: conversationPlace,
    question: userText,
    context: conversationContext,
    reference: z.object({ document: z.object({ title, text: documentText }), analysis }).nullable(),
  }),
  {
    description: "A question to research, with the conversation or the document that it comes from.",
    check: ({ reference }) =>
      reference === null
        ? []
        : checkQuotes(reference.analysis.claims, () => reference.document.text, "/reference/analysis/claims"),
  },
);

/** What the supervisor is to have found out. */
export const Commission = contract(
  "research.commission@2",
  z.object({
    conversation: conversationPlace,
    goal: remark,
    questions,
    reference: z
      .object({
        title,
        summary: remark,
        /** Statements of the document that are not among the claims. */
        unchecked: z.int().nonnegative().default(0),
      })
      .nullable(),
  }),
  {
    description: "A goal with the questions that have to be answered for it.",
    check: ({ questions: asked }) => {
      const ids = asked.map(({ question_id: id }) => id);
      return new Set(ids).size < ids.length
        ? [{ path: "/questions", code: "named_twice", message: "each question has an id of its own" }]
        : [];
    },
  },
);

export const Topic = contract("research.topic@3", z.object({ question }), {
  description: "One question to be looked up.",
});

/** What a researcher brings back. A quotation that is not in its passage makes it a content error. */
export const Found = contract(
  "research.found@3",
  z.object({
    question,
    passages,
    readings,
    stances: stances.default([]),
    held_back: heldBack,
  }),
  {
    description: "What was found for one question, each reading with the words of its source.",
    check: ({ passages: read, readings: said, stances: taken }) => [
      ...checkCited(said, read, "/readings"),
      ...checkCited(taken, read, "/stances"),
    ],
  },
);

/** What a report is written from. */
export const Brief = contract(
  "research.brief@3",
  z.object({
    conversation: conversationPlace,
    goal: remark,
    questions,
    findings: z.array(finding).max(QUESTIONS_MAX * FINDINGS_MAX * 2),
    /** Claims of the user's document, with what was found for and against each. */
    claims: z.array(heldClaim).max(CLAIMS_MAX).default([]),
    /** Statements of the document that were not held against the sources. */
    unchecked: z.int().nonnegative().default(0),
    held_back: heldBack,
    /** Questions whose researcher did not come back. */
    failed: z.array(z.string().max(8)).max(20),
  }),
  { description: "Goal, questions and findings, for the writer and the editor." },
);
