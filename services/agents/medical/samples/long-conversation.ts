import type { Turn } from "../contracts.ts";

/** Facts of the long sample, each with the words that the packet has to hold. */
export const FACTS: readonly { readonly said: string; readonly words: readonly string[] }[] = [
  { said: "I am 45 years old and I work as a roofer.", words: ["45 years old", "roofer"] },
  {
    said: "My chest hurts when I run, since 3 March 2026.",
    words: ["chest hurts when I run", "3 March 2026"],
  },
  { said: "I smoke 20 cigarettes a day, since I was 19.", words: ["20 cigarettes"] },
  { said: "The pain goes away after 5 minutes when I sit down.", words: ["5 minutes"] },
  { said: "I take ramipril 5 mg every morning for my blood pressure.", words: ["ramipril 5 mg"] },
  { said: "I am allergic to penicillin.", words: ["penicillin"] },
  { said: "My blood pressure was 150/95 at the pharmacy on 12 March 2026.", words: ["150/95"] },
  { said: "The doctor told me in January that my cholesterol was 262 mg/dl.", words: ["262 mg/dl"] },
  {
    said: "I have a problem with stairs too, I get out of breath at the second floor.",
    words: ["second floor"],
  },
  { said: "My brother needed a stent when he was 52 years old.", words: ["stent", "52 years old"] },
];

/** Personal data of the long sample, which later prompts must not hold. */
export const PERSONAL: readonly { readonly said: string; readonly words: readonly string[] }[] = [
  { said: "My name is Piet Aldous, born on 4 May 1981.", words: ["Piet", "Aldous", "4 May 1981"] },
  { said: "You can reach me at piet.aldous@mail.example.", words: ["piet.aldous@mail.example"] },
  { said: "I live in Canal Street 12, behind the old mill.", words: ["Canal Street 12"] },
];

const PATIENT_CHATTER = [
  "Thanks a lot for taking the time, that is really lovely of you and I do appreciate it, honestly.",
  "How are you today? The weather over here is just wonderful and the garden looks better than it ever did before.",
  "Okay, great, one moment, I am just looking for my glasses, they were somewhere on the table next to the lamp.",
  "Sure, of course, I will make some coffee and sit down again in a little while.",
  "Good to hear from you again, it is always pleasant to talk to somebody who listens and does not hurry.",
  "Lovely, that reminds me of the film that everybody talks about, the one with the lighthouse and the two cats.",
  "Great, sorry for the noise, the people upstairs move their furniture about again, as they do on every Thursday evening.",
  "Nice of you to ask, the match was a good one, although the second half went on for ever and it rained.",
];

const ASSISTANT_CHATTER = [
  "Thank you, that is very kind of you to say, and please take all the time that you would like to have.",
  "Of course, no hurry at all, I am here and can wait while you look around for whatever it is.",
  "Great, it is good to hear that the garden does so well, and it sounds like a pleasant afternoon over there.",
  "Sure, please go on whenever you are ready, and tell it in whatever order it comes to your mind.",
  "Okay, thank you for telling me so openly, and please say so whenever something here is not clear to you.",
  "Lovely, I have not seen that film, but many people speak of it, and the cats seem to be rather good in it.",
];

const TURNS = 50;
const SENTENCES_PER_TURN = 27;
/** Turn of the first fact, and how many turns lie between two. */
const FIRST_FACT_AT = 2;
const FACT_EVERY = 4;

/** Fifty turns of about thirty thousand tokens, in which ten facts stand here and there among small talk. */
export function longConversation(): Turn[] {
  return Array.from({ length: TURNS }, (_, index): Turn => {
    const isPatient = index % 2 === 0;
    const pool = isPatient ? PATIENT_CHATTER : ASSISTANT_CHATTER;
    const sentences = Array.from(
      { length: SENTENCES_PER_TURN },
      (_unused, n) => pool[(index * 5 + n * 3) % pool.length] ?? "",
    );
    const fact =
      (index - FIRST_FACT_AT) % FACT_EVERY === 0 ? FACTS[(index - FIRST_FACT_AT) / FACT_EVERY] : undefined;
    const personal = index === 0 ? PERSONAL : [];
    if (fact !== undefined) sentences.splice(7 + (index % 9), 0, fact.said);
    sentences.splice(3, 0, ...personal.map(({ said }) => said));
    return { role: isPatient ? "patient" : "assistant", text: sentences.join(" ") };
  });
}
