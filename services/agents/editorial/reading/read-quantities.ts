/** A number with its unit, brought to a base: V, A, Hz, Ah, h, %, W, Ω. */
export interface Quantity {
  readonly unit: "V" | "A" | "Hz" | "Ah" | "h" | "%" | "W" | "Ω";
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
  kiloohm: ["Ω", 1e3],
  "%": ["%", 1],
  prozent: ["%", 1],
  percent: ["%", 1],
};

const NUMBER_AND_UNIT =
  /(?<![\p{L}\d.,/])((?:(?<=^|[\s(=:])[-−])?\d{1,7}(?:[.,]\d{1,6})?)\s*([\p{L}µμ%Ω]+)/gu;

/**
 * Every quantity of a text with a unit that is known, in the text's order. A comma is a decimal point, and a minus
 * stays.
 */
export function readQuantities(text: string): Quantity[] {
  return [...text.matchAll(NUMBER_AND_UNIT)].flatMap((match) => {
    const [, number = "", unit = ""] = match;
    const known = UNITS[unit.toLowerCase().replace("μ", "µ").replace("\u2126", "ω")];
    if (known === undefined) return [];
    const value = Number((Number(number.replace(",", ".").replace("−", "-")) * known[1]).toPrecision(9));
    return [{ unit: known[0], value }];
  });
}
