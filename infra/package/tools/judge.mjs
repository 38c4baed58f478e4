// Says what is wrong with a package: node judge.mjs FOLDER TARBALL. Ends with 1 where anything is.

import { readFileSync } from "node:fs";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

// The package is ESM alone: what CommonJS and the resolution of Node 10 make of it is no fault.
const NOT_PROMISED = new Set(["node10", "node16-cjs"]);

const [folder, tarball] = process.argv.slice(2);
const { messages, pkg } = await publint({ pkgDir: folder, strict: true });
const { problems } = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
const faults = [
  ...messages.map((message) => formatMessage(message, pkg)),
  ...problems
    .filter(({ resolutionKind, resolutionOption }) => !NOT_PROMISED.has(resolutionKind ?? resolutionOption))
    .map((problem) => JSON.stringify(problem)),
];
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
