import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { API } from "typescript/unstable/sync";
import { ENTRIES as DECLARED } from "../../infra/package/entries.ts";
import type { Block } from "./read-blocks.ts";

/** Compiles all modules as one program, and checks them alone. @returns Errors, with page and line. */
export function compileModules(modules: readonly BlockModule[], folder: string): string[] {
  const config = {
    extends: relative(folder, "tsconfig.json"),
    // A block shows how something is declared; that nothing uses it further is no fault.
    compilerOptions: { noUnusedLocals: false, noUnusedParameters: false },
    include: ["*.ts"],
  };
  const openProject = resolve(folder, "tsconfig.json");
  writeFileSync(openProject, JSON.stringify(config));
  const compiler = new API({ cwd: process.cwd() });
  try {
    const [project] = compiler.updateSnapshot({ openProject }).getProjects();
    if (project === undefined) throw new Error(`${openProject} is no project.`);
    const { program } = project;
    return modules.flatMap((module) => {
      const file = resolve(module.file);
      const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
      return found.map(({ pos, text }) => `${placeOf(module, pos)}: ${text}`);
    });
  } finally {
    compiler.close();
  }
}

/** Returns the page and line of a position in a module. */
function placeOf({ block, linesBefore, text }: BlockModule, position: number): string {
  const line = text.slice(0, position).split("\n").length;
  return `${block.page}:${block.line + line - 1 - linesBefore}`;
}

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
interface BlockModule {
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
  // Written by the command of docs/operating/clients.md from the description of the API.
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
