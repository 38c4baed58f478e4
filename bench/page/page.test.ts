import { expect, it } from "vitest";
import { replaceFigures } from "./write-page.ts";

it("changes only what stands between the page's marks, as often as one likes", () => {
  const page = "before\n<!-- figures -->\nold\n<!-- end of figures -->\nafter\n";
  const once = replaceFigures(page, "new $& $1");
  expect(once).toBe("before\n<!-- figures -->\n\nnew $& $1\n\n<!-- end of figures -->\nafter\n");
  expect(replaceFigures(once, "new $& $1")).toBe(once);
  expect(() => replaceFigures("nothing", "new")).toThrow(/figures/);
});
