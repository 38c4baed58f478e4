import { isBuiltin } from "node:module";
import { parseSync } from "oxc-parser";

/** Returns what a module imports from packages, at once or later: `pg`, `gpt-tokenizer/encoding/o200k_base`. */
export function importedFrom(path: string, code: string): string[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(path, code).module;
  return [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.map((entry) => entry.moduleRequest?.value ?? "")),
    ...dynamicImports.map(({ moduleRequest }) =>
      code.slice(moduleRequest.start, moduleRequest.end).replace(/^["']|["']$/g, ""),
    ),
  ].filter((one) => /^@?[a-z][a-z0-9._/-]*$/.test(one) && !isBuiltin(one));
}

/** Returns the name of the package that a specifier is of. */
export function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}
