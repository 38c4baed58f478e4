import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { ENTRIES, fileOf } from "../entries.ts";

/**
 * Measures what each bounded entry point loads at once, minified and gzipped, without other packages.
 *
 * @throws {Error} One is larger than its bound.
 */
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
