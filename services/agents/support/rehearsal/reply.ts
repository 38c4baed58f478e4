import type { StandIn } from "#shared/runtime";
import type { ReplyInput } from "../reply/answer.ts";
import replies from "./replies.json" with { type: "json" };

/** Writes the answer in the given language and as briefly as asked, with every fact and step word for word. */
export const draftReply: StandIn = (input: ReplyInput) => {
  const phrases = replies[input.language === "other" ? "en" : input.language];
  const facts = input.facts.map(({ label, value }) => `${label}: ${value}`);
  const steps = input.steps.map((step, index) => `${index + 1}. ${step}`);
  const isBrief = input.preferences?.tone === "brief";
  const parts = [
    isBrief ? "" : phrases.greeting,
    phrases[input.outcome],
    steps.join("\n"),
    facts.join("\n"),
    isBrief ? "" : phrases.closing,
  ];
  const [reference] = input.facts;
  return {
    subject:
      reference === undefined ? phrases.subject : `${phrases.subject} (${reference.value})`.slice(0, 200),
    body: parts
      .filter((part) => part !== "")
      .join("\n\n")
      .slice(0, 6000),
  };
};
