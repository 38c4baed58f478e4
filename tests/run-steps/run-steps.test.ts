import { expect, test } from "vitest";
import { plainDesk } from "./desk-team.ts";
import { openDesk } from "./open-desk.ts";

test("x", async () => {
  const desk = await openDesk(plainDesk);
  const id = await desk.run();
  const page = await desk.steps(id);
  console.log(JSON.stringify(page, null, 1));
  expect(page.steps.length).toBe(7);
});
