import type { Specialty } from "../contract-fields.ts";

/** One question of a specialist. */
export interface Item {
  readonly about: string;
  /** The answer is known where the summary matches. */
  readonly known: RegExp;
  /** The question is asked only where the summary matches. */
  readonly where: RegExp;
  readonly question: string;
}

const ALWAYS = /(?:)/;

/** The questions in the order in which they are asked. */
export const CHECKLISTS: Readonly<Record<Specialty, readonly Item[]>> = {
  cardiology: [
    {
      about: "relation to effort",
      known:
        /\b(?:when I (?:run|walk|climb)|stairs|uphill|exercise|exert\w*|running|walking|at rest|treppe|belastung|laufe)\b/i,
      where: /\b(?:chest|breath|brust|pressure|tight\w*|atem\w*)\b/i,
      question: "Does it come with effort, such as stairs or running, or also when you sit still?",
    },
    {
      about: "spreading of the pain",
      known: /\b(?:jaw|arm|neck|shoulder|back|kiefer|rücken|schulter)\b/i,
      where:
        /\b(?:chest|brust)\w*.{0,80}\b(?:pain|hurt\w*|pressure|tight\w*|ache\w*|schmerz\w*|druck)\b|\b(?:pain|pressure|tight\w*|schmerz\w*|druck)\b.{0,80}\b(?:chest|brust)/i,
      question:
        "When it comes, do you feel it anywhere else, such as in the jaw, the neck, the back or an arm?",
    },
    {
      about: "duration of an attack",
      known: /\b(?:\d+|a few|several|ten|five|some) (?:seconds?|minutes?|hours?|sekunden|minuten|stunden)\b/i,
      where: ALWAYS,
      question: "How long does it last each time, and what makes it go away?",
    },
    {
      about: "fainting",
      known: /\b(?:faint\w*|dizz\w*|black(?:ed)? out|ohnmacht|schwindel\w*)\b/i,
      where: /\b(?:palpitations?|racing|skips?|flutter\w*|pounding|herzrasen|herzklopfen)\b/i,
      question: "Have you felt faint or dizzy while your heart was beating like that?",
    },
  ],
  neurology: [
    {
      about: "side and place",
      known:
        /\b(?:left|right|both sides|one side|forehead|temple|back of (?:my|the) head|links?|rechts?|stirn|schläfe)\b/i,
      where: /\b(?:headaches?|migraines?|numb\w*|tingl\w*|kopfschmerz\w*|taub\w*|kribbel\w*)\b/i,
      question: "On which side and in which place exactly do you feel it?",
    },
    {
      about: "sight and speech before it",
      known: /\b(?:vision|zigzag|aura|flash\w*|blurr\w*|speech|words|sehstörung\w*|flimmern)\b/i,
      where: /\b(?:headaches?|migraines?|kopfschmerz\w*|migräne)\b/i,
      question: "Do you notice anything with your sight or your speech before it begins?",
    },
    {
      about: "frequency",
      known:
        /\b(?:every (?:day|week|month|morning)|daily|weekly|times? a (?:day|week|month)|(?:once|twice) a|täglich|jede woche|mal (?:pro|im|in der))\b/i,
      where: ALWAYS,
      question: "How often does it come, and has that changed in the last weeks?",
    },
  ],
};
