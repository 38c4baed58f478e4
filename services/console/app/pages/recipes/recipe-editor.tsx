import { useState } from "react";
import { api, Problem, readAgain } from "../../data/api.ts";
import { Button } from "../../parts/button.tsx";
import { Panel } from "../../parts/page.tsx";
import { ReasonForm } from "../../parts/reason-form.tsx";
import type { FullRecipe } from "./judge.tsx";
import type { Recipe } from "./recipe-words.ts";
import { useTrial, Verdict } from "./recipe-trial.tsx";
import styles from "./recipes.module.css";

const written = (recipe: unknown): string => JSON.stringify(recipe, null, 2);

/**
 * A field for a recipe's text, which is tried while somebody types: only what no held message speaks against can be
 * kept, with a reason, in the place of the version that it was made from.
 */
export function RecipeEditor({ recipe }: { readonly recipe: FullRecipe }) {
  const [base, setBase] = useState({ text: written(recipe.recipe), version: recipe.version });
  const [text, setText] = useState(base.text);
  const [why, setWhy] = useState("");
  const [said, setSaid] = useState("Change the text: it is tried as you type.");
  const isTouched = text !== base.text;
  const trial = useTrial(recipe.recipe_id, isTouched ? text : null);
  const begin = (from: { recipe: unknown; version: number }): void => {
    setBase({ text: written(from.recipe), version: from.version });
    setText(written(from.recipe));
    setWhy("");
  };
  // Somebody else's change is taken over where nobody is writing.
  if (recipe.version !== base.version && !isTouched) begin(recipe);
  const keep = async (reason: string): Promise<void> => {
    // What is tried was read as JSON, and the API checks that it is a recipe.
    const body = { recipe: JSON.parse(text) as Recipe, why: reason, version: base.version };
    try {
      const { data } = await api.POST("/v1/recipes/{recipe_id}/edit", {
        params: { path: { recipe_id: recipe.recipe_id } },
        body,
      });
      if (data !== undefined) begin(data);
      setSaid("Kept. It is on trial now.");
      await readAgain();
    } catch (error) {
      if (error instanceof Problem && error.status === 409) await readAgain();
      throw error;
    }
  };
  return (
    <Panel title="Edit it">
      <p className={styles.quiet}>An edited recipe is on trial: it has proved nothing yet.</p>
      <textarea
        className={styles.editor}
        rows={12}
        spellCheck={false}
        aria-label="Recipe as JSON"
        aria-describedby="recipe-verdict"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <div id="recipe-verdict" role="status" className={styles.verdict}>
        {isTouched ? <Verdict trial={trial} /> : <p className={styles.quiet}>{said}</p>}
      </div>
      {recipe.version !== base.version && (
        <p role="alert">
          {recipe.changed_by} changed this recipe while you were editing: it is {recipe.state} now. Your text
          stays here; it is not put over theirs.{" "}
          <Button onClick={() => begin(recipe)}>Begin with what it is now</Button>
        </p>
      )}
      {isTouched && (
        <ReasonForm
          title="Keep it, on trial"
          why={why}
          onWhy={setWhy}
          send={keep}
          onCancel={() => begin(recipe)}
          blocked={trial.isSound ? undefined : ""}
        />
      )}
    </Panel>
  );
}
