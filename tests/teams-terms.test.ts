import { expect, test } from "vitest";
import { team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";
import { createJointReply } from "../services/agents/support/joint-reply/agent.ts";
import { createOutside, sandboxAddresses } from "../services/agents/support/outside/ports.ts";
import { createReply } from "../services/agents/support/reply/agent.ts";
import { createResearchTeam } from "../services/agents/research/team.ts";
import { sampleLibrary, sampleOf } from "../services/agents/research/testing/open-team.ts";
import { openModelSystem } from "./support/open-model-system.ts";
import { operateOn } from "./support/operate-on.ts";
import { openRehearsal } from "./support/rehearsal-model.ts";

/** Teams that use the user's preferences and the task's constraints. */

interface Reply {
  readonly language: string;
  readonly body: string;
}

const NOTED = {
  outcome: "idea_noted",
  customer_email: "mia@mail.example",
  language: "en",
  summary: "Wants a dark mode.",
  facts: [{ label: "idea", value: "T-77" }],
};

async function openSupport() {
  // The agents that write the final text alone; nothing of the outside is called.
  const outside = createOutside({ addresses: sandboxAddresses(() => "http://127.0.0.1:1") });
  const replying = team("replying", [createReply(outside), createJointReply(outside)]);
  const system = createTestSystem(replying);
  await system.start({ model: (await openRehearsal(replying)).model, lockMs: 5000 });
  const write = async (draft: Parameters<typeof system.submit>[1]): Promise<Reply> => {
    const { runId } = await system.submit(NOTED, draft);
    // The reply of the support team.
    return (await system.until(runId, ["completed"])).result as Reply;
  };
  return { system, write };
}

test("support answers in the language and the tone that the customer prefers, else in that of the e-mail", async () => {
  const { write } = await openSupport();
  const plain = await write({});
  expect(plain).toMatchObject({ language: "en", body: expect.stringContaining("Hello") });
  const preferred = await write({ user: { preferences: { language: "de", tone: "brief" } } });
  expect(preferred).toMatchObject({ language: "de", body: expect.stringContaining("vielen Dank") });
  expect(preferred.body).not.toContain("Guten Tag");
});

test("support sends no answer that is longer than its task allows", async () => {
  const { system } = await openSupport();
  operateOn(system);
  const { runId } = await system.submit(NOTED, { task: { constraints: ["max_words=3"] } });
  expect((await system.until(runId, ["quarantined"])).status).toBe("quarantined");
});

test("research keeps a report within the words that its task allows, and says what it left out", async () => {
  const { system, endpoint } = await openModelSystem(createResearchTeam({ library: sampleLibrary() }));
  const { text } = sampleOf("heating-report");
  endpoint.behave = ({ schemaName, body }) => {
    const asked = body.messages.find(({ role }) => role === "user")?.content ?? "";
    if (schemaName !== "writer_draft_1" || !asked.includes('"max_words"')) return null;
    const claim = {
      text: "District heating supplies 3,400 homes.",
      question_id: "q1",
      finding_ids: ["q1f1"],
    };
    return JSON.stringify({ title: "t", claims: [claim], unanswered: ["q2", "q3", "q4"], disagreeing: [] });
  };
  const write = async (constraints: string[]) => {
    const payload = {
      conversation_id: `c-${constraints.join()}`,
      after: null,
      ask: { kind: "message", text },
    };
    const draft = { user: { user_id: "ada" }, hopsMax: 60, ttlMs: 600_000, task: { constraints } };
    const { runId } = await system.submit(payload, draft);
    // What `settleAnswer` gives.
    return (await system.until(runId, ["completed"])).result as { answer: string; citations: object[] };
  };
  const [whole, short] = [await write([]), await write(["max_words=45"])];
  expect(whole.citations.length).toBeGreaterThan(short.citations.length);
  expect(short.citations.length).toBeGreaterThan(0);
});
