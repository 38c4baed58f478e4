import { execFileSync } from "node:child_process";
import { globSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ENTRIES = "infra/package/entries";

/**
 * Writes a page for each entry point of the package, from the types and docstrings of what it exports (TypeDoc).
 * Every file in `infra/package/entries` is an entry point: `index.ts` is `suture`, `client.ts` is `suture/client`.
 *
 * @returns The pages for the sidebar; none for a tree without entry points.
 */
export function writeApi(tree: string, site: string, into: string): { text: string; link: string }[] {
  const entries = globSync(`${ENTRIES}/**/*.ts`, { cwd: tree }).toSorted();
  if (entries.length === 0) return [];
  const options = {
    entryPoints: entries.map((entry) => join(tree, entry)),
    basePath: join(tree, ENTRIES),
    tsconfig: join(tree, "tsconfig.json"),
    plugin: [join(site, "node_modules", "typedoc-plugin-markdown", "dist", "index.js")],
    out: into,
    entryFileName: "overview",
    outputFileStrategy: "modules",
    // Types of the whole HTTP API are named, not spelled out.
    maxTypeConversionDepth: 2,
    // The project's own compiler has checked the types; this one is older and only reads them.
    skipErrorChecking: true,
    readme: "none",
    excludeInternal: true,
    excludeExternals: true,
    disableSources: true,
    hidePageHeader: true,
    hideBreadcrumbs: true,
    useCodeBlocks: true,
    logLevel: "Error",
  };
  const file = join(site, "typedoc.json");
  writeFileSync(file, JSON.stringify(options));
  execFileSync(
    process.execPath,
    [join(site, "node_modules", "typedoc", "bin", "typedoc"), "--options", file],
    {
      cwd: site,
      stdio: "inherit",
    },
  );
  return readdirSync(into, { recursive: true, encoding: "utf8" })
    .filter((page) => page.endsWith(".md") && page !== "overview.md")
    .toSorted()
    .map((page) => {
      const name = page.slice(0, -".md".length);
      const entry = name === "index" ? "suture" : `suture/${name}`;
      const text = readFileSync(join(into, page), "utf8").replace(/^# .*$/m, `# ${entry}`);
      writeFileSync(join(into, page), text);
      return { text: entry, link: `/api/${name}` };
    });
}
