import { expect, test } from "vitest";
import { openStandIns } from "#shared/testing";
import { LoopbackShop } from "../support/testing/loopback-shop.ts";
import { createMedicalTeam } from "./team.ts";
import { samplePractice } from "./testing/sample-practice.ts";

/** Visits that nobody wrote rules for, with the answers of a good model, and at last of a bad one. */
interface Row {
  readonly said: string;
  /** Null: nothing is found. */
  readonly complaint?: string;
  readonly emergency?: "yes" | "no" | "cannot_tell";
  readonly category?: "cardiology" | "neurology" | "person";
  readonly question?: string;
  readonly says?: readonly object[];
}

async function visit(row: Row) {
  const desk = await LoopbackShop.open();
  const { answers, asked, run } = await openStandIns(createMedicalTeam(samplePractice(desk.url)));
  const { said, complaint = null, emergency = "no", category = "person", question = "", says = [] } = row;
  answers["intake/collect/1"] = () => ({ complaint, question: null, emergency });
  answers["specialty/route"] = () => ({ decision: { category, parameters: { specialty: category } } });
  const because = complaint ?? "";
  const answer = { question, asks_about: "what comes with it", because, urgency: "soon" };
  answers[`${category}/follow-up`] = () => answer;
  answers[`${category}/check`] = () => ({ says });
  const { result, error } = await run({ visit_id: "v-1", turns: [{ role: "patient", text: said }] });
  return {
    result,
    error,
    asked: asked.map(({ step }) => step),
    pages: desk.done("/sandbox/tickets").length,
  };
}

test.each<Row>([
  {
    said: "Έχω πονοκέφαλο πίσω από το αριστερό μάτι.",
    complaint: "πονοκέφαλο πίσω από το αριστερό μάτι",
    category: "neurology",
    question: "Θολώνει η όρασή σας πριν από τον πονοκέφαλο;",
  },
  {
    said: "ใจสั่นตอนเย็นมาสองสัปดาห์",
    complaint: "ใจสั่นตอนเย็น",
    category: "cardiology",
    question: "เวลาใจสั่นรู้สึกหน้ามืดด้วยหรือไม่",
  },
  {
    said: "My cholesterol was 262 mg/dl and stairs make me slow.",
    complaint: "stairs make me slow",
    category: "cardiology",
    question: "Was your cholesterol above 200 mg/dl the last time, too?",
  },
  {
    said: "My heart skips beats.",
    complaint: "My heart skips beats",
    category: "cardiology",
    question: "Does it come at night, too? Or only on the stairs?",
  },
  {
    said: "No chest pain and no trouble breathing, but my fingers tingle in the morning.",
    complaint: "fingers tingle in the morning",
    category: "neurology",
    question: "Which fingers are they?",
  },
  {
    said: "Mam drżenie rąk od roku.",
    complaint: "drżenie rąk od roku",
    category: "neurology",
    question: "Czy ręce drżą też w spoczynku?",
  },
])("asks on as a good model does: $said", async (row) => {
  const { result, pages } = await visit(row);
  expect(result).toMatchObject({
    status: "follow_up",
    specialty: row.category,
    question: row.question,
  });
  expect(pages).toBe(0);
});

test.each<Row & { status: string }>([
  { said: "Göğsümde çok kötü bir ağrı var.", emergency: "yes", status: "emergency" },
  {
    said: "Everything has been odd since the bump.",
    complaint: "odd since the bump",
    emergency: "cannot_tell",
    status: "for_a_person",
  },
  {
    said: "I have an itchy rash on both elbows.",
    complaint: "an itchy rash",
    category: "person",
    status: "for_a_person",
  },
])("tells a person what a good model does: $said", async ({ status, ...row }) => {
  expect(await visit(row)).toMatchObject({ result: { status }, pages: 1 });
});

test.each([
  ["My son is unconscious.", "emergency"],
  ["Lovely weather! My husband's face is drooping on one side. And how are you?", "emergency"],
  ["My chest feels strange.", "for_a_person"],
])("loses no red flag where a bad model sees none: %s", async (said, status) => {
  expect(await visit({ said })).toMatchObject({ result: { status }, asked: [], pages: 1 });
});

test("sends no patient a dose, nor a diagnosis that the second reader finds", async () => {
  const complaint = "My heart skips beats";
  const row = { said: complaint, complaint, category: "cardiology" } as const;
  const dose = "Could you take 300 mg of aspirin and say how it feels?";
  expect(await visit({ ...row, question: dose })).toMatchObject({ error: { code: expect.any(String) } });
  const question = "Did you know that this is an atrial fibrillation?";
  const says = [{ what: "diagnosis", quote: "this is an atrial fibrillation" }];
  const unsafe = { error: { code: "MEDICAL_QUESTION_UNSAFE" } };
  expect(await visit({ ...row, question, says })).toMatchObject(unsafe);
});
