/** Words for units of time in English, German, Spanish, French, Italian and Dutch, by unit. */
const UNIT_WORDS = {
  second: "seconds?|secs?|sekunden?|sek|segundos?|secondes?|second[oi]|seconden",
  minute: "minutes?|mins?|minuten?|minutos?|minut[oi]|minuut",
  hour: "hours?|hrs?|stunden?|std|horas?|heures?|or[ae]|uur|uren",
  day: "days?|tag(?:en?)?|d[ií]as?|jours?|giorn[oi]|dag(?:en)?",
  week: "weeks?|wochen?|semanas?|semaines?|settiman[ae]|weken",
  month: "months?|monat(?:en?)?|mes(?:es)?|mois|mes[ei]|maand(?:en)?",
  year: "years?|yrs?|jahr(?:en?)?|años?|anos?|ans|années?|ann[oi]|jaar",
} as const;

export const TIME_UNITS = Object.values(UNIT_WORDS).join("|");

/** Numbers as words in the same languages, articles and halves too: "ten minutes", "media hora". */
const NUMBER_WORDS =
  "an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|half an|ein(?:e[mnr]?)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|fünfzehn|zwanzig|dreißig|vierzig|halben?|un[ao]?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|quince|veinte|treinta|media|une|deux|trois|quatre|cinq|sept|huit|neuf|dix|douze|quinze|vingt|trente|demi|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|dodici|quindici|venti|trenta|mezza|een|twee|drie|vijf|zes|zeven|negen|tien";

/** A duration told in words. `mezz'ora`, `demi-heure`, `Viertelstunde` are one word. */
export const WORDED_DURATION = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(?:${NUMBER_WORDS})[ -](?:${TIME_UNITS})|mezz['’]ora|(?:viertel|dreiviertel)stunde)(?![\\p{L}\\p{N}])`,
  "giu",
);

const DURATION = new RegExp(`^(\\d+(?:[.,]\\d+)?)\\s?(${TIME_UNITS})$`, "iu");

/** Returns a duration in digits as number and unit, the same in every language; null for anything else. */
export function canonicalDuration(text: string): string | null {
  const [, number, word = ""] = DURATION.exec(text) ?? [];
  if (number === undefined) return null;
  const unit = Object.entries(UNIT_WORDS).find(([, words]) => new RegExp(`^(?:${words})$`, "iu").test(word));
  return unit === undefined ? null : `${number.replace(",", ".")} ${unit[0]}`;
}
