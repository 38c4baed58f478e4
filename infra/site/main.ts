import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  watch,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { stagePages } from "./stage-pages.ts";
import { writeApi } from "./write-api.ts";

/**
 * Builds or serves the documentation site: `node infra/site/main.ts build|serve`. Everything is written below
 * `.suture/site`; the finished site is `.suture/site/dist`. `DOCS_BASE` is the path that it is served under (`/`).
 */

const OWN = import.meta.dirname;
const ROOT = join(OWN, "..", "..");
const SITE = join(ROOT, ".suture", "site");
const PAGES = join(SITE, "pages");
/** Several files change at once when an editor or git writes; they are staged together, in ms. */
const RESTAGE_AFTER_MS = 200;

async function main(mode: string | undefined): Promise<void> {
  if (mode !== "build" && mode !== "serve") throw new Error("Usage: node infra/site/main.ts build|serve");
  await install();
  prepare();
  if (mode === "build") return run(process.execPath, [vitepress(), "build", SITE]);
  followChanges();
  await run(process.execPath, [vitepress(), "dev", SITE]);
}

/** Installs the site's own dependencies when the lockfile is not the one that was installed. */
async function install(): Promise<void> {
  mkdirSync(SITE, { recursive: true });
  const lockfile = readFileSync(join(OWN, "package-lock.json"));
  const stamp = join(SITE, "node_modules", ".installed");
  if (existsSync(stamp) && readFileSync(stamp).equals(lockfile)) return;
  for (const name of ["package.json", "package-lock.json"]) copyFileSync(join(OWN, name), join(SITE, name));
  copyFileSync(join(ROOT, ".npmrc"), join(SITE, ".npmrc"));
  await run("npm", ["ci", "--ignore-scripts"]);
  writeFileSync(stamp, lockfile);
}

/** Writes the pages, the generated API pages and the settings where VitePress reads them. */
function prepare(): void {
  rmSync(PAGES, { recursive: true, force: true });
  const pages = stagePages(ROOT, PAGES);
  const api = writeApi(ROOT, SITE, join(PAGES, "api"));
  cpSync(join(OWN, "vitepress"), join(SITE, ".vitepress"), { recursive: true });
  const sidebar = [...pages, { text: "API", collapsed: true, items: api }];
  const settings = { base: process.env["DOCS_BASE"] ?? "/", sidebar };
  writeFileSync(join(SITE, ".vitepress", "settings.json"), JSON.stringify(settings));
}

/** Stages the pages again after each change in `docs`; VitePress shows them at once. */
function followChanges(): void {
  let timer: NodeJS.Timeout | undefined;
  watch(join(ROOT, "docs"), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => stagePages(ROOT, PAGES), RESTAGE_AFTER_MS);
  });
}

function vitepress(): string {
  return join(SITE, "node_modules", "vitepress", "bin", "vitepress.js");
}

async function run(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { cwd: SITE, stdio: "inherit" });
  const [status] = await once(child, "close");
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${String(status)}.`);
}

await main(process.argv[2]);
process.exit();
