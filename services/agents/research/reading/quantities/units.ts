/** A unit of measure: what it measures, how much of that dimension's base unit it is, and how it is written. */
interface Unit {
  readonly dimension: string;
  readonly factor: number;
  readonly pattern: RegExp;
}

/** Dimension, factor to its base unit, spellings in English, German, French, Spanish, Italian and Dutch. */
const TABLE: readonly (readonly [string, number, string])[] = [
  ["mass", 1e-6, "micrograms?|mikrogramm|microgrammes?|microgramos?|µg|μg"],
  ["mass", 1e-3, "milligrams?|milligramm|milligrammes?|miligramos?|mg"],
  ["mass", 1e3, "kilograms?|kilogramm|kilogrammes?|kilogramos?|chilogramm[oi]|kilos?|kg"],
  ["mass", 1, "grams?|gramm|grammes?|gramos?|grammi|g"],
  ["mass", 1e6, "tonnes?|tonnen?|tons?|toneladas?|tonnellat[ae]|t"],
  ["mass", 453.59237, "lbs?|pounds? weight"],
  ["speed", 1, "kilomet(?:re|er)s? (?:an|per) hour|km/h|kilometer pro stunde|stundenkilometer|kph"],
  ["length", 1e-3, "millimet(?:re|er)s?|millim[eè]tres?|mil[ií]metros?|mm"],
  ["length", 1e-2, "centimet(?:re|er)s?|zentimeter|centim[eè]tres?|cent[ií]metros?|cm"],
  ["volume", 1e3, "cubic met(?:re|er)s?|kubikmetern?|m[eè]tres? cubes?|metros? c[uú]bicos?|m³|m3"],
  ["area", 1e6, "square kilomet(?:re|er)s?|quadratkilometern?|km²|km2"],
  ["area", 1, "square met(?:re|er)s?|quadratmetern?|m[eè]tres? carr[eé]s?|metros? cuadrados?|m²|m2"],
  ["area", 1e4, "hectares?|hektar|hect[aá]reas?|ettari|ha"],
  ["area", 4046.8564224, "acres?"],
  ["length", 1e3, "kilomet(?:re|er)s?|kilometern?|kilom[eè]tres?|kil[oó]metros?|chilometri|km"],
  ["length", 1, "met(?:re|er)s?|metern?|m[eè]tres?|metros?|metri|m"],
  ["length", 1609.344, "miles?|meilen?"],
  ["length", 0.3048, "feet|foot|ft"],
  ["length", 0.0254, "inch(?:es)?"],
  ["volume", 1e-3, "millilit(?:re|er)s?|ml"],
  ["volume", 1, "lit(?:re|er)s?|litern?|litros?|litri|l"],
  ["energy", 1e3, "kilowatt[ -]?hours?|kilowattstunden?|kilowattheures?|kilovatios? hora|kwh"],
  ["energy", 1e6, "megawatt[ -]?hours?|megawattstunden?|m[eé]gawattheures?|mwh"],
  ["energy", 1e9, "gigawatt[ -]?hours?|gigawattstunden?|gwh"],
  ["power", 1e3, "kilowatts?|kw"],
  ["power", 1e6, "megawatts?|m[eé]gawatts?|mw"],
  ["time", 1, "seconds?|sekunden?|secondes?|segundos?|secondi|seconden"],
  ["time", 60, "minutes?|minuten?|minutos?|minuti|min"],
  ["time", 3600, "hours?|stunden?|heures?|horas?|or[ae]|uur|uren"],
  ["time", 86_400, "days?|tagen?|tage|jours?|d[ií]as?|giorn[oi]|dagen"],
  ["time", 604_800, "weeks?|wochen?|semaines?|semanas?|settiman[ae]|weken"],
  ["time", 2_629_746, "months?|monaten?|mois|mes(?:es)?|mes[ei]|maanden"],
  ["time", 31_556_952, "years?|jahren?|jahre|ans?|ann[eé]es?|a[nñ]os?|ann[oi]|jaar|jaren"],
  ["share", 1, "per ?cent|percent|%|prozent|pour ?cent|por ciento|per cento|procent"],
  ["money:EUR", 1, "euros?|€|eur"],
  ["money:EUR", 0.01, "cents?|centimes?|c[eé]ntimos?"],
  ["money:USD", 1, "(?:us )?dollars?|d[oó]lares|usd|\\$"],
  ["money:GBP", 1, "pounds? sterling|gbp|£"],
  ["money:CHF", 1, "swiss francs?|schweizer franken|franken|chf"],
  ["money:JPY", 1, "yen|jpy|¥"],
  ["degrees", 1, "degrees?(?: celsius)?|grad(?: celsius)?|degr[eé]s?|grados?|gradi|°c|°"],
  ["sound", 1, "decibels?|dezibel|d[eé]cibels?|decibelios?|db"],
];

/** `a working day`, `pro Jahr`, `par an`: what a figure is counted by. */
const RATE =
  /^[\s\u00A0]*(?:an?|per|each|every|pro|je|par|por|al|all'|\/)[\s\u00A0]*(?:school |working )?(\p{L}+)/iu;
const RATES: readonly (readonly [RegExp, string])[] = [
  [/^(?:years?|jahr|ans?|ann[eé]e|año|anno|annum|jaar)$/i, "year"],
  [/^(?:months?|monat|mois|mes|mese|maand)$/i, "month"],
  [/^(?:weeks?|woche|semaine|semana|week)$/i, "week"],
  [/^(?:days?|tag|jour|d[ií]a|giorno|dag)$/i, "day"],
  [/^(?:hours?|stunde|heure|hora|ora|uur|h)$/i, "hour"],
  [/^(?:lit(?:re|er)s?|litro|l)$/i, "litre"],
];

const UNITS: readonly Unit[] = TABLE.map(([dimension, factor, spellings]) => ({
  dimension,
  factor,
  pattern: new RegExp(`^[\\s\\u00A0-]*(?:${spellings})(?![\\p{L}\\d])`, "iu"),
}));

const MONEY_BEFORE: readonly (readonly [RegExp, string])[] = [
  [/(?:€|\bEUR)[\s\u00A0]*$/, "money:EUR"],
  [/(?:\$|\bUSD)[\s\u00A0]*$/, "money:USD"],
  [/(?:£|\bGBP)[\s\u00A0]*$/, "money:GBP"],
  [/\bCHF[\s\u00A0]*$/, "money:CHF"],
];
const LONGEST_UNIT = 40;

export interface FoundUnit {
  readonly dimension: string;
  readonly factor: number;
  /** End of the unit in the text, from the start of the text. */
  readonly to: number;
}

/** Returns the unit of the number that stands there; null where it has none. */
export function findUnit(
  text: string,
  number: { readonly from: number; readonly to: number },
): FoundUnit | null {
  const after = text.slice(number.to, number.to + LONGEST_UNIT);
  for (const { dimension, factor, pattern } of UNITS) {
    const found = pattern.exec(after)?.[0];
    if (found !== undefined) return { dimension, factor, to: number.to + found.length };
  }
  const before = text.slice(Math.max(0, number.from - 6), number.from);
  const money = MONEY_BEFORE.find(([pattern]) => pattern.test(before));
  return money === undefined ? null : { dimension: money[1], factor: 1, to: number.to };
}

/** Returns what a figure that ends there is counted by, such as `year`; null where nothing is said. */
export function findRate(text: string, to: number): string | null {
  const word = RATE.exec(text.slice(to, to + LONGEST_UNIT))?.[1] ?? "";
  return RATES.find(([pattern]) => pattern.test(word))?.[1] ?? null;
}
