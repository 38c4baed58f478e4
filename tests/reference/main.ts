import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PAGES, REFERENCE_FOLDER } from "./pages.ts";

mkdirSync(REFERENCE_FOLDER, { recursive: true });
for (const [name, render] of Object.entries(PAGES)) writeFileSync(join(REFERENCE_FOLDER, name), render());
