import { readSentences } from "../reading/paragraphs.ts";
import { readQuantities } from "../reading/read-quantities.ts";
import type { Quantity } from "../reading/read-quantities.ts";
import type { Requirement } from "../requirements.ts";
import { isSameQuantity, statedQuantities } from "./stated-quantities.ts";

/** Units that only a circuit has; others stand in any text, and are asked about where a circuit is planned. */
const ELECTRIC: ReadonlySet<Quantity["unit"]> = new Set(["V", "A", "Hz", "Ah", "W", "Ω", "F", "H"]);
const BATTERY = /batter|akku|bater[íi]|accu|\bpile\b/i;

/**
 * Returns the sentences of a brief with a quantity that no requirement has, so that a second current, another supply or
 * a circuit that a model left out becomes a question.
 *
 * @param excepted - Sentences that are told of elsewhere.
 */
export function findUnplaced(
  brief: string,
  requirements: readonly Requirement[],
  excepted: readonly string[],
): string[] {
  const placed = requirements.flatMap(statedQuantities);
  return readSentences(brief)
    .filter((sentence) => !excepted.some((words) => sentence.startsWith(words)))
    .filter((sentence) => {
      const read = readQuantities(sentence);
      const hasCapacity = read.some(({ unit }) => unit === "Ah");
      return read.some(
        (one) =>
          (ELECTRIC.has(one.unit) || placed.length > 0 || (one.unit === "h" && BATTERY.test(sentence))) &&
          // A cell's nominal voltage beside its capacity.
          !(hasCapacity && one.unit === "V") &&
          !placed.some((stated) => isSameQuantity(stated, one)),
      );
    });
}
