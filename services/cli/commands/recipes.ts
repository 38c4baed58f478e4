import type { Command } from "commander";
import type { operations } from "#shared/api/client";
import { answerOf, openClient } from "../http/call-api.ts";
import { findApi, withConnection } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { printJson, printListing, write } from "../print/print-answer.ts";
import { readInput } from "../read-input.ts";
import { readJson } from "../read-json.ts";

export function addRecipes(program: Command): void {
  const recipes = program.command("recipes").description("look at recipes and judge them");
  withConnection(recipes.command("ls").alias("list").description("list recipes"), "console").action(list);
  withConnection(recipes.command("show <recipe_id>").description("show a recipe, as JSON"), "console").action(
    async (id: string, options: Connection) =>
      printJson(
        await answerOf(
          openClient(findApi("console", options)).GET("/v1/recipes/{recipe_id}", { params: paramsOf(id) }),
        ),
      ),
  );
  addJudgement(recipes, "approve", "have the ladder apply it from now on");
  addJudgement(recipes, "retire", "keep it for the record and never apply it");
  const edit = recipes
    .command("edit <recipe_id>")
    .description("put another recipe in its place, on trial until it has healed messages with proof")
    .requiredOption("--recipe <file>", "the recipe as JSON; - reads standard input")
    .requiredOption("--why <reason>", "for whoever reads the audit");
  withConnection(edit, "console").action(editRecipe);
  const attempt = recipes
    .command("try <recipe_id>")
    .description("try another recipe, dry, on the messages of its fault that lie in the ward")
    .requiredOption("--recipe <file>", "the recipe as JSON; - reads standard input");
  withConnection(attempt, "console").action(tryRecipe);
}

async function tryRecipe(id: string, options: Connection & { readonly recipe: string }): Promise<void> {
  const request = { params: paramsOf(id), body: { recipe: await readRecipe(options.recipe) } };
  const answer = await answerOf(
    openClient(findApi("console", options)).POST("/v1/recipes/{recipe_id}/try", request),
  );
  if (options.json === true) return printJson(answer);
  const { proved, failed, idle } = answer;
  write(`${proved} healed with proof, ${failed} with a failed proof, ${idle} to which it does not apply.`);
}

interface EditOptions extends Connection {
  readonly recipe: string;
  readonly why: string;
}

async function editRecipe(id: string, options: EditOptions): Promise<void> {
  const body = { recipe: await readRecipe(options.recipe), why: options.why };
  const request = { params: paramsOf(id), body };
  const answer = await answerOf(
    openClient(findApi("console", options)).POST("/v1/recipes/{recipe_id}/edit", request),
  );
  if (options.json === true) printJson(answer);
  else write(`Recipe ${id} is ${answer.state}.`);
}

type Recipe = operations["tryRecipe"]["requestBody"]["content"]["application/json"]["recipe"];

const paramsOf = (recipe_id: string) => ({ path: { recipe_id } });

/** A recipe that a person wrote; the console checks its form. */
async function readRecipe(file: string): Promise<Recipe> {
  return readJson(await readInput(file), "The recipe") as Recipe;
}

async function list(options: Connection): Promise<void> {
  const answer = await answerOf(openClient(findApi("console", options)).GET("/v1/recipes"));
  printListing(
    {
      answer,
      rows: answer.recipes,
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
    options,
  );
}

function addJudgement(recipes: Command, kind: "approve" | "retire", description: string): void {
  const command = recipes
    .command(`${kind} <recipe_id>`)
    .description(description)
    .option("--why <reason>", "for whoever reads the audit");
  withConnection(command, "console").action(
    async (id: string, options: Connection & { readonly why?: string }) => {
      const body = options.why === undefined ? {} : { why: options.why };
      const request = { params: paramsOf(id), body };
      const answer = await answerOf(
        openClient(findApi("console", options)).POST(`/v1/recipes/{recipe_id}/${kind}`, request),
      );
      if (options.json === true) printJson(answer);
      else write(`Recipe ${id} is ${answer.state}.`);
    },
  );
}
