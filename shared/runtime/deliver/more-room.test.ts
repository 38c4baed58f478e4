import { expect, it } from "vitest";
import { BudgetExceededError } from "#shared/envelope/limits";
import type { Logger } from "#shared/telemetry";
import { withMoreRoom } from "./more-room.ts";

const CUT = { model: "m", isCutOff: true, moreRoom: 800 };
const warned: unknown[] = [];
// Only `warn` is used.
const logger = { warn: (about: unknown) => warned.push(about) } as unknown as Logger;
const isWhole = (): boolean => false;

it("keeps a cut answer where the run's budget does not cover more room, and says so", async () => {
  const ask = (): never => {
    throw new BudgetExceededError({ field: "cost_so_far", spent: 2, limit: 1 });
  };
  expect(await withMoreRoom(CUT, { step: "s", logger, isWhole, ask })).toBe(CUT);
  expect(warned).toMatchObject([{ code: "MODEL_ANSWER_CUT_OFF", room: 800 }]);
});

it("passes on every other failure", async () => {
  const ask = (): never => {
    throw new Error("away");
  };
  await expect(withMoreRoom(CUT, { step: "s", logger, isWhole, ask })).rejects.toThrow("away");
});
