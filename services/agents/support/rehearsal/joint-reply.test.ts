import { expect, it } from "vitest";
import { ReplyDraft } from "../reply/answer.ts";
import { draftJointReply } from "./joint-reply.ts";

const REQUESTS = [
  {
    summary: "",
    status: "answered",
    outcome: "idea_noted",
    facts: [{ label: "idea", value: "T-1" }],
    steps: [],
  },
];

async function bodyOf(preferences?: { readonly tone: "brief" }): Promise<string> {
  const input = { language: "de", requests: REQUESTS, ...(preferences === undefined ? {} : { preferences }) };
  // The stand-in takes the input of its own step.
  const drafted = await draftJointReply(input as never, () => 0);
  return ReplyDraft.schema.parse(drafted).body;
}

it("leaves out greeting and closing where the customer prefers brief answers, and no fact", async () => {
  expect(await bodyOf()).toContain("Guten Tag");
  const brief = await bodyOf({ tone: "brief" });
  expect(brief).not.toContain("Guten Tag");
  expect(brief).toContain("T-1");
});
