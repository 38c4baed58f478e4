import { z } from "zod";
import { checkDistinct, contract } from "#shared/contract";
import { checkCited, checkQuotes } from "./text.ts";

/** Questions that one investigation may have: the claims of a document, and some of its own. */
export const QUESTIONS_MAX = 10;
const CLAIMS_MAX = 8;
/** Passages that are read for one question, and findings that may come of them. */
export const PASSAGES_MAX = 8;
export const FINDINGS_MAX = 6;
const STANCES_MAX = 8;
/** Nominal budget of one prompt, in tokens. */
export const PROMPT_TOKENS_MAX = 40_000;

/** Words that a person or a model may write anew; a surgeon too. */
export const remark = z.string().min(1).max(1500).meta({ "x-surgeon-writes": true });

/** Words of a text, verbatim. Nobody but a person may change evidence. */
export const quote = z.string().min(1).max(500).meta({ "x-locked": true });

const userText = z.string().min(1).max(4000).meta({ "x-locked": true });
const documentText = z.string().min(1).max(15_000).meta({ "x-locked": true });
const title = z.string().min(1).max(200);

/** Names a conversation of the client's; unique for its user. */
const conversationId = z.string().min(1).max(200).meta({ "x-locked": true });

/** The conversation and the turn in it that a run answers. */
const conversationPlace = z.object({ conversation_id: conversationId, turn: z.int().positive() });

export type ConversationPlace = z.output<typeof conversationPlace>;

/** Earlier turns of the conversation, the oldest first; as many as a prompt is shown. */
const conversationContext = z
  .array(
    z.object({
      said: z.string().max(1000),
      answered_by: z.string().max(40),
      answer: z.string().max(1000),
      /** Questions that were looked up, complete in themselves; none for thanks, comments and small talk. */
      topics: z.array(z.string().max(600)).max(QUESTIONS_MAX).default([]),
    }),
  )
  .max(10);

export type ConversationContext = z.output<typeof conversationContext>;

const questionId = z.string().regex(/^q\d{1,2}$/);

const documentClaim = z.object({ claim: remark, quote });

export type DocumentClaim = z.output<typeof documentClaim>;

const question = z.object({
  question_id: questionId,
  text: z.string().min(1).max(600),
  /** A claim to compare with the sources. Null: a plain question. */
  claim: documentClaim.nullable().default(null),
});
const questions = z.array(question).min(1).max(QUESTIONS_MAX);

export type Question = z.output<typeof question>;

/** A paragraph of a source, or a part of a long one, with where it is from. */
export const passage = z.object({
  /** `<source_id>#<number>`, from 1. */
  passage_id: z.string().max(200),
  source_id: z.string().max(160),
  title,
  publisher: title,
  /** As written in the source, mostly a day. */
  published: z.string().max(60),
  text: z.string().max(1500).meta({ "x-locked": true }),
});

export type Passage = z.output<typeof passage>;
const passages = z.array(passage).max(PASSAGES_MAX);

const statement = z.string().min(1).max(700).meta({ "x-surgeon-writes": true });

/** A statement that answers a question, with the quote that it rests on. */
export const reading = z.object({ statement, quote, passage_id: z.string().max(200) });

export const readings = z.array(reading).max(FINDINGS_MAX);

/** A source that speaks for or against a claim, with the words by which it does. */
const stance = z.object({
  stance: z.enum(["for", "against"]),
  quote,
  passage_id: z.string().max(200),
});

export type Stance = z.output<typeof stance>;

export const stances = z.array(stance).max(STANCES_MAX);

/** Sources that were not read, as they look as if they gave orders to machines; why, as words of the guard's table. */
export const heldBack = z
  .array(z.object({ source_id: z.string().max(160), title, reasons: z.array(z.string().max(60)).max(20) }))
  .max(20);
export type HeldBack = z.output<typeof heldBack>[number];

/** A reading with all that a reader needs to find it again. */
const finding = z.object({
  finding_id: z.string().regex(/^q\d{1,2}f\d{1,2}$/),
  question_id: questionId,
  statement,
  quote,
  source_id: z.string().max(160),
  title,
  publisher: title,
  published: z.string().max(60),
});

export type Finding = z.output<typeof finding>;

/** A claim of the user's document with what the findings say to it. */
const heldClaim = z.object({
  question_id: questionId,
  ...documentClaim.shape,
  evidence: z
    .array(stance.pick({ stance: true }).extend({ finding_id: z.string().max(12) }))
    .max(2 * STANCES_MAX),
});

export type HeldClaim = z.output<typeof heldClaim>;

const claim = z.object({
  text: remark,
  question_id: questionId,
  finding_ids: z.array(z.string().max(12)).min(1).max(6),
});

export const draft = z.object({
  title,
  claims: z.array(claim).max(40),
  /** Questions that the findings do not answer. */
  unanswered: z.array(questionId).max(QUESTIONS_MAX),
  /** Questions to which the cited findings say different things. */
  disagreeing: z.array(questionId).max(QUESTIONS_MAX).default([]),
});

export type Draft = z.output<typeof draft>;

/** A change that an editor wants, with the place it is about. */
export const objection = z.object({
  kind: z.enum(["unsupported_claim", "missing_question", "contradiction_not_mentioned"]),
  /** Of `claims`, from 0; null where no claim is at fault. */
  claim: z.int().nonnegative().nullable(),
  question_id: questionId.nullable(),
  finding_ids: z.array(z.string().max(12)).max(6),
  what: remark,
});

export type Objection = z.output<typeof objection>;

/** Facts about a document, beside its text. */
export const analysis = z.object({
  summary: remark,
  claims: z.array(documentClaim).max(CLAIMS_MAX),
  /** Questions to look up beside the claims. */
  questions: z.array(z.string().min(1).max(600)).max(QUESTIONS_MAX),
  /** Further statements that could be checked and are not among the claims. */
  left_out: z.int().nonnegative().max(1000).default(0),
});

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
    check: ({ questions: asked }) =>
      checkDistinct(
        asked.map(({ question_id: id }) => id),
        "/questions",
      ),
  },
);

export const Topic = contract("research.topic@3", z.object({ question }), {
  description: "One question to be looked up.",
});

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
