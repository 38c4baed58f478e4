import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ENTRIES as DECLARED } from "../../infra/package/entries.ts";
import type { Block } from "./read-blocks.ts";

/** Rooms whose names a block may use without an import, as the first blocks of the guides show them. */
const ROOMS = [
  "contract",
  "runtime",
  "runtime/terms",
  "runtime/tools",
  "patterns",
  "patterns/ensemble",
  "context",
  "mcp",
];

const GENERATED_CLIENT = "shared/api/client/generated.ts";
/** Entry points of the package, with their sources. */
const ENTRIES = new Map(
  Object.entries(DECLARED).map(([name, { source }]) => [name.replace(/^\./, "suture"), source]),
);

/** A block as a module that the compiler reads. */
export interface BlockModule {
  readonly block: Block;
  readonly file: string;
  readonly text: string;
  /** Lines of the module before the block's first. */
  readonly linesBefore: number;
}

/** Writes each block as a module into `folder`: with what the page leaves out, and the imports that it lacks. */
export function writeModules(blocks: readonly Block[], folder: string): BlockModule[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // What the command of docs/operating/clients.md writes from the description of the API.
  writeFileSync(join(folder, "suture.ts"), `export type * from "${relative(folder, GENERATED_CLIENT)}";\n`);
  // The team of the block before, as a page has the reader save it.
  writeFileSync(
    join(folder, "team.ts"),
    'import { team } from "#shared/runtime";\nexport default team("report", []);\n',
  );
  const exported = readRooms();
  return blocks.map((block) => {
    const { before, after } = block.around;
    const own = `${before}${block.code}${after}`;
    const imports = [...exported]
      .filter(([name]) => isUsed(name, own) && !isDeclared(name, own))
      .map(([name, { from, isType }]) => `import ${isType ? "type " : ""}{ ${name} } from "${from}";\n`)
      .join("");
    const head = `${imports}${before}`;
    const file = join(folder, `${block.page.replaceAll(/[/.]/g, "-")}-${block.line}.ts`);
    const text = withEntries(`${head}${block.code}${after}export {};\n`, folder);
    writeFileSync(file, text);
    return { block, file, text, linesBefore: head.split("\n").length - 1 };
  });
}

interface Exported {
  readonly from: string;
  readonly isType: boolean;
}

/** Names that rooms export, with what to import each from; `z` is zod's. A name of two rooms is the first's. */
function readRooms(): Map<string, Exported> {
  return new Map([...ROOMS.toReversed().flatMap(readRoom), ["z", { from: "zod", isType: false }]]);
}

function readRoom(room: string): [string, Exported][] {
  const lists = readFileSync(`shared/${room}/index.ts`, "utf8").matchAll(/export (type )?\{([^}]+)\} from/g);
  return [...lists].flatMap(([, type, list = ""]) =>
    list
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "")
      .map((name): [string, Exported] => [name, { from: `#shared/${room}`, isType: type !== undefined }]),
  );
}

function isUsed(name: string, code: string): boolean {
  return new RegExp(`(?<![\\w$"'/-]|(?<!\\.\\.)\\.)${name}\\b(?!["':?]|\\s*:)`).test(code);
}

function isDeclared(name: string, code: string): boolean {
  return new RegExp(
    `\\b(?:const|let|function|class|type|interface)\\s+${name}\\b|\\b(?:import|const)\\b[^;=]*[{,]\\s*(?:type )?${name}\\b[^;]*(?:from|=)`,
  ).test(code);
}

/** Imports of the package lead to the sources of its entry points; one that there is not stays as it is. */
function withEntries(code: string, folder: string): string {
  return code.replaceAll(/from "(suture(?:\/[\w/]+)?)"/g, (all, entry: string) => {
    const source = ENTRIES.get(entry);
    return source === undefined ? all : `from "${relative(folder, source)}"`;
  });
}
