import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { ENTRIES, fileOf } from "../entries.ts";

/** Measures what each bounded entry loads at once, minified and gzipped. @throws {Error} One exceeds its bound. */
export async function measureEntries(built: string, say: (line: string) => void): Promise<void> {
  for (const [name, { source, isBundled, gzipBytesMax }] of Object.entries(ENTRIES)) {
    if (gzipBytesMax === undefined) continue;
    const file = isBundled === true ? `${fileOf(name)}.js` : source.replace(/\.ts$/, ".js");
    const bytes = await gzippedBytes(join(built, file));
    const measured = `${name}: ${Math.round(bytes / 1000)} kB gzipped, at most ${gzipBytesMax / 1000}`;
    if (bytes > gzipBytesMax) throw new Error(measured);
    say(measured);
  }
}

async function gzippedBytes(input: string): Promise<number> {
  const bundle = await rolldown({
    input,
    platform: "node",
    external: (id) => !/^[./#]/.test(id),
  });
  const { output } = await bundle.generate({ format: "esm", minify: true, comments: false });
  await bundle.close();
  const chunks = output.filter((one) => one.type === "chunk");
  const loaded = new Set(chunks.filter((chunk) => chunk.isEntry).map((chunk) => chunk.fileName));
  // The set grows while it is walked.
  for (const name of loaded)
    chunks.find((chunk) => chunk.fileName === name)?.imports.forEach((one) => loaded.add(one));
  const code = chunks.filter((chunk) => loaded.has(chunk.fileName)).map((chunk) => chunk.code);
  return gzipSync(code.join("\n")).length;
}

/** Compares the declarations of each entry point with their reports, comments aside. @throws {Error} One differs. */
export function compareApi(
  root: string,
  { built, isUpdating }: { readonly built: string; readonly isUpdating: boolean },
): void {
  const reports = join(root, "infra/package/api");
  if (isUpdating) for (const old of globSync("*.golden.txt", { cwd: reports })) rmSync(join(reports, old));
  for (const path of globSync("types/**/*.d.ts", { cwd: built })) {
    const name = basename(path, ".d.ts");
    const report = join(reports, `${name}.golden.txt`);
    const now = withoutComments(readFileSync(join(built, path), "utf8"));
    if (isUpdating) {
      writeFileSync(report, now);
      continue;
    }
    const before = existsSync(report) ? readFileSync(report, "utf8").split("\n") : [];
    const line = now.split("\n").findIndex((one, index) => one !== before[index]);
    if (line === -1 && now.split("\n").length === before.length) continue;
    throw new Error(
      `The API of ${name} is not what ${report} says, from line ${line + 1}:\n` +
        `- ${before[line] ?? ""}\n+ ${now.split("\n")[line] ?? ""}\n` +
        "Where that is meant, run `npm run package:smoke -- --update` and say in CHANGELOG.md what moves.",
    );
  }
}

function withoutComments(declarations: string): string {
  return declarations.replaceAll(/\/\*\*(?:(?!\*\/)[^])*\*\/\n?/g, "").replaceAll(/^\s*\n/gm, "");
}
