import { expect, it } from "vitest";
import { createMaster, issueKeyring, issueVerifyingKeyring, Keyring } from "#shared/envelope/keys";
import { agent, edgesOf, team } from "#shared/runtime";
import { findUnverifiable } from "./check-keys.ts";
import { Refund } from "./testing/surgeon-test-system.ts";

it("names the edges that a surgeon's key file of an older release does not verify, and none of a new one", () => {
  const desk = agent("desk@1", { accepts: Refund, handle: (_input, ctx) => ctx.complete({}) });
  const front = agent("front@1", {
    accepts: Refund,
    to: { desk: Refund },
    handle: (input, ctx) => ctx.handoff("desk", input),
  });
  const teams = [team("help", [front, desk])];
  const issued = { master: createMaster(), edges: edgesOf(teams) };
  const older = issueKeyring({ ...issued, agent: "surgeon" });
  const missing = findUnverifiable(older, teams);
  expect(missing).toEqual(expect.arrayContaining(["front>desk", "gateway>desk", "desk>ward"]));
  expect(missing).not.toContain("surgeon>desk");
  const whole = Keyring.merge([older, issueVerifyingKeyring(issued)]);
  expect(findUnverifiable(whole, teams)).toEqual([]);
});
