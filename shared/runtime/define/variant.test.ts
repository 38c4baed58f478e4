import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { loadVariants } from "./variant.ts";

function write(source: string): string {
  const folder = mkdtempSync(join(tmpdir(), "suture-variants-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "shop", "eval"), { recursive: true });
  writeFileSync(join(folder, "shop", "eval", "variants.ts"), source);
  return folder;
}

const one = (name: string, more = ""): string =>
  `{ name: ${JSON.stringify(name)}, description: "One.", team: { agents: new Map() }${more} }`;

it("gives no variants where a team has none", async () => {
  expect(await loadVariants(write("export default [];"), "shop")).toEqual([]);
  expect(await loadVariants(write("export default [];"), "nobody")).toEqual([]);
});

it("gives what the file lists", async () => {
  const folder = write(`export default [${one("a")}, ${one("b", ', judged: ["/x"], against: "a"')}];`);
  const loaded = await loadVariants(folder, "shop");
  expect(loaded).toMatchObject([{ name: "a" }, { name: "b", judged: ["/x"], against: "a" }]);
});

it.each([
  ["export const variants = [];", /no list of variants/],
  [`export default [${one("as-it-is")}];`, /\/0\/name/],
  [`export default [${one("A b")}];`, /\/0\/name/],
  [`export default [{ name: "a", description: "One." }];`, /\/0\/team/],
  [`export default [${one("a", ', judged: ["x"]')}];`, /\/0\/judged\/0/],
  [`export default [${one("a")}, ${one("a")}];`, /two variants have one name/],
  [`export default [${one("a", ', against: "b"')}];`, /compared with a variant that is not there/],
])("refuses %s", async (source, message) => {
  await expect(loadVariants(write(source), "shop")).rejects.toThrow(message);
});
