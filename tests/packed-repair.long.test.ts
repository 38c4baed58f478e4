import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildRepair } from "../infra/packages/build-repair.ts";
import { hasNoBrowser, openPage } from "./support/browser/open-browser.ts";
import { listenLocally } from "./support/listen-locally.ts";

// Holds infra/packages/build-repair.ts: the packed library in an empty project outside of this repository.
const folder = mkdtempSync(join(tmpdir(), "suture-packed-"));
const project = join(folder, "project");
const packed = join(folder, "package.tgz");

/** What a page can afford to load: the module, compressed. The package also holds types, README and licence. */
const MODULE_BYTES_MAX = 60_000;
const PACKED_BYTES_MAX = 64 * 1024;

function run(command: string, args: readonly string[], cwd = project): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8", timeout: 120_000 });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stdout}${stderr}`);
  return stdout;
}

beforeAll(async () => {
  await buildRepair(join(folder, "package"));
  mkdirSync(join(project, "node_modules/suture"), { recursive: true });
  run("tar", ["--create", "--gzip", "--file", packed, "--directory", folder, "package"], folder);
  run("tar", [
    "--extract",
    "--file",
    packed,
    "--directory",
    join(project, "node_modules/suture"),
    "--strip-components=1",
  ]);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "outside", type: "module" }));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const USE = `
import { repair, repairStream } from "suture/repair";
const schema = { type: "object", properties: { total: { type: "number" } }, required: ["total"] };
const whole = repair("Here you go: {'total': '12,5',}", schema);
async function* deltas() { yield '{"total": 1'; yield "2.5}"; }
const seen = [];
for await (const { value } of repairStream(deltas(), schema)) seen.push(JSON.stringify(value));
console.log(JSON.stringify({ whole, evidence: whole.evidence, seen }));
`;

describe("suture/repair, packed", () => {
  test("is small and needs nothing", () => {
    expect(gzipSync(readFileSync(join(folder, "package/repair.js"))).length).toBeLessThan(MODULE_BYTES_MAX);
    expect(statSync(packed).size).toBeLessThan(PACKED_BYTES_MAX);
    const manifest: unknown = JSON.parse(readFileSync(join(folder, "package/package.json"), "utf8"));
    expect(manifest).not.toHaveProperty("dependencies");
    expect(readFileSync(join(folder, "package/repair.js"), "utf8")).not.toMatch(
      /\bBuffer\b|\bfrom ?["'`]|\brequire\(/,
    );
  });

  test("repairs in Node", () => {
    writeFileSync(join(project, "use.js"), USE);
    expect(JSON.parse(run(process.execPath, ["use.js"]))).toMatchObject({
      whole: { ok: true, value: { total: 12.5 } },
      evidence: { values: [{ path: "/total", spans: [{ start: 24, end: 28 }] }] },
      seen: ["{}", '{"total":12.5}'],
    });
  });

  test("has types that a strict compiler takes, zod's output among them", () => {
    const code = `
      import { repair } from "suture/repair";
      import { z } from "${resolve("node_modules/zod/index.js")}";
      const repaired = repair("{}", z.object({ total: z.number() }));
      if (repaired.ok) { const total: number = repaired.value.total; console.log(total, repaired.evidence.unused); }
      const plain = repair("[1]");
      if (!plain.ok) console.log(plain.reason, plain.candidates[0]);
    `;
    writeFileSync(join(project, "use.ts"), code);
    const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "esnext", "--types", ""];
    run(process.execPath, [resolve("node_modules/typescript/bin/tsc"), ...options, "use.ts"]);
  });

  test.skipIf(hasNoBrowser)("repairs in a browser", async () => {
    const server = createServer((request, response) => {
      const isModule = request.url === "/repair.js";
      response.setHeader("content-type", isModule ? "text/javascript" : "text/html");
      const page = `<script type="module">
        import { repair } from "./repair.js";
        document.title = JSON.stringify(repair("total: 12", { type: "object", properties: { total: { type: "integer" } } }));
      </script>`;
      response.end(isModule ? readFileSync(join(folder, "package/repair.js")) : page);
    });
    const port = await listenLocally(server);
    const page = await openPage();
    await page.goTo(`http://127.0.0.1:${port}/`);
    await expect.poll(() => page.tab.title()).toContain('"total":12');
  });
});
