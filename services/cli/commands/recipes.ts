import type { Command } from "commander";
import { callsOf, required, whyOption } from "./call-command.ts";
import type { Fields } from "../http/call.ts";

export function addRecipes(program: Command): void {
  const recipes = program.command("recipes").description("look at recipes and judge them");
  const add = callsOf(recipes, "console");
  add("ls", "list recipes", "GET /v1/recipes", {
    list: {
      rows: (answer) => answer.recipes,
      columns: [
        "recipe_id as recipe",
        "state",
        "fingerprint",
        ["proofs", ({ proofs }) => proofs.length],
        "failures as failed",
        "healed",
        "by",
        "at",
      ],
      empty: "No recipes yet.",
    },
  });
  add("show <recipe_id>", "show a recipe, as JSON", "GET /v1/recipes/{recipe_id}");
  const recipe = required("--recipe <file>", "the recipe as JSON; - reads standard input");
  const judgements = [
    ["approve", "have the ladder apply it from now on", [whyOption()]],
    ["retire", "keep it for the record and never apply it", [whyOption()]],
    [
      "edit",
      "put another recipe in its place, on trial until it has healed messages with proof",
      [recipe, whyOption(true)],
    ],
  ] as const;
  for (const [kind, description, options] of judgements)
    add(`${kind} <recipe_id>`, description, `POST /v1/recipes/{recipe_id}/${kind}`, {
      options,
      input: withRecipe,
      say: ({ state }, id) => `Recipe ${id} is ${state}.`,
    });
  const aim = "try another recipe, dry, on the messages of its fault that lie in the ward";
  add("try <recipe_id>", aim, "POST /v1/recipes/{recipe_id}/try", {
    options: [recipe],
    input: withRecipe,
    say: ({ proved, failed, idle }) =>
      `${proved} healed with proof, ${failed} with a failed proof, ${idle} to which it does not apply.`,
  });
}

/** Reads the recipe that a person wrote; the console checks its form. */
async function withRecipe({ recipe, ...fields }: Fields): Promise<Fields> {
  if (typeof recipe !== "string") return fields;
  const { readJson, readInput } = await import("../read-input.ts");
  return { ...fields, recipe: readJson(await readInput(recipe), "The recipe") };
}
