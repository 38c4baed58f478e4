import { describe, expect, it, onTestFinished } from "vitest";
import { testRedisUrl } from "#shared/testing";
import { openTeam } from "#shared/testing/system";
import failing from "./support/failing-team/failing/team.ts";

/** A bug in a handler, as the four places show it in which its author looks. */

const FRAME = "totalOf (tests/support/failing-team/failing/team.ts:";
const THREW = "TypeError: Cannot read properties of undefined (reading 'total')";
const order = (how: string) => ({ how, customer: "Ada Lovelace", lines: [7] });

describe("a team under test", () => {
  it("has what failed, where in the code, and in which step or place of the data", async () => {
    const team = await openTeam(failing, { redisUrl: testRedisUrl() });
    onTestFinished(() => team.close());
    const run = await team.run(order("type"));
    expect(run).toMatchObject({ status: "in_ward", error: { code: "HANDLER_THREW" } });
    expect(run.failures).toHaveLength(2);
    expect(run.failures[0]).toMatchObject({ agent: "clerk@1", attempt: 1, step: "look-up" });
    expect(run.failures[0]?.message).toContain(THREW);
    expect(run.failures[0]?.stack?.[0]).toContain(FRAME);
    const checked = await team.run(order("check"));
    expect(checked.failures[0]?.issues).toMatchObject([{ path: "/lines/0", code: "invalid_type" }]);
    expect((await team.run(order("step"))).failures[0]).toMatchObject({ step: "price" });
    const refused = await team.run({ how: "type" });
    expect(refused.failures[0]?.issues.map(({ path }) => path)).toEqual(["/customer", "/lines"]);
  });
});
