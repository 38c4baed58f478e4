import { z } from "zod";
import { flatten } from "#shared/contract";

/** Returns the remarks whose words stand in a text, folded, each with the paragraph that holds them. */
export function keepQuoted<Remark extends { readonly quote: string; readonly paragraph: number }>(
  remarks: readonly Remark[],
  text: string,
): { readonly kept: Remark[]; readonly unsupported: number } {
  const paragraphs = text.split(/\n\s*\n/).flatMap((part) => (part.trim() === "" ? [] : [flatten(part)]));
  const kept = remarks.flatMap((remark) => {
    const wanted = flatten(remark.quote);
    const isWhereItSays = paragraphs[remark.paragraph - 1]?.includes(wanted) === true;
    const paragraph = isWhereItSays
      ? remark.paragraph
      : paragraphs.findIndex((one) => one.includes(wanted)) + 1;
    return paragraph === 0 ? [] : [{ ...remark, paragraph }];
  });
  return { kept, unsupported: remarks.length - kept.length };
}

/** Returns true where some words stand in a text, blanks and the forms of Unicode apart. */
export function holdsWords(text: string, words: string): boolean {
  return words.trim() !== "" && flatten(text).includes(flatten(words));
}

/** Work that people ask for here and that the team does not do, by the name that a result has for it. */
export const OTHER_WORK = [
  "translation",
  "tax",
  "legal",
  "medical",
  "recipe",
  "code",
  "writing",
  "picture",
  "poem",
  "letter",
  "minutes",
  "story",
  "electronics",
  "motor_drive",
  "amplifier",
  "voltage_regulator",
  "timer",
  "board_layout",
  "firmware",
  "mains",
  "charger",
  "high_pass_filter",
  "radio",
  "orders_to_a_machine",
  "other",
] as const;

/** Parts of a request that the team does not do, in the words of whoever asked. */
export const notDoneList = z
  .array(
    z.object({
      kind: z.enum(OTHER_WORK),
      words: z.string().min(1).max(300).meta({ "x-locked": true }),
    }),
  )
  .max(20);

type NotDone = z.output<typeof notDoneList>;

/** Offers that a result makes where something was not done. */
const CAN_DO: readonly string[] = [
  "edit a story in prose, of up to 15,000 characters, with an analysis: send it with the kind `fiction`",
  "design these circuits for at most 60 V, with the kind `project`: an LED with its resistor, a voltage divider, an RC low-pass filter, the power budget of a battery",
];

/** Returns the members of a result that tell what was not done, and what the team can do where there is such. */
export function tellNotDone(notDone: NotDone): {
  readonly not_done: NotDone;
  readonly can_do: readonly string[];
} {
  return { not_done: notDone, can_do: notDone.length === 0 ? [] : CAN_DO };
}

/** Returns an issue for each part whose words do not stand in the text that asks for it. */
export function checkNotDone(notDone: NotDone, text: string) {
  const invented = { code: "invented_words", message: "these words do not stand in the text" };
  return notDone.flatMap(({ words }, index) =>
    holdsWords(text, words) ? [] : [{ path: `/not_done/${index}/words`, ...invented }],
  );
}
