import { chmodSync, existsSync, readdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { compileServices } from "./compile-services.ts";

/** Users of containers: of the image, of services and of agents; see services/cli/compose/containers.ts. */
const USERS = [1000, ...range(10_001, 10_020), ...range(10_101, 10_400)];

/** Fills the image's compile cache. Node keeps a folder for each user: those of containers get read-only links. */
function compileImage(cache: string): void {
  if (!compileServices(dirname(import.meta.dirname), cache)) throw new Error("the services did not compile");
  const [folder = ""] = readdirSync(cache);
  chmodSync(join(cache, folder), 0o755);
  for (const file of readdirSync(join(cache, folder))) chmodSync(join(cache, folder, file), 0o644);
  for (const uid of USERS) {
    const link = join(cache, folder.replace(/\d+$/, String(uid)));
    if (!existsSync(link)) symlinkSync(folder, link);
  }
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

const [cache] = process.argv.slice(2);
if (cache === undefined) throw new Error("usage: node infra/compile-image.ts FOLDER");
compileImage(cache);
