import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import type { BlockModule } from "./write-modules.ts";

/** Compiles all modules as one program. @returns Errors, with the page and line where each stands. */
export function compileModules(modules: readonly BlockModule[], folder: string): string[] {
  const config = {
    extends: relative(folder, "tsconfig.json"),
    compilerOptions: {
      // A block shows how something is declared; that nothing uses it further is no fault.
      noUnusedLocals: false,
      noUnusedParameters: false,
      // What did not change since the last run need not be checked again.
      incremental: true,
      tsBuildInfoFile: relative(folder, "node_modules/.cache/docs-blocks.tsbuildinfo"),
    },
    include: ["*.ts"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const { stdout } = spawnSync(
    process.execPath,
    ["node_modules/typescript/bin/tsc", "-p", folder, "--pretty", "false"],
    { encoding: "utf8" },
  );
  const byName = new Map(modules.map((one) => [basename(one.file), one]));
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [, file = "", at = "0", message = ""] = /^(.*?)\((\d+),\d+\): (.*)$/.exec(line) ?? [];
      const module = byName.get(basename(file));
      if (module === undefined) return line;
      const { block, linesBefore } = module;
      return `${block.page}:${block.line + Number(at) - 1 - linesBefore}: ${message}`;
    });
}
