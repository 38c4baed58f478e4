import { expect, test } from "vitest";
import { SurgeonStandIn } from "./surgeon.ts";

const ask = (surgeon: SurgeonStandIn, message: string) =>
  surgeon.steps["repair"]?.({ message: `<<message 81c>>\n${message}\n<<end 81c>>` } as never, () => 0);

test("gives the good answer that was damaged, however its text is set, and says of others that no model is set", () => {
  const surgeon = new SurgeonStandIn();
  const good = { order_id: "AB-12345", amount: 42.5 };
  surgeon.remember('{"order_id":"AB-12345"}', good);
  surgeon.remember("{'amount': 42.5", good);
  for (const damaged of ['{ "order_id": "AB-12345" }', "{'amount': 42.5"])
    expect(ask(surgeon, damaged)).toMatchObject({ verdict: "repaired", payload: JSON.stringify(good) });
  for (const other of ['{"order_id":"AB-1"}', ""])
    expect(ask(surgeon, other)).toMatchObject({ verdict: "irreparable", reason: "No model is set." });
  expect(surgeon.steps["repair"]?.("?" as never, () => 0)).toMatchObject({ verdict: "irreparable" });
});
