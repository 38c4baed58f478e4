import { existsSync } from "node:fs";
import { resolve } from "node:path";

/**
 * Returns the entry points of the package with the source of each, from the root: `suture/client` and so on. None for a
 * tree without the table of them, `entries.ts` of the package.
 */
export async function readEntries(tree: string): Promise<ReadonlyMap<string, string>> {
  const table = resolve(tree, "infra", "package", "entries.ts");
  if (!existsSync(table)) return new Map();
  const { ENTRIES }: { readonly ENTRIES: Readonly<Record<string, { readonly source: string }>> } =
    await import(table);
  return new Map(
    Object.entries(ENTRIES).map(([name, { source }]) => [name.replace(/^\./, "suture"), source]),
  );
}
