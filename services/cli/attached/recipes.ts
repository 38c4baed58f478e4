import { CommandRefusedError } from "../errors.ts";
import { printJson, printListing, write } from "../print/print-answer.ts";
import { findCase, readData } from "./decide.ts";
import { withWard } from "./with-ward.ts";
import type { AttachOptions } from "./with-ward.ts";

/** Derives a recipe from what a person makes of a failed job's data. The job stays as it is. Exit code 2 if none. */
export function learn(
  id: string,
  options: AttachOptions & { readonly by: string; readonly data: string },
): Promise<void> {
  return withWard(options, async (ward) => {
    const jobCase = await findCase(ward, id);
    const learned = await ward.learn(jobCase, await readData(options.data), options.by);
    printJson(learned);
    if (learned.kind === "none") process.exitCode = 2;
  });
}

/** Prints the recipes of a queue. */
export function listRecipes(options: AttachOptions & { readonly json?: boolean }): Promise<void> {
  return withWard(options, async (ward) => {
    const rows = await ward.recipes();
    printListing(
      {
        answer: rows,
        rows,
        columns: [
          ["recipe", ({ id }) => id],
          ["by", ({ by }) => by],
          ["at", ({ atMs }) => new Date(atMs).toISOString()],
          ["operations", ({ recipe }) => recipe.operations.map((one) => JSON.stringify(one)).join(" ")],
        ],
        empty: "No recipes yet.",
      },
      options,
    );
  });
}

/** Deletes a recipe. Jobs that it repaired stay as they are. */
export function forgetRecipe(id: string, options: AttachOptions): Promise<void> {
  return withWard(options, async (ward) => {
    if (!(await ward.forgetRecipe(id)))
      throw new CommandRefusedError(`The queue has no recipe ${id}.`, "See suture ward attached recipes.");
    write(`Recipe ${id} is deleted.`);
  });
}
