import { boolean, choice, integer, list, map, nullable, number, object, text } from "../contract.ts";
import type { CorpusContract } from "../contract.ts";
import * as natural from "../natural.ts";
import { CITIES, COMPANIES, PEOPLE, TOPICS } from "../words.ts";

const PRIORITIES = ["low", "normal", "high", "urgent"] as const;

const ticket: CorpusContract = {
  name: "support-ticket",
  part: object(
    {
      ticket_id: text("As in the subject line, with leading zeros", {}, { aliases: ["case number"] }),
      subject: text("One line"),
      priority: choice(PRIORITIES, "How soon an answer is due. P1 and critical mean urgent; P4 means low.", {
        synonyms: { urgent: ["P1", "critical"], low: ["P4"] },
      }),
      team: choice(["billing", "technical", "sales"], "Who should answer"),
      customer_email: text("", { format: "email" }),
      order_count: integer("Number of orders concerned", { minimum: 0 }, { units: ["orders"] }),
      needs_refund: boolean("Whether money has to be paid back"),
      satisfaction: nullable(
        integer(
          "Rating from 1 (bad) to 5 (good) stars",
          { minimum: 1, maximum: 5 },
          { outOf: 5, units: ["stars"] },
        ),
      ),
      message: text("What the customer wrote"),
    },
    { optional: ["message"] },
  ),
  make: (draw) => ({
    ticket_id: natural.numericId(draw, 6),
    subject: natural.sentence(draw),
    priority: draw.pick(PRIORITIES),
    team: draw.pick(["billing", "technical", "sales"]),
    customer_email: natural.email(draw),
    order_count: natural.between(draw, 0, 20),
    needs_refund: natural.chance(draw, 0.5),
    satisfaction: natural.chance(draw, 0.7) ? natural.between(draw, 1, 5) : null,
    ...natural.maybe(draw, "message", () => natural.prose(draw)),
  }),
};

const survey: CorpusContract = {
  name: "survey-answer",
  part: object(
    {
      respondent: text("Pseudonym"),
      overall: integer("Rating from 1 to 10, 10 being best", { minimum: 1, maximum: 10 }, { outOf: 10 }),
      ease_of_use: integer(
        "Rating from 1 to 5 stars",
        { minimum: 1, maximum: 5 },
        { outOf: 5, units: ["stars"] },
      ),
      likelihood: number(
        "Likelihood to buy again, in percent (0 to 100)",
        { minimum: 0, maximum: 100 },
        { percent: "points" },
      ),
      share_online: number(
        "Share of purchases made online, between 0 and 1",
        { minimum: 0, maximum: 1 },
        { percent: "share" },
      ),
      age_group: choice(["under_18", "18_to_34", "35_to_64", "65_plus"]),
      would_recommend: boolean(),
      best_features: list(text(), "Named by the respondent"),
      remarks: nullable(text()),
    },
    {},
  ),
  make: (draw) => ({
    respondent: natural.code(draw, "R", 3),
    overall: natural.between(draw, 1, 10),
    ease_of_use: natural.between(draw, 1, 5),
    likelihood: draw.pick([0, 10, 35, 62.5, 100]),
    share_online: draw.pick([0.05, 0.25, 0.5, 0.75]),
    age_group: draw.pick(["under_18", "18_to_34", "35_to_64", "65_plus"]),
    would_recommend: natural.chance(draw, 0.5),
    best_features: natural.some(draw, TOPICS, 0, 3),
    remarks: natural.chance(draw, 0.6) ? natural.prose(draw) : null,
  }),
};

const people: CorpusContract = {
  name: "extracted-people",
  part: object({
    people: list(
      object({
        name: text("As written in the text"),
        role: nullable(text("Position or title")),
        organization: nullable(text("Employer")),
        mentions: integer("Number of mentions", { minimum: 1 }, { units: ["mentions"] }),
      }),
      "Every person named in the text",
    ),
    language: choice(["en", "de", "fr", "ja", "uk", "ar"]),
  }),
  make: (draw) => ({
    people: natural.some(draw, PEOPLE, 1, 3).map((name) => ({
      name,
      role: natural.chance(draw, 0.6) ? draw.pick(["CEO", "Head of R&D", "mayor, acting"]) : null,
      organization: natural.chance(draw, 0.6) ? draw.pick(COMPANIES) : null,
      mentions: natural.between(draw, 1, 9),
    })),
    language: draw.pick(["en", "de", "fr", "ja", "uk", "ar"]),
  }),
};

const TRANSLATIONS = {
  de: ["Guten Tag!", "Klicken Sie auf „Weiter“.", "Größe: 3,5 cm"],
  ja: ["こんにちは。", "「次へ」を押してください", "サイズ：3.5cm"],
  ar: ["مرحبا بك", 'اضغط على "التالي"'],
  fr: ["Bonjour !", "Cliquez sur « Suivant »", "L'objet : n° 3"],
  uk: ["Добрий день!", "Натисніть «Далі»"],
} as const;

const translation: CorpusContract = {
  name: "translation",
  part: object({
    source_text: text("The text to translate"),
    source_language: text("BCP 47 tag", { pattern: "^[a-z]{2}(-[A-Z]{2})?$" }),
    translations: map(text(), "Translated text by language tag"),
    confidence: number("Between 0 and 1", { minimum: 0, maximum: 1 }, { percent: "share" }),
  }),
  make: (draw) => ({
    source_text: natural.sentence(draw),
    source_language: draw.pick(["en", "en-GB"]),
    translations: Object.fromEntries(
      natural
        .some(draw, ["de", "ja", "ar", "fr", "uk"] as const, 1, 3)
        .map((tag) => [tag, draw.pick(TRANSLATIONS[tag])]),
    ),
    confidence: natural.decimal(draw, 0.3, 0.99, 2),
  }),
};

const card: CorpusContract = {
  name: "contact-card",
  part: object(
    {
      full_name: text(),
      phone: text("International form, with the plus sign"),
      email: text("", { format: "email" }),
      company: text(),
      city: text(),
      website: text("", { format: "uri" }),
      employee_number: text("Digits, with leading zeros"),
      is_customer: boolean(),
    },
    { isOpen: true, optional: ["website", "company"] },
  ),
  make: (draw) => ({
    full_name: natural.person(draw),
    phone: natural.phone(draw),
    email: natural.email(draw),
    ...natural.maybe(draw, "company", () => draw.pick(COMPANIES)),
    city: draw.pick(CITIES),
    ...natural.maybe(draw, "website", () => natural.url(draw)),
    employee_number: natural.numericId(draw, 6),
    is_customer: natural.chance(draw, 0.5),
  }),
};

const mail: CorpusContract = {
  name: "send-email",
  part: object(
    {
      to: list(text("", { format: "email" }), "Recipients", { minItems: 1 }),
      cc: list(text("", { format: "email" }), "In copy"),
      subject: text(),
      body: text("Plain text, several lines"),
      importance: choice(["low", "normal", "high"]),
      attachments: list(
        object({ filename: text(), size_bytes: integer("", { minimum: 0 }, { units: ["bytes"] }) }),
      ),
    },
    { optional: ["cc", "attachments"], description: "Arguments of the tool send_email" },
  ),
  make: (draw) => ({
    to: natural.some(draw, ["ann.lee@example.com", "kim_99@example.kr", "ops@example.org"], 1, 2),
    ...natural.maybe(draw, "cc", () => [natural.email(draw)]),
    subject: natural.sentence(draw),
    body: natural.prose(draw),
    importance: draw.pick(["low", "normal", "high"]),
    ...natural.maybe(draw, "attachments", () => [
      { filename: "report (final).pdf", size_bytes: natural.between(draw, 100, 9_000_000) },
    ]),
  }),
};

export const LANGUAGE = [ticket, survey, people, translation, card, mail];
