import { anyOf, foldAccents, NO_LETTER_AFTER, wholeWords } from "../text/phrases.ts";

/** Returns a pattern of any of the phrases at the beginning of a line. */
function atStart(phrases: readonly string[]): RegExp {
  return new RegExp(`^(?:${foldAccents(phrases.join("|"))})${NO_LETTER_AFTER}`, "iu");
}

/** Words at the beginning of a letter's first lines. */
export const GREETING = atStart([
  "dear",
  "hi|hello|good (?:morning|day|evening)",
  "sehr geehrte[rsn]?|liebe[rs]?|guten tag|hallo",
  "madame|monsieur|chère?s?|bonjour",
  "estimad[oa]s?|querid[oa]s?|muy señor(?:es)?",
  "gentil[ei]|egregi[oa]|spett(?:abile|\\.le)|car[oaie]",
  "exm[oa]\\.?|prezad[oa]s?|caríssim[oa]",
  "geachte|beste",
  "szanown[iya][a-ząęó]*|drog[ia]",
  "hej|bästa|kära?",
  "αγαπητ\\p{L}+|αξιότιμ\\p{L}+",
  "拝啓|前略",
]);

/** Words at the beginning of a letter's last lines. */
export const CLOSING = atStart([
  "yours|(?:kind |best |warm )?regards|sincerely|cheers|(?:with )?love|best wishes",
  "mit (?:freundlichen|herzlich\\p{L}+|besten) gr(?:uß|üßen)|viele grüße|gruß|hochachtungsvoll",
  "cordialement|(?:veuillez|recevez|je vous prie).{0,60}salutations|bien à vous",
  "(?:muy )?atentamente|(?:un )?(?:cordial )?saludos?|un abrazo",
  "(?:distinti|cordiali) saluti|un abbraccio.{0,20}",
  "(?:com os )?(?:melhores )?cumprimentos|atenciosamente|um abraço",
  "(?:met )?(?:vriendelijke|hartelijke) groet(?:en)?|groet(?:en|jes)?",
  "z poważaniem|pozdrawiam|z wyrazami szacunku",
  "(?:med )?(?:vänlig(?:a)?|bästa) hälsning(?:ar)?|hälsningar",
  "με εκτίμηση|φιλικά",
  "敬具|草々",
]);

/** Phrases of a letter that asks for money: it may be an invoice in the form of a letter. */
export const DEMAND = anyOf([
  "you owe|owe me|please (?:pay|transfer|remit)|bank details|payable|pay to",
  "überweis\\p{L}*|zahlbar|zu zahlen",
  "virement|à régler|veuillez payer",
  "transferencia|a pagar|abonar",
  "bonifico|da pagare",
  "overmaken|te betalen|rekeningnummer",
  "przelew\\p{L}*|do zapłaty",
  "bankgiro|plusgiro|att betala",
  "καταθέσετε|πληρωτέο",
  "振込|お支払い",
  "IBAN",
]);

/** Phrases by which a reminder names an invoice that was sent before. */
export const UNPAID = anyOf([
  "remains? unpaid|still outstanding|is (?:now )?overdue|past due",
  "noch offen|zahlungserinnerung|in verzug|offene(?:r|n)? betrag",
  "impayée?s?|reste due",
  "pendiente de pago|impagad[oa]s?",
  "insolut[ao]|non risulta (?:ancora )?pervenuto",
  "por pagar|em atraso",
  "nog geen betaling|openstaande?",
  "nie otrzymaliśmy|zaległ\\p{L}+",
  "saknar betalning|obetald",
  "ανεξόφλητ\\p{L}+",
]);

/** Phrases at the foot of a newsletter. */
export const UNSUBSCRIBE = anyOf([
  "unsubscribe|abmelden|abbestellen|se désabonner|darse de baja|annulla l['’]iscrizione",
  "cancelar a (?:subscrição|inscrição)|uitschrijven|afmelden|wypisz się|avsluta prenumeration\\p{L}*|διαγραφή",
]);

/** Phrases of the parties to a contract. */
export const PARTIES = anyOf([
  "hereinafter|the parties agree|this agreement",
  "vertragsparteien|die parteien vereinbaren|nachfolgend",
  "ci-après|entre les soussignés",
  "en adelante|de una parte",
  "di seguito|tra le parti",
  "doravante|adiante designad\\p{L}+",
  "hierna te noemen|de partijen",
  "zwan[yaei]+ dalej|dalej:|zamawiając\\p{L}+",
  "nedan kallad|parterna",
  "εφεξής",
]);

/** The beginning of a subject line, after which a letter says what it is about. */
export const SUBJECT =
  /^(?:subject|re|objet|betreff|betrifft|betreft|oggetto|asunto|assunto|dotyczy|arende|θεμα|件名)\s*[:.]/iu;

/** Names of buyer and seller in front of them. */
export const PARTY_LABELS = anyOf([
  "bill(?:ed)? to|customer|client|buyer|consignee|seller|from|to|sold to|exporter",
  "kunde|rechnung an|rechnungsempfänger|auftraggeber|verkäufer|leistungsempfänger\\p{L}*",
  "facturé à|client|émetteur|destinataire",
  "cliente|cif|nif|a la atención de",
  "spett\\.le|p\\.? ?iva|cedente|cessionario",
  "emitente|destinatário|cnpj",
  "aan|van|opdrachtgever|klant|btw-nummer|kvk",
  "sprzedawca|nabywca|nip",
  "kund|säljare|momsreg\\.?nr|org\\.?nr",
  "πελάτης|αφμ",
  "御中|登録番号",
  "العميل",
]);

/** Names of what may be taken for an invoice where no heading says what a text is. */
export const INVOICE_WORDS = new RegExp(
  wholeWords([
    "invoice",
    "\\p{L}*rechnung",
    "facture",
    "factura",
    "fattura",
    "fatura",
    "factuur",
    "fakturan?",
    "τιμολόγιο",
    "請求書?",
    "فاتورة",
  ]),
  "iu",
);
