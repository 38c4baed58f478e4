import { join } from "node:path";
import { rolldown } from "rolldown";

/** Writes a source and all that it imports as one module, for Node, workers and browsers. */
export async function bundleModule(source: string, file: string): Promise<void> {
  const input = join(import.meta.dirname, "../..", source);
  const bundle = await rolldown({ input, platform: "browser" });
  await bundle.write({ file, format: "esm", minify: true, comments: false });
  await bundle.close();
}
