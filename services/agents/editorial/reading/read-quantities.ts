/** A number with its unit, brought to a base. */
export interface Quantity {
  readonly unit: "V" | "A" | "Hz" | "Ah" | "h" | "%" | "W" | "Ω" | "F" | "H" | "°C" | "m";
  readonly value: number;
}

const UNITS: Readonly<Record<string, readonly [Quantity["unit"], number]>> = {
  v: ["V", 1],
  volt: ["V", 1],
  volts: ["V", 1],
  mv: ["V", 1e-3],
  millivolts: ["V", 1e-3],
  kv: ["V", 1e3],
  a: ["A", 1],
  amp: ["A", 1],
  amps: ["A", 1],
  ampere: ["A", 1],
  amperes: ["A", 1],
  ma: ["A", 1e-3],
  milliamp: ["A", 1e-3],
  milliamps: ["A", 1e-3],
  milliampere: ["A", 1e-3],
  milliamperes: ["A", 1e-3],
  µa: ["A", 1e-6],
  ua: ["A", 1e-6],
  microamps: ["A", 1e-6],
  hz: ["Hz", 1],
  hertz: ["Hz", 1],
  khz: ["Hz", 1e3],
  mhz: ["Hz", 1e6],
  ah: ["Ah", 1],
  mah: ["Ah", 1e-3],
  h: ["h", 1],
  hour: ["h", 1],
  hours: ["h", 1],
  day: ["h", 24],
  days: ["h", 24],
  week: ["h", 168],
  weeks: ["h", 168],
  minutes: ["h", 1 / 60],
  std: ["h", 1],
  stunden: ["h", 1],
  horas: ["h", 1],
  heures: ["h", 1],
  ore: ["h", 1],
  uur: ["h", 1],
  tag: ["h", 24],
  tage: ["h", 24],
  tagen: ["h", 24],
  día: ["h", 24],
  días: ["h", 24],
  jour: ["h", 24],
  jours: ["h", 24],
  giorni: ["h", 24],
  dagen: ["h", 24],
  woche: ["h", 168],
  wochen: ["h", 168],
  semanas: ["h", 168],
  semaines: ["h", 168],
  settimane: ["h", 168],
  weken: ["h", 168],
  month: ["h", 730],
  months: ["h", 730],
  w: ["W", 1],
  watt: ["W", 1],
  watts: ["W", 1],
  mw: ["W", 1e-3],
  ω: ["Ω", 1],
  ohm: ["Ω", 1],
  ohms: ["Ω", 1],
  kω: ["Ω", 1e3],
  kohm: ["Ω", 1e3],
  kohms: ["Ω", 1e3],
  megaω: ["Ω", 1e6],
  megaohm: ["Ω", 1e6],
  megaohms: ["Ω", 1e6],
  kiloohm: ["Ω", 1e3],
  kiloohms: ["Ω", 1e3],
  r: ["Ω", 1],
  k: ["Ω", 1e3],
  f: ["F", 1],
  farad: ["F", 1],
  farads: ["F", 1],
  mf: ["F", 1e-3],
  µf: ["F", 1e-6],
  uf: ["F", 1e-6],
  microfarad: ["F", 1e-6],
  microfarads: ["F", 1e-6],
  nf: ["F", 1e-9],
  nanofarad: ["F", 1e-9],
  nanofarads: ["F", 1e-9],
  pf: ["F", 1e-12],
  picofarad: ["F", 1e-12],
  picofarads: ["F", 1e-12],
  mh: ["H", 1e-3],
  µh: ["H", 1e-6],
  uh: ["H", 1e-6],
  "°c": ["°C", 1],
  celsius: ["°C", 1],
  mm: ["m", 1e-3],
  cm: ["m", 1e-2],
  m: ["m", 1],
  metres: ["m", 1],
  meters: ["m", 1],
  "%": ["%", 1],
  prozent: ["%", 1],
  percent: ["%", 1],
};

const NUMBER_AND_UNIT =
  /(?<![\p{L}\d.,/])((?:(?<=^|[\s(=:])[-−])?\d{1,7}(?:[.,]\d{1,6})?)\s*([\p{L}µμ%Ω°]+)/gu;

/** A value with its prefix in the place of the point, as on a part: 4k7. */
const INFIX = /(?<![\p{L}\d.,])(\d{1,3})([kR])(\d{1,2})(?![\p{L}\d])/gu;
const NUMBERS: Readonly<Record<string, string>> = {
  two: "2",
  three: "3",
  five: "5",
  ten: "10",
  twelve: "12",
  twenty: "20",
  fifty: "50",
  hundred: "100",
};
const NUMBER_WORD =
  /(?<!\p{L})(?:(?:one|a) )?(two|three|five|ten|twelve|twenty|fifty|hundred)(?= (?:\p{L}+farads?|volts?|(?:milli)?amps?|(?:kilo)?ohms?|hertz|percent)(?!\p{L}))/giu;

/**
 * Every quantity of a text with a unit that is known, in the text's order. A comma is a decimal point, and a minus
 * stays.
 */
export function readQuantities(text: string): Quantity[] {
  const plain = text
    .replaceAll(INFIX, "$1.$3$2")
    .replaceAll(NUMBER_WORD, (_, word: string) => NUMBERS[word.toLowerCase()] ?? word)
    .replaceAll(/M(?=[Ω\u2126]|ohm)/g, "mega");
  return [...plain.matchAll(NUMBER_AND_UNIT)].flatMap((match) => {
    const [, number = "", unit = ""] = match;
    const known = UNITS[unit.toLowerCase().replace("μ", "µ").replace("\u2126", "ω")];
    if (known === undefined) return [];
    const value = Number((Number(number.replace(",", ".").replace("−", "-")) * known[1]).toPrecision(9));
    return [{ unit: known[0], value }];
  });
}
