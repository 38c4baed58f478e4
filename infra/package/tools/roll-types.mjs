// Writes the declarations of each entry point as one file that needs no other of ours: node roll-types.mjs JOB, where
// JOB is JSON: { "entries": { "<file to write>": "<declaration file>" } }.

import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";
import ts from "typescript";

const { entries } = JSON.parse(process.argv[2]);
for (const [file, input] of Object.entries(entries)) {
  const bundle = await rollup({
    input,
    // Resolves the rooms by `imports` of the package.json beside the declarations.
    plugins: [dts({ compilerOptions: { moduleResolution: ts.ModuleResolutionKind.Bundler } })],
    external: (id) => !/^[./#]/.test(id),
    onwarn: (warning) => {
      throw new Error(`${input}: ${warning.message}`);
    },
  });
  await bundle.write({ file, format: "es" });
  await bundle.close();
}
