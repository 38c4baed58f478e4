// Writes the declarations of each entry point as one file, and what they share as others beside: a class is of one type
// wherever it is imported. node roll-types.mjs JOB, where JOB is JSON:
// { "folder": "…", "entries": { "<name>": "<file>" } }.

import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";
import ts from "typescript";

const { folder, entries } = JSON.parse(process.argv[2]);
const bundle = await rollup({
  input: entries,
  // Resolves the rooms by `imports` of the package.json beside the declarations.
  plugins: [dts({ compilerOptions: { moduleResolution: ts.ModuleResolutionKind.Bundler } })],
  external: (id) => !/^[./#]/.test(id),
  onwarn: (warning) => {
    // A type that others see and cannot name: it has no meaning to them apart from the one that names it.
    if (warning.message.includes("private shared type exports")) return;
    throw new Error(warning.message);
  },
});
await bundle.write({
  dir: folder,
  format: "es",
  entryFileNames: "[name].d.ts",
  chunkFileNames: "shared/[name].ts",
});
await bundle.close();
