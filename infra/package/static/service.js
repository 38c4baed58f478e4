#!/usr/bin/env node
// Runs one service of the project in this folder: node --disable-sigusr1 node_modules/suture/service.js agents AGENT…

import { existsSync } from "node:fs";
import { openProject } from "#shared/config";

const [service = "", ...names] = process.argv.slice(2);
const main = new URL(`services/${service}/main.js`, import.meta.url);
if (!/^[a-z]+$/.test(service) || !existsSync(main)) {
  process.stderr.write(`There is no service called ${JSON.stringify(service)}.\n`);
  process.exit(2);
}
await openProject(process.cwd(), process.env);
process.argv = [process.argv[0], main.pathname, ...names];
await import(main);
