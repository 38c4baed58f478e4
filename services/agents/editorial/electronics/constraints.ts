import type { Design } from "../designs.ts";
import { readQuantities } from "../reading/read-quantities.ts";

/** Quantities that a constraint in words can limit. */
export interface Limit {
  readonly constraint: string;
  /** Of each resistor. */
  readonly wattsMax: number | null;
  /** Values of the only resistors there are; empty where any may be taken. */
  readonly ohms: readonly number[];
}

const RESISTOR = /resist|widerst|résist|weerstand/i;
const ONLY =
  /(?<!\p{L})(?:only|just|nothing but|nur|ausschließlich|sólo|solo|seulement|uniquement|alleen)(?!\p{L})/iu;
const FRACTION = /(?<!\d)(\d{1,2})\s*\/\s*(\d{1,2})\s*-?\s*W(?:att)?(?!\p{L})/iu;
const VULGAR: Readonly<Record<string, string>> = { "½": "1/2", "¼": "1/4", "⅛": "1/8" };

/** Returns what a constraint limits of resistors; null where no rule reads it. Pure. */
export function readLimit(constraint: string): Limit | null {
  const text = constraint.replaceAll(/[½¼⅛]/g, (sign) => VULGAR[sign] ?? sign);
  if (!RESISTOR.test(text)) return null;
  const [, over, under] = FRACTION.exec(text) ?? [];
  const read = readQuantities(text);
  const watts =
    over === undefined ? read.find(({ unit }) => unit === "W")?.value : Number(over) / Number(under);
  const ohms = ONLY.test(text) ? read.filter(({ unit }) => unit === "Ω").map(({ value }) => value) : [];
  const isLimit = watts !== undefined || ohms.length > 0;
  return isLimit ? { constraint, wattsMax: watts ?? null, ohms } : null;
}

/** Returns the constraint that a design breaks; null where it keeps all that are read. Pure. */
export function findBroken(design: Design, constraints: readonly string[]): string | null {
  const resistors = resistorsOf(design);
  const broken = constraints
    .flatMap((constraint) => readLimit(constraint) ?? [])
    .find(
      ({ wattsMax, ohms }) =>
        (wattsMax !== null && design.kind === "led" && design.dissipated_milliwatts > wattsMax * 1000) ||
        (ohms.length > 0 && resistors.some((value) => !ohms.includes(value))),
    );
  return broken?.constraint ?? null;
}

function resistorsOf(design: Design): number[] {
  if (design.kind === "divider") return [design.upper_ohms, design.lower_ohms];
  return design.kind === "power_budget" ? [] : [design.resistor_ohms];
}
