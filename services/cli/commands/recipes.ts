import type { Command } from "commander";
import { callsOf } from "./call-command.ts";
import type { Fields } from "./call-command.ts";
import { required, whyOption } from "./with-connection.ts";

export function addRecipes(program: Command): void {
  const recipes = program.command("recipes").description("look at recipes and judge them");
  const add = callsOf(recipes, "console");
  add({
    name: "ls",
    description: "list recipes",
    call: "GET /v1/recipes",
    list: {
      rows: (answer) => answer.recipes,
      columns: [
        ["recipe", (recipe) => recipe.recipe_id],
        ["state", (recipe) => recipe.state],
        ["fingerprint", (recipe) => recipe.fingerprint],
        ["proofs", (recipe) => recipe.proofs.length],
        ["failed", (recipe) => recipe.failures],
        ["healed", (recipe) => recipe.healed],
        ["by", (recipe) => recipe.by],
        ["at", (recipe) => recipe.at],
      ],
      empty: "No recipes yet.",
    },
  });
  add({
    name: "show <recipe_id>",
    description: "show a recipe, as JSON",
    call: "GET /v1/recipes/{recipe_id}",
  });
  const judgements = [
    ["approve", "have the ladder apply it from now on"],
    ["retire", "keep it for the record and never apply it"],
  ] as const;
  for (const [kind, description] of judgements)
    add({
      name: `${kind} <recipe_id>`,
      description,
      call: `POST /v1/recipes/{recipe_id}/${kind}`,
      options: [whyOption()],
      say: ({ state }, id) => `Recipe ${id} is ${state}.`,
    });
  const recipe = () => required("--recipe <file>", "the recipe as JSON; - reads standard input");
  add({
    name: "edit <recipe_id>",
    description: "put another recipe in its place, on trial until it has healed messages with proof",
    call: "POST /v1/recipes/{recipe_id}/edit",
    options: [recipe(), whyOption(true)],
    input: withRecipe,
    say: ({ state }, id) => `Recipe ${id} is ${state}.`,
  });
  add({
    name: "try <recipe_id>",
    description: "try another recipe, dry, on the messages of its fault that lie in the ward",
    call: "POST /v1/recipes/{recipe_id}/try",
    options: [recipe()],
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
