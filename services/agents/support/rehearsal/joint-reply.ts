import type { StandIn } from "#shared/runtime";
import type { JointReplyInput } from "../joint-reply/answer.ts";
import replies from "./replies.json" with { type: "json" };

/** Writes one answer for several requests in the customer's language, with every fact and step word for word. */
export const draftJointReply: StandIn = ({ language, requests, preferences }: JointReplyInput) => {
  const phrases = replies[language === "other" ? "en" : language];
  const shown = requests.filter(({ status }) => status !== "archived");
  const paragraphs = shown.map(({ outcome, facts, steps }, index) => {
    const said = phrases[outcome ?? "with_a_person"];
    const list = steps.map((step, at) => `${at + 1}. ${step}`);
    const known = facts.map(({ label, value }) => `${label}: ${value}`);
    return [`${index + 1}) ${said}`, ...list, ...known].join("\n");
  });
  return {
    subject: phrases.subject,
    body: (preferences?.tone === "brief" ? paragraphs : [phrases.greeting, ...paragraphs, phrases.closing])
      .join("\n\n")
      .slice(0, 6000),
  };
};
