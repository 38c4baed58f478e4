import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { z } from "zod";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const manifestSchema = z.object({ version: z.string(), license: z.string() });
const ENTRY = "shared/repair/library/index.ts";

/**
 * Builds the package `suture` with its entry `suture/repair`: one module without imports, for Node, workers and
 * browsers, and the declarations that it needs.
 *
 * @param into - A folder; made anew.
 */
export async function buildRepair(into: string): Promise<void> {
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into, { recursive: true });
  await bundleModule(ENTRY, join(into, "repair.js"));
  writeDeclarations(join(into, "repair.d.ts"));
  const { version, license } = manifestSchema.parse(
    JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")),
  );
  const manifest = {
    name: "suture",
    version,
    description: "Repairs the JSON that models write, by rules: an exact value or a refusal.",
    license,
    type: "module",
    sideEffects: false,
    engines: { node: ">=20" },
    exports: { "./repair": { types: "./repair.d.ts", default: "./repair.js" } },
  };
  writeFileSync(join(into, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  // What was measured stands in the repository.
  const [readme = ""] = readFileSync(join(ROOT, "shared/repair/library/README.md"), "utf8").split(
    "\n## Beside its peers",
  );
  writeFileSync(join(into, "README.md"), readme);
  cpSync(join(ROOT, "LICENSE"), join(into, "LICENSE"));
}

/** Writes a source and all that it imports as one module, for Node, workers and browsers. */
export async function bundleModule(source: string, file: string): Promise<void> {
  const bundle = await rolldown({ input: join(ROOT, source), platform: "browser" });
  await bundle.write({ file, format: "esm", minify: true, comments: false });
  await bundle.close();
}

/** Writes one file with the declarations of the entry's names and of all that these name. */
function writeDeclarations(file: string): void {
  const all = mkdtempSync(join(tmpdir(), "suture-types-"));
  try {
    const args = ["--noEmit", "false", "--declaration", "--emitDeclarationOnly", "--outDir", all];
    const tsc = spawnSync(process.execPath, [
      join(ROOT, "node_modules/typescript/bin/tsc"),
      "-p",
      ROOT,
      ...args,
    ]);
    if (tsc.status !== 0) throw new Error(`tsc: ${tsc.stdout.toString().slice(0, 2000)}`);
    const needed = new Map<string, string>();
    const names = importsOf(read(all, ENTRY)).map(({ name }) => name);
    for (const name of names) collect(needed, { all, from: ENTRY, name });
    const written = [...needed].map(([name, text]) =>
      names.includes(name) ? text : text.replaceAll(/^export (?:declare )?/gm, "declare "),
    );
    writeFileSync(file, `${written.join("\n")}\nexport {};\n`);
  } finally {
    rmSync(all, { recursive: true, force: true });
  }
}

interface Named {
  readonly all: string;
  readonly from: string;
  readonly name: string;
}

/** Adds the declaration of a name, found in a source or behind its imports, and those of the types that it names. */
function collect(needed: Map<string, string>, { all, from, name }: Named): void {
  const text = read(all, from);
  const own = [...text.matchAll(STATEMENT)].filter(([, declared]) => declared === name).map(([one]) => one);
  const imported = importsOf(text).find((one) => one.name === name);
  if (own.length > 0 && !needed.has(name)) {
    needed.set(name, own.join("\n"));
    for (const [word] of own.join("\n").matchAll(/\b[A-Z]\w+\b/g)) collect(needed, { all, from, name: word });
  } else if (own.length === 0 && imported !== undefined)
    collect(needed, { all, from: sourceOf(from, imported.specifier), name });
  else if (own.length > 0 && needed.get(name) !== own.join("\n"))
    throw new Error(`two declarations of ${name}, one in ${from}`);
}

const STATEMENT =
  /(?:\/\*\*(?:(?!\*\/)[^])*\*\/\n)?(?:export )?(?:declare )?(?:type|interface|function) (\w+)[^]*?[;}](?=\n(?:\/\*\*|export|type|interface|declare|$)|$)/g;

function read(all: string, path: string): string {
  return readFileSync(join(all, path.replace(/\.ts$/, ".d.ts")), "utf8");
}

function importsOf(text: string): { name: string; specifier: string }[] {
  return [...text.matchAll(/(?:import|export)(?: type)? \{([^}]*)\} from "([^"]+)";/g)].flatMap(
    ([, names = "", specifier = ""]) => names.split(",").map((name) => ({ name: name.trim(), specifier })),
  );
}

function sourceOf(from: string, specifier: string): string {
  const room = /^#shared\/(.+)$/.exec(specifier)?.[1];
  return room === undefined ? join(dirname(from), specifier) : `shared/${room}/index.ts`;
}
