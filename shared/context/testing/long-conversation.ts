import type { HistoryMessage } from "#shared/envelope";

/** Facts of the conversation, each with words that must survive compression. */
export const FACTS: readonly { readonly said: string; readonly words: readonly string[] }[] = [
  { said: "My name is Maria Lindqvist and I live in Uppsala.", words: ["Maria Lindqvist"] },
  { said: "The order is AB-10023 and I placed it on 18 August 2026.", words: ["AB-10023", "18 August 2026"] },
  { said: "I paid 249.90 EUR by card.", words: ["249.90 EUR"] },
  { said: "The serial number of the machine is SN-77-4410-X.", words: ["SN-77-4410-X"] },
  { said: "Please write to maria.l@mail.example from now on.", words: ["maria.l@mail.example"] },
  { said: "It must be delivered before 2026-12-01 because we move then.", words: ["2026-12-01"] },
  { said: "I want a replacement and I refuse a voucher.", words: ["replacement", "voucher"] },
  { said: "My daughter is allergic to latex, so the seal must be silicone.", words: ["latex", "silicone"] },
  {
    said: "Your colleague Henrik Dahl confirmed ticket T-5561 on the phone.",
    words: ["Henrik Dahl", "T-5561"],
  },
  {
    said: "The tank holds 1.8 litres and it loses water since 03.11.2026.",
    words: ["1.8 litres", "03.11.2026"],
  },
];

const CHATTER = [
  "Thanks a lot for taking the time, that is lovely of you and I do appreciate it very much indeed, as always.",
  "How are you today? The weather over here is just wonderful and the garden looks better than it ever did before.",
  "Okay, great, one moment, I am just looking for my glasses, they were somewhere on the table next to the lamp.",
  "Sure, no problem at all, take your time, I will make some coffee and sit down again in a little while.",
  "Good to hear from you again, it is always pleasant to talk to somebody who listens and does not hurry.",
];

/** A conversation of fifty turns of about six hundred tokens, with the facts spread among small talk. */
export function longConversation(turns = 50, chatterPerTurn = 26): HistoryMessage[] {
  return Array.from({ length: turns }, (_, index) => {
    const chatter = Array.from(
      { length: chatterPerTurn },
      (_unused, n) => CHATTER[(index + n) % CHATTER.length] ?? "",
    );
    const every = Math.floor(turns / FACTS.length);
    const fact = index % every === 0 ? FACTS[index / every] : undefined;
    const said = fact === undefined ? chatter : [...chatter.slice(0, 9), fact.said, ...chatter.slice(9)];
    return { role: index % 2 === 0 ? "user" : "assistant", content: said.join(" ") };
  });
}

/** Answers a summary step as a good model does: with the facts told so far, and nothing else. */
export function summaryOfFacts(_step: string, input: unknown): { readonly summary: string } {
  const told = JSON.stringify(input);
  return {
    summary: FACTS.filter(({ said }) => told.includes(said))
      .map(({ said }) => said)
      .join(" "),
  };
}
