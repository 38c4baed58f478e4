import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ENTRIES } from "../infra/package/entries.ts";
import { bundleModule } from "../infra/package/build-package.ts";
import { openPage } from "./support/browser/browser.ts";
import { serveHttp } from "#shared/testing";

// The one module that the package ships as `suture/repair`; `npm run package:smoke` holds its size and its types.
const folder = mkdtempSync(join(tmpdir(), "suture-packed-"));
const packed = join(folder, "repair.js");

beforeAll(() => bundleModule(ENTRIES["./repair"]?.source ?? "", packed));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const USE = `
import { repair, repairStream } from "./repair.js";
const schema = { type: "object", properties: { total: { type: "number" } }, required: ["total"] };
const whole = repair("Here you go: {'total': '12,5',}", schema);
async function* deltas() { yield '{"total": 1'; yield "2.5}"; }
const seen = [];
for await (const { value } of repairStream(deltas(), schema)) seen.push(JSON.stringify(value));
console.log(JSON.stringify({ whole, evidence: whole.evidence, seen }));
`;

describe("suture/repair, packed", () => {
  test("needs nothing", () => {
    expect(readFileSync(packed, "utf8")).not.toMatch(/\bBuffer\b|\bfrom ?["'`]|\brequire\(/);
  });

  test("repairs in Node", () => {
    writeFileSync(join(folder, "use.mjs"), USE);
    expect(
      JSON.parse(execFileSync(process.execPath, ["use.mjs"], { cwd: folder, encoding: "utf8" })),
    ).toMatchObject({
      whole: { ok: true, value: { total: 12.5 } },
      evidence: { values: [{ path: "/total", spans: [{ start: 24, end: 28 }] }] },
      seen: ["{}", '{"total":12.5}'],
    });
  });

  test("repairs in a browser", async () => {
    const url = await serveHttp((request, response) => {
      const isModule = request.url === "/repair.js";
      response.setHeader("content-type", isModule ? "text/javascript" : "text/html");
      const page = `<script type="module">
        import { repair } from "./repair.js";
        document.title = JSON.stringify(repair("total: 12", { type: "object", properties: { total: { type: "integer" } } }));
      </script>`;
      response.end(isModule ? readFileSync(packed) : page);
    });
    const page = await openPage();
    await page.goTo(url);
    await expect.poll(() => page.tab.title()).toContain('"total":12');
  });
});
