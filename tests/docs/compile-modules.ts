import { writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { API } from "typescript/unstable/sync";
import type { BlockModule } from "./write-modules.ts";

/**
 * Compiles all modules as one program, and checks them alone: what they import is checked with the rest of the tree.
 *
 * @returns Errors, with the page and line where each stands.
 */
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
