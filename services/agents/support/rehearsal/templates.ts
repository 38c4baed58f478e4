import { isRecord } from "#shared/json";
import type { StandIn } from "#shared/runtime";
import { callTools } from "#shared/runtime/tools";
import type { StandInTools } from "#shared/runtime/tools";
import replies from "./replies.json" with { type: "json" };
import type { PacketInput } from "../escalation/agent.ts";
import type { JointReplyInput } from "../joint-reply/contracts.ts";
import type { TicketInput } from "../operations/agent.ts";
import type { ReplyInput } from "../reply/answer.ts";

type Told = Pick<JointReplyInput["requests"][number], "outcome" | "facts"> & Pick<ReplyInput, "steps">;
interface Reader {
  readonly language: ReplyInput["language"];
  readonly preferences?: ReplyInput["preferences"] | undefined;
}

/** Writes an answer from set phrases, with every fact and step word for word. */
export const draftReply: StandIn = (input: ReplyInput) => letter([paragraph(input, input)], input);

/** Writes one answer for several requests from the same phrases. */
export const draftJointReply: StandIn = ({ requests, ...reader }: JointReplyInput) => {
  const shown = requests.filter(({ status }) => status !== "archived");
  const numbered = shown.map((one, index) => `${index + 1}) ${paragraph(one, reader)}`);
  return letter(numbered, reader);
};

/** Looks up the orders that are named, then writes the ticket from what the customer wrote. */
export const writeTicket: StandIn = (
  { kind, order_id, summary, text }: TicketInput,
  _random,
  _images,
  { offered, results }: StandInTools = { offered: [], results: [] },
) => {
  const named = [...new Set([...(order_id === null ? [] : [order_id]), ...ordersIn(text)])].slice(0, 5);
  if (offered.includes("look_up_order") && results.length === 0 && named.length > 0)
    return callTools(...named.map((id) => ({ tool: "look_up_order", arguments: { order_id: id } })));
  const states = results.map(({ outcome }, index) => {
    const found = isRecord(outcome) && isRecord(outcome["output"]) ? outcome["output"]["status"] : undefined;
    const state = typeof found === "string" ? found : "unknown to the shop for this customer";
    return `Order ${named[index]}: ${state}`;
  });
  const body = [summary, ...states, text].join("\n");
  return { title: `Customer's request: ${kind}`, body: body.slice(0, 2000), severity: "medium" };
};

/** Writes a hand-over from the customer's words and what the agents found. */
export const preparePacket: StandIn = ({ cause, findings, summary, text }: PacketInput) => ({
  headline: `${cause.replaceAll("_", " ")}: ${summary}`.slice(0, 120),
  what_happened: [summary, ...findings].join(" ").slice(0, 1000),
  what_is_wanted: (sentencesOf(text)[0] ?? summary).slice(0, 1000),
  suggested_next: "Read the customer's message and decide.",
  tone: /!{2,}|\b(?:unacceptable|ridiculous|furious)\b/i.test(text) ? "angry" : "calm",
});

const phrasesOf = ({ language }: Reader) => replies[language === "other" ? "en" : language];

function paragraph({ outcome, facts, steps }: Told, reader: Reader): string {
  const list = steps.map((step, index) => `${index + 1}. ${step}`);
  const known = facts.map(({ label, value }) => `${label}: ${value}`);
  return [phrasesOf(reader)[outcome ?? "with_a_person"], ...list, ...known].join("\n");
}

function letter(paragraphs: readonly string[], reader: Reader): object {
  const { subject, greeting, closing } = phrasesOf(reader);
  const whole = reader.preferences?.tone === "brief" ? paragraphs : [greeting, ...paragraphs, closing];
  return { subject, body: whole.join("\n\n").slice(0, 6000) };
}

const ORDER =
  /\border(?: (?:number|no\.?|is))*[\s:#]*([A-Z]{0,5}-?\d{3,12})\b|\b([A-Z]{1,5}-\d{3,12})\b|#(\d{4,12})\b/gi;

/** Returns the numbers that a text marks as orders, in plain English. */
export function ordersIn(text: string): string[] {
  return [...text.matchAll(ORDER)].flatMap((found) => found.slice(1).find((one) => one !== undefined) ?? []);
}

export function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?])\s+|\n+/).filter((one) => one.trim() !== "");
}
