// Writes the declarations of each entry point as one file that needs no other of ours: node roll-types.mjs JOB, where
// JOB is JSON: { "entries": { "<file to write>": "<declaration file>" } }.

import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";

const { entries } = JSON.parse(process.argv[2]);
for (const [file, input] of Object.entries(entries)) {
  const bundle = await rollup({
    input,
    plugins: [dts()],
    external: (id) => !/^[./#]/.test(id),
    onwarn: (warning) => {
      throw new Error(`${input}: ${warning.message}`);
    },
  });
  await bundle.write({ file, format: "es" });
  await bundle.close();
}
