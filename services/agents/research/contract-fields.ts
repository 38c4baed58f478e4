import { z } from "zod";
import { CLAIMS_MAX, FINDINGS_MAX, PASSAGES_MAX, QUESTIONS_MAX, STANCES_MAX } from "./limits.ts";

/** Words that a person or a model may write anew; a surgeon too. */
export const remark = z.string().min(1).max(1500).meta({ "x-surgeon-writes": true });

/** Words of a text, verbatim. Nobody but a person may change evidence. */
export const quote = z.string().min(1).max(500).meta({ "x-locked": true });

export const userText = z.string().min(1).max(4000).meta({ "x-locked": true });
export const documentText = z.string().min(1).max(15_000).meta({ "x-locked": true });
export const title = z.string().min(1).max(200);

/** Names a conversation of the client's; unique for its user. */
export const conversationId = z.string().min(1).max(200).meta({ "x-locked": true });

/** Which message of which conversation a run answers. */
export const conversationPlace = z.object({ conversation_id: conversationId, turn: z.int().positive() });

export type ConversationPlace = z.output<typeof conversationPlace>;

/** What was said before, the oldest first; as much as a prompt is shown. */
export const conversationContext = z
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

/** A statement of the user's document, with its own words. */
export const documentClaim = z.object({ claim: remark, quote });

export type DocumentClaim = z.output<typeof documentClaim>;

export const question = z.object({
  question_id: questionId,
  text: z.string().min(1).max(600),
  /** What is to be held against the sources; null for a plain question. */
  claim: documentClaim.nullable().default(null),
});
export const questions = z.array(question).min(1).max(QUESTIONS_MAX);

export type Question = z.output<typeof question>;

export const passage = z.object({
  passage_id: z.string().max(200),
  source_id: z.string().max(160),
  title,
  publisher: title,
  published: z.string().max(60),
  text: z.string().max(1500).meta({ "x-locked": true }),
});

export const passages = z.array(passage).max(PASSAGES_MAX);

const statement = z.string().min(1).max(700).meta({ "x-surgeon-writes": true });

/** A statement that answers a question, with the quote that it rests on. */
export const reading = z.object({ statement, quote, passage_id: z.string().max(200) });

export const readings = z.array(reading).max(FINDINGS_MAX);

/** A source that speaks for or against a claim, with the words by which it does. */
export const stance = z.object({
  stance: z.enum(["for", "against"]),
  quote,
  passage_id: z.string().max(200),
});

export type Stance = z.output<typeof stance>;

export const stances = z.array(stance).max(STANCES_MAX);

export const heldBack = z
  .array(z.object({ source_id: z.string().max(160), title, reasons: z.array(z.string().max(60)).max(20) }))
  .max(20);

/** A reading with all that a reader needs to find it again. */
export const finding = z.object({
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
export const heldClaim = z.object({
  question_id: questionId,
  ...documentClaim.shape,
  evidence: z
    .array(stance.pick({ stance: true }).extend({ finding_id: z.string().max(12) }))
    .max(2 * STANCES_MAX),
});

export type HeldClaim = z.output<typeof heldClaim>;

/** One sentence of a report, with the findings it rests on. */
export const claim = z.object({
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

/** What an editor wants changed, with the place it is about. */
export const objection = z.object({
  kind: z.enum(["unsupported_claim", "missing_question", "contradiction_not_mentioned"]),
  /** Of `claims`, from 0; null where no claim is at fault. */
  claim: z.int().nonnegative().nullable(),
  question_id: questionId.nullable(),
  finding_ids: z.array(z.string().max(12)).max(6),
  what: remark,
});

export type Objection = z.output<typeof objection>;

/** What is known of a document, beside its text. */
export const analysis = z.object({
  summary: remark,
  claims: z.array(documentClaim).max(CLAIMS_MAX),
  /** What is to be looked up beside the claims. */
  questions: z.array(z.string().min(1).max(600)).max(QUESTIONS_MAX),
  /** Further statements that could be checked and are not among the claims. */
  left_out: z.int().nonnegative().max(1000).default(0),
});
