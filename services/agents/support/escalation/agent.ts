import { z } from "zod";
import { agent, readPrompt } from "#shared/runtime";
import { contract } from "#shared/contract";
import type { ContractOutput } from "#shared/contract";
import { actOnce } from "../outside/ports.ts";
import type { Outside, TicketDraft } from "../outside/ports.ts";
import { EscalationRequest } from "../contracts.ts";
import { isOneOfSeveral, requestKey, ReplyPart } from "../joint-reply/contracts.ts";
import { standIns } from "../rehearsal/stand-ins.ts";

const note = z.string().min(1).max(1000).meta({ "x-surgeon-writes": true });

export const HandOverPacket = contract(
  "escalation.packet@1",
  z.object({
    headline: z.string().min(1).max(120).meta({ "x-surgeon-writes": true }),
    what_happened: note,
    what_is_wanted: note,
    suggested_next: note,
    tone: z.enum(["calm", "upset", "angry"]),
  }),
  { description: "A matter in short, for the person who takes it over." },
);

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "packet");

type Request = ContractOutput<typeof EscalationRequest>;
type Packet = ContractOutput<typeof HandOverPacket>;

/** Matters in which every hour counts. */
const CRITICAL: readonly Request["cause"][] = ["safety", "critical_incident"];

/** Prepares a matter for a person, puts it into the inbox once for each request, and ends the run. */
export function createEscalation(outside: Pick<Outside, "tickets">) {
  return agent("escalation@1", {
    accepts: EscalationRequest,
    guard: { mayCause: ["escalation"] },
    to: { "joint-reply": ReplyPart },
    description: "Prepares matters that only a person decides.",
    capabilities: ["escalation"],
    answers: [HandOverPacket],
    standIns: { packet: standIns.packet },
    handle: async (request, ctx) => {
      const { cause, findings, order_id = null, summary, text, customer_email, language, decided } = request;
      const packet = await ctx.model("packet", {
        instructions: INSTRUCTIONS,
        input: { cause, findings, order_id, summary, text },
        answers: HandOverPacket,
      });
      const draft = ticketOf(request, packet);
      const { ticket_id } = await actOnce(ctx, {
        key: requestKey("escalation", ctx.envelope),
        port: outside.tickets,
        draft,
      });
      const told = decided === undefined ? {} : { decided };
      if (isOneOfSeveral(ctx.envelope)) {
        const facts = [{ label: "ticket", value: ticket_id }];
        const part = { status: "escalated", cause, facts, ...told } as const;
        return ctx.handoff("joint-reply", part, { reason: `one of several requests: ${cause}` });
      }
      return ctx.complete({
        status: "escalated",
        cause,
        ticket_id,
        customer_email,
        language,
        packet,
        ...told,
      });
    },
  });
}

function ticketOf(request: Request, packet: Packet): TicketDraft {
  const body = [
    `Customer: ${request.customer_email} (${request.language})`,
    `What happened: ${packet.what_happened}`,
    `What is wanted: ${packet.what_is_wanted}`,
    `Suggested next: ${packet.suggested_next}`,
    `Tone: ${packet.tone}`,
    ...request.findings.map((finding) => `Found: ${finding}`),
  ].join("\n");
  const severity = CRITICAL.includes(request.cause) ? "critical" : "high";
  return { queue: "people", title: packet.headline, body, severity };
}
