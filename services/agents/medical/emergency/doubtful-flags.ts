import { BABY, CHEST, FEVER, words } from "./lay-words.ts";
import type { RedFlag } from "./red-flags.ts";

/** Perhaps: a person reads what was written before anything else happens. */
export const DOUBTFUL_FLAGS: readonly RedFlag[] = [
  {
    sign: "chest",
    all: [CHEST],
    unless: words(
      "when i, whenever i, if i run, on the stairs, uphill, upstairs, after eating, after meals, for years, for months, since months, two months, two years, a week, a month, every morning, every evening, now and then, sometimes, in the evening, at night, abends, nachts, manchmal, beim, wenn ich, nach dem essen, seit monaten, seit jahren, cuando, desde hace meses, desde hace anos, quand je, lorsque je, depuis des mois, depuis des annees, quando",
    ),
  },
  { sign: "baby_fever", all: [BABY, FEVER] },
  {
    sign: "at_an_end",
    all: [
      words(
        "can't go on, cannot go on, can't take it anymore, can't cope anymore, ich kann nicht mehr, no puedo mas, je n'en peux plus, non ce la faccio piu",
      ),
    ],
    isInability: true,
  },
];
