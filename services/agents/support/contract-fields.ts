import { z } from "zod";
import { sensitive } from "#shared/contract";
import type { Issue } from "#shared/errors";

/** The languages the team writes in. `other` is read as well as can be and answered in English. */
export const LANGUAGES = ["en", "de", "fr", "es", "it", "pl", "pt", "nl", "other"] as const;

export type Language = (typeof LANGUAGES)[number];

export const language = z.enum(LANGUAGES).meta({
  "x-synonyms": {
    en: ["english", "eng", "en-gb", "en-us", "englisch", "anglais"],
    de: ["german", "deutsch", "de-de", "de-at", "de-ch", "ger"],
    fr: ["french", "francais", "fr-fr", "fre"],
    es: ["spanish", "espanol", "castellano", "es-es", "es-mx", "spa"],
    it: ["italian", "italiano", "it-it", "ita"],
    pl: ["polish", "polski", "pl-pl", "pol"],
    pt: ["portuguese", "portugues", "pt-pt", "pt-br", "por"],
    nl: ["dutch", "nederlands", "nl-nl", "nl-be"],
  },
  "x-aliases": ["lang", "locale", "customer_language"],
});

/** Currencies in which the shop takes and returns money. */
export const CURRENCIES = ["EUR", "USD", "GBP", "CHF", "PLN", "BRL", "SEK", "NOK", "DKK", "CZK"] as const;

export type Currency = (typeof CURRENCIES)[number];

export const currency = z.enum(CURRENCIES).meta({
  "x-locked": true,
  "x-synonyms": {
    EUR: ["€", "euro", "euros"],
    USD: ["$", "us$", "dollar", "dollars"],
    GBP: ["£", "pound", "pounds", "pound sterling"],
    PLN: ["zł", "zloty", "zlotych"],
    BRL: ["r$", "real", "reais"],
  },
});

/** An amount in units of its currency (not cents), with at most two decimals. */
export const money = z.strictObject({
  value: z
    .number()
    .positive()
    .max(1_000_000)
    .meta({ "x-locked": true, "x-aliases": ["amount", "sum"] }),
  currency,
});

export type Money = z.output<typeof money>;

/** An order's number as the shop prints it: letters, digits, hyphens, at least one digit; kept as written. */
export const orderId = z
  .string()
  .min(4)
  .max(40)
  .regex(/^[A-Za-z0-9][A-Za-z0-9-]*$/)
  .regex(/\d/)
  .meta({ "x-locked": true, "x-aliases": ["order", "order_number", "order_no"] });

/** Binary content by reference; the bytes themselves never travel in a message. */
export const fileReference = z.object({
  name: sensitive(z.string().min(1).max(255)),
  uri: z.string().min(1).max(2048),
  mime_type: z.string().min(3).max(127),
  bytes: z.int().nonnegative().meta({ "x-unit": "byte" }),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  summary: z.string().max(2000).meta({ "x-surgeon-writes": true }).optional(),
});

export const customerEmail = sensitive(
  z
    .email()
    .max(254)
    .meta({ "x-locked": true, "x-aliases": ["email", "customer_mail", "mail"] }),
);

/** `Message-ID` as RFC 5322 writes it, in angle brackets. */
export const messageId = z
  .string()
  .max(998)
  .regex(/^<[^<>\s]+>$/);

/** Tone in which the customer wants to be addressed. */
export const tone = z.enum(["friendly", "formal", "brief"]);

/** One sentence on what the customer wants, for the next agent. */
export const summary = z.string().min(1).max(1000).meta({ "x-surgeon-writes": true });

/** The longest e-mail that is taken, its subject apart. */
export const EMAIL_CHARACTERS_MAX = 60_000;

/** The longest subject. */
export const SUBJECT_CHARACTERS_MAX = 998;

/** Fields of every request about its customer. `text` holds subject and own words, without quoted history. */
export const fromCustomer = {
  customer_email: customerEmail,
  language: language.default("en"),
  summary,
  text: z
    .string()
    .max(EMAIL_CHARACTERS_MAX + SUBJECT_CHARACTERS_MAX + 2)
    .default(""),
};

export type Customer = z.output<z.ZodObject<typeof fromCustomer>>;

/** Returns what a request carries about its customer. */
export function customerOf({ customer_email, language: written, summary: wish, text }: Customer): Customer {
  return { customer_email, language: written, summary: wish, text };
}

/** Returns an issue for an amount with more than two decimals. */
export function checkMoney(amount: Money | null, path: string): Issue[] {
  if (amount === null || Number.isInteger(Number((amount.value * 100).toFixed(6)))) return [];
  return [
    { path: `${path}/value`, code: "too_many_decimals", message: "an amount has at most two decimals" },
  ];
}
