import { expect, it } from "vitest";
import { testPrefix, testRedisUrl } from "#shared/testing";
import { measureRecovery } from "../bench/recovery/measure.ts";

it("gives the message of a killed process to another one, which ends it, with every setting at its default", async () => {
  const measured = await measureRecovery({
    url: testRedisUrl(),
    prefix: testPrefix(),
    kills: 1,
    say: (line) => console.log(line),
    signal: AbortSignal.timeout(75_000),
  });
  expect(measured).toHaveLength(1);
  for (const { killedPid, takenOverByPid, status } of measured) {
    expect(takenOverByPid).not.toBe(killedPid);
    expect(status).toBe("completed");
  }
});
