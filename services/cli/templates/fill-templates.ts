import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A file to be written, below some folder. */
interface FilledFile {
  readonly path: string;
  readonly text: string;
}

const TEMPLATES = fileURLToPath(new URL("./", import.meta.url));
const ENDING = ".template";

/** Imports of new code: the rooms in this repository, the package in a project that has installed it. */
const IMPORTS: Readonly<Record<string, string>> =
  extname(import.meta.filename) === ".js"
    ? { runtime: "suture", contract: "suture", testing: "suture/testing", imports: "`suture`, zod" }
    : {
        runtime: "#shared/runtime",
        contract: "#shared/contract",
        testing: "#shared/testing/system",
        imports: "`#shared/runtime`, `#shared/contract`, zod",
      };

/** Returns the files of a folder of templates, filled in with the name of an agent. */
export function fillTemplates(kind: "agent" | "project" | "team", name: string): FilledFile[] {
  const root = join(TEMPLATES, kind);
  const words = name.split("-");
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  const camel = words.map((word, index) => (index === 0 ? word : capital(word))).join("");
  const values: Readonly<Record<string, string>> = {
    ...IMPORTS,
    name,
    camel,
    Pascal: words.map(capital).join(""),
  };
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ENDING))
    .toSorted()
    .map((path) => ({
      path: path.slice(0, -ENDING.length),
      text: readFileSync(join(root, path), "utf8").replaceAll(
        /\{\{(\w+)\}\}/g,
        (whole, key: string) => values[key] ?? whole,
      ),
    }));
}

/** Writes files below a folder. */
export function writeFiles(folder: string, files: readonly FilledFile[]): void {
  for (const { path, text } of files) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}
