import { join } from "#shared/patterns";
import { readPrompt } from "#shared/runtime";
import type { ContractOutput } from "#shared/contract";
import { actOnce } from "../outside/ports.ts";
import type { Outside } from "../outside/ports.ts";
import { standIns } from "../rehearsal/stand-ins.ts";
import { DRAFT_TERMS, REPLY_TERMS, writeAnswer } from "../reply/agent.ts";
import { ReplyPart, ReplyPlan } from "./contracts.ts";

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "draft");

type Part = ContractOutput<typeof ReplyPart>;

/** Answers an e-mail's requests together once all are settled; one whose branch failed goes to a person. */
export function createJointReply(outside: Pick<Outside, "mail" | "tickets">) {
  return join("joint-reply@1", {
    accepts: ReplyPlan,
    collects: ReplyPart,
    description: "Answers several requests of one e-mail together and completes the run.",
    capabilities: ["replying"],
    ...REPLY_TERMS,
    needs: {
      draft: { fields: ["/language", "/requests"], ...DRAFT_TERMS },
      check: { fields: ["/subject", "/body"] },
    },
    standIns: { draft: standIns["joint-draft"], check: standIns.check },
    guard: { mayCause: ["mail", "escalation"] },
    handle: async (plan, branches, ctx) => {
      const settled = plan.requests.map((summary, index) => ({
        summary,
        part: branches.answers.find((answer) => answer.index === index)?.value,
      }));
      const failed = settled.flatMap(({ summary, part }) => (part === undefined ? [summary] : []));
      const ticket =
        failed.length === 0
          ? null
          : await actOnce(ctx, {
              key: `escalation:${ctx.envelope.meta.run_id}:unsettled`,
              port: outside.tickets,
              draft: {
                queue: "people",
                title: "Requests of an e-mail that nobody settled",
                body: [`Customer: ${plan.customer_email} (${plan.language})`, ...failed]
                  .join("\n")
                  .slice(0, 4000),
                severity: "high",
              },
            });
      const facts = ticket === null ? [] : [{ label: "ticket", value: ticket.ticket_id }];
      const unsettled: Part = { status: "escalated", cause: "unclear", facts, steps: [] };
      const parts = settled.map(({ summary, part }) => ({ summary, part: part ?? unsettled }));
      const { language = plan.language } = ctx.preferences;
      const settledParts = parts.map(({ part }) => part);
      const answer = await writeAnswer(ctx, {
        instructions: INSTRUCTIONS,
        input: { language, requests: parts.map(shownOf) },
        to: plan.customer_email,
        settled: settledParts,
        mail: outside.mail,
      });
      return ctx.complete({
        status: settledParts.every(({ status }) => status === "escalated") ? "escalated" : "answered",
        language,
        ...answer,
        // The decision beside its result.
        parts: settledParts.map(({ decided, steps: _steps, ...told }) => ({ ...decided, ...told })),
      });
    },
  });
}

function shownOf({ summary, part }: { readonly summary: string; readonly part: Part }) {
  const { status, outcome, facts, steps } = part;
  return { summary, status, ...(outcome === undefined ? {} : { outcome }), facts, steps };
}
