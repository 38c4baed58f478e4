import { rolldown } from "rolldown";

/** Bundles the client as one module without imports, minified, as a project's bundler does. */
export async function buildClient(): Promise<string> {
  const bundle = await rolldown({ input: "shared/client/index.ts", platform: "browser" });
  const { output } = await bundle.generate({ format: "esm", minify: true, comments: false });
  await bundle.close();
  const [{ code, imports }] = output;
  if (imports.length > 0) throw new Error(`The client imports ${imports.join(", ")}.`);
  return code;
}
