import { expect, test } from "vitest";
import { askStandIn } from "../../support/testing/ask-stand-in.ts";
import { lookAround } from "../checkout/look-around.ts";
import type { CauseInput } from "../explorer/answer.ts";
import { CHECKOUT_LIMITS_DEFAULT } from "../limits.ts";
import { temporaryFolder, writeProject } from "../testing/repair-in-memory.ts";
import { findCause } from "./find-cause.ts";

const TEST = `import { test } from "node:test";
import { shippingOf } from "../src/index.js";
test("ships", () => assert.equal(shippingOf(3), 9));
`;
const CODE = "// Prices.\nexport function shippingOf(count) {\n  return count * 2;\n}\n";

const INPUT: CauseInput = {
  issue: "Shipping is wrong.",
  goal: "Mend it.",
  aim: "",
  failing: [
    {
      file: "test/a.test.js",
      name: "ships",
      kind: "assertion",
      line: 3,
      message: "6 is not 9",
      expected: "9",
      actual: "6",
      frames: [],
    },
  ],
  hits: [],
  sources: [{ path: "test/a.test.js", text: TEST }],
};

test("the cause is found in a file that nothing showed, by a search and a look into it", async () => {
  const root = temporaryFolder();
  writeProject(root, { "test/a.test.js": TEST, "src/far/away.js": CODE });
  const tools = lookAround({ root, limits: CHECKOUT_LIMITS_DEFAULT });
  expect(await askStandIn(findCause, { input: INPUT, tools })).toMatchObject({
    suspects: [{ path: "src/far/away.js", line: 2, symbol: "shippingOf" }],
  });
  // Without tools it does not know the file.
  expect(JSON.stringify(await askStandIn(findCause, { input: INPUT }))).not.toContain("away.js");
});
