import { expect, test } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent as defineAgent, team } from "#shared/runtime";
import type { WardCase } from "#shared/ward";
import { startTestConsole } from "../services/console/testing/start-test-console.ts";
import type { TestConsole } from "../services/console/testing/start-test-console.ts";
import { checkRedirect } from "../services/console/api/operations/cases.ts";
import type { CaseView } from "../services/console/ward/view-case.ts";

const GOOD = { order_id: "A-1", amount: 12.5, note: "a lamp" };
const BAD = { order_id: "A-1", amount: 12.5, note: 7 };

async function view(console: TestConsole, caseId: string): Promise<CaseView> {
  return (await (await console.send(`/v1/ward/cases/${caseId}`)).json()) as CaseView;
}

test("shows a case with its original, its failures at their paths, the run's timeline and who did what", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const made = await console.admit({ ...GOOD, note: 7 });
  const seen = await view(console, made.case_id);
  expect(seen.original).toEqual({ text: '{"order_id":"A-1","amount":12.5,"note":7}', is_json: true });
  expect(seen.marks).toContainEqual(expect.objectContaining({ path: "/note", from: "failure" }));
  expect(seen.message?.failures[0]?.failure_class).toBe("validation_error");
  expect(seen.timeline.map(({ type }) => type)).toContain("in_ward");
  expect(seen.audit.map(({ action }) => action)).toContain("admit");
  expect(seen.run?.status).toBe("in_ward");
  expect(seen.redirects).toEqual(["con-spare"]);
  expect(seen.actions).toContain("release");
});

test("lists cases by every filter, groups with their trend, and nothing for a filter that does not hold", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const made = await console.admit(BAD);
  const list = async (query: string): Promise<WardCase[]> =>
    ((await (await console.send(`/v1/ward/cases?${query}`)).json()) as { cases: WardCase[] }).cases;
  for (const query of [
    "",
    `status=${made.status}`,
    `fingerprint=${encodeURIComponent(made.fingerprint)}`,
    "agent=con-book",
    `run_id=${made.run_id}`,
    "failure_class=validation_error",
    `text=${made.case_id.slice(0, 8)}`,
  ]) {
    expect(
      (await list(query)).map(({ case_id }) => case_id),
      query,
    ).toEqual([made.case_id]);
  }
  expect(await list("agent=nobody")).toEqual([]);
  expect((await console.send("/v1/ward/cases?status=lost")).status).toBe(422);
  expect((await console.send("/v1/ward/cases?limit=0")).status).toBe(422);
  const groups = await (await console.send("/v1/ward/groups")).json();
  expect(groups).toMatchObject({ groups: [{ fingerprint: made.fingerprint, count: 1, open: 1 }] });
});

test("refuses to redirect a message to an agent that its team has not, or that takes another contract", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const { case_id, version } = await console.admit(BAD);
  const path = `/v1/ward/cases/${case_id}/redirect`;
  const answer = await console.post(path, { why: "x", agent: "nobody" });
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({ errors: [{ pointer: "/agent", code: "unknown_agent" }] });
  // The same team as a newer release declares it.
  const ship = defineAgent("con-ship@1", {
    accepts: contract("con.parcel@1", z.object({ parcel_id: z.string() })),
    handle: (parcel, ctx) => ctx.complete(parcel),
  });
  const teams = [team("con-orders", [ship])];
  const redirect = checkRedirect({ store: console.store, teams }, { caseId: case_id, agent: "con-ship" });
  await expect(redirect).rejects.toMatchObject({ issues: [{ path: "/agent", code: "other_contract" }] });
  expect((await view(console, case_id)).case).toMatchObject({ decision: null, version });
});
