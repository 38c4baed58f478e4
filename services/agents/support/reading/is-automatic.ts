import { foldText } from "./fold-text.ts";

const SENDERS = /(?:^|<|\s)(?:mailer-daemon|postmaster)@/i;

/** Subjects of answers that programs write, folded. Only the beginning of a subject counts. */
const SUBJECTS = [
  "automatic reply|auto reply|autoreply|out of office|out of the office|undelivered mail|undeliverable",
  "delivery status notification|mail delivery failed|returned mail|failure notice|delivery failure",
  "abwesenheitsnotiz|automatische antwort|abwesend|abwesenheit|unzustellbar",
  "reponse automatique|absence du bureau|absent du bureau|message d absence",
  "respuesta automatica|fuera de la oficina|risposta automatica|fuori ufficio|assente",
  "autoodpowiedz|automatyczna odpowiedz|resposta automatica|automatisch antwoord|automatische reactie|afwezigheid",
];

/** Returns true for what a program answered: an absence notice, a bounce. Nobody reads an answer to it. */
export function isAutomatic({ from, subject }: { readonly from: string; readonly subject: string }): boolean {
  const folded = foldText(subject);
  const begins = SUBJECTS.flatMap((row) => row.split("|")).some((phrase) => folded.startsWith(` ${phrase}`));
  return SENDERS.test(from) || begins;
}
