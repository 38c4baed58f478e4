import { parseArgs } from "node:util";
import { fuzz } from "./fuzz.ts";

/** `npm run fuzz -- [--inputs N] [--seed S]`. Ends with 1 where a law of first aid was broken. */

const { values } = parseArgs({
  options: { inputs: { type: "string", default: "1000000" }, seed: { type: "string", default: "1" } },
});
const startedAt = performance.now();
const report = fuzz({ inputs: Number(values.inputs), seed: Number(values.seed) });
const seconds = (performance.now() - startedAt) / 1000;
console.log(
  `${report.inputs} inputs in ${seconds.toFixed(0)} s: ${report.repaired} repaired, ${report.refused} refused, ${report.broken.length} laws broken`,
);
for (const { law, input } of report.broken) console.log(`  ${law}\n    ${JSON.stringify(input)}`);
process.exitCode = report.broken.length > 0 ? 1 : 0;
