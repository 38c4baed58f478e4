import { z } from "zod";

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

const SYNONYMS = {
  "x-synonyms": {
    translation: ["translate", "localisation"],
    tax: ["vat", "taxes"],
    picture: ["illustration", "cover", "drawing"],
    code: ["code_review", "programming"],
    voltage_regulator: ["buck_converter", "boost_converter", "regulator"],
    motor_drive: ["motor_driver", "h_bridge"],
  },
};

const workKind = z.enum(OTHER_WORK).meta(SYNONYMS);

/** The maximum length of the words that a part of a request is named by. */
export const WORDS_CHARACTERS_MAX = 300;

/** A part of a request that the team does not do, in the words of whoever asked. */
const notDonePart = z.object({
  kind: workKind,
  words: z.string().min(1).max(WORDS_CHARACTERS_MAX).meta({ "x-locked": true }),
});

export const notDoneList = z.array(notDonePart).max(20);

/** The kind of words that no circuit, no question and no known kind of work covers. */
const projectPart = notDonePart.extend({ kind: z.enum([...OTHER_WORK, "not_placed"]).meta(SYNONYMS) });

/** Parts of a project that are not done. The list is long enough for all the words of the longest brief. */
export const projectNotDoneList = z.array(projectPart).max(80);

export type NotDone = z.output<typeof notDonePart>;

export type ProjectNotDone = z.output<typeof projectPart>;

/** What a result offers where something was not done. */
const CAN_DO: readonly string[] = [
  "edit a story in prose, of up to 15,000 characters, with an analysis: send it with the kind `fiction`",
  "design these circuits for at most 60 V, with the kind `project`: an LED with its resistor, a voltage divider, an RC low-pass filter, the power budget of a battery",
];

/** Returns the members of a result that tell what was not done, and what the team can do where there is such. */
export function tellNotDone(notDone: readonly ProjectNotDone[]): {
  readonly not_done: readonly ProjectNotDone[];
  readonly can_do: readonly string[];
} {
  return { not_done: notDone, can_do: notDone.length === 0 ? [] : CAN_DO };
}
