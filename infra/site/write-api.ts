import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ENTRIES } from "../package/entries.ts";

/**
 * Writes a page for each entry point of the package, from the types and docstrings of what it exports (TypeDoc).
 *
 * @returns The pages for the sidebar.
 */
export function writeApi(
  tree: string,
  site: string,
  into: string,
): { readonly text: string; readonly link: string }[] {
  const entries = Object.entries(ENTRIES).map(([key, { source }]) => ({
    name: key.replace(/^\./, "suture"),
    page: key === "." ? "index" : key.slice("./".length),
    source: join(tree, source),
  }));
  runTypeDoc(entries, tree, site, into);
  for (const { name, page } of entries) {
    const file = join(into, `${page}.md`);
    writeFileSync(file, readFileSync(file, "utf8").replace(/^# .*$/m, `# ${name}`));
  }
  return entries.map(({ name, page }) => ({ text: name, link: `/api/${page}` }));
}

/** TypeDoc names a page after its file: each entry point gets one that exports the same. */
function runTypeDoc(
  entries: readonly { readonly page: string; readonly source: string }[],
  tree: string,
  site: string,
  into: string,
): void {
  const folder = join(site, "entries");
  rmSync(folder, { recursive: true, force: true });
  const files = entries.map(({ page, source }) => {
    const file = join(folder, `${page}.ts`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `export * from ${JSON.stringify(source)};\n`);
    return file;
  });
  const tsconfig = join(folder, "tsconfig.json");
  const typeRoots = [join(tree, "node_modules", "@types")];
  writeFileSync(
    tsconfig,
    JSON.stringify({ extends: join(tree, "tsconfig.json"), compilerOptions: { typeRoots }, files }),
  );
  const options = {
    entryPoints: files,
    basePath: folder,
    tsconfig,
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
  const program = join(site, "node_modules", "typedoc", "bin", "typedoc");
  execFileSync(process.execPath, [program, "--options", file], { cwd: site, stdio: "inherit" });
}
