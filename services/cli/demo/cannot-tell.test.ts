import { expect, it } from "vitest";
import { loadTeams } from "#shared/runtime/process";

it("has a way to say that it cannot tell for every team, which the demo counts apart", async () => {
  for (const { name, options } of await loadTeams("services/agents"))
    expect(Object.keys(options.cannotTell ?? {}).length, name).toBeGreaterThan(0);
});
