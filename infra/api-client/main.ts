import { writeFileSync } from "node:fs";
import { CLIENT_FILE, renderClient } from "./render-client.ts";

writeFileSync(CLIENT_FILE, await renderClient());
