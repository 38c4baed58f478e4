import { useState } from "react";
import type { operations } from "#shared/api/client";
import { readJson } from "#shared/json";
import { $api, api, Problem } from "../../data/api.ts";
import { useSettled } from "../../data/shared.ts";
import { CaseLink } from "../../parts/links.tsx";
import { Button, Failed, Faults, Panel } from "../../parts/page.tsx";
import { ReasonForm } from "../../parts/reason-form.tsx";
import { counted, words } from "../../parts/text.ts";
import { Operations } from "./recipes.tsx";
import type { FullRecipe, Recipe } from "./recipes.tsx";
import parts from "../../parts/parts.module.css";
import styles from "./recipes.module.css";

type Result = operations["tryRecipe"]["responses"][200]["content"]["application/json"];

const [CASES_SHOWN, OBJECTIONS_SHOWN] = [10, 5];

/**
 * A field for a recipe's text, which is tried while somebody types: only what no held message speaks against can be
 * kept, with a reason, in the place of the version that it was made from.
 */
export function RecipeEditor({ recipe }: { readonly recipe: FullRecipe }) {
  // Somebody else's change is taken over where nobody is writing.
  const [typed, setTyped] = useState<string | null>(null);
  const [version, setVersion] = useState(recipe.version);
  const settled = useSettled(typed);
  // Of any JSON that is no recipe the API says where it is not.
  const changed = readJson(settled ?? "") as Recipe | undefined;
  const params = { path: { recipe_id: recipe.recipe_id } };
  const { data, error } = $api.useQuery(
    "post",
    "/v1/recipes/{recipe_id}/try",
    // Asked only once there is one.
    { params, body: { recipe: changed as Recipe } },
    { enabled: changed !== undefined, gcTime: 0, retry: false },
  );
  const trial = settled === typed ? { data, error } : { data: undefined, error: null };
  const type = (text: string): void => {
    if (typed === null) setVersion(recipe.version);
    setTyped(text);
  };
  const keep = async (why: string): Promise<void> => {
    if (changed === undefined) return;
    await api.POST("/v1/recipes/{recipe_id}/edit", { params, body: { recipe: changed, why, version } });
    setTyped(null);
  };
  return (
    <Panel title="Edit it">
      <textarea
        className={styles.editor}
        rows={12}
        spellCheck={false}
        aria-label="Recipe as JSON"
        aria-describedby="recipe-verdict"
        value={typed ?? JSON.stringify(recipe.recipe, null, 2)}
        onChange={({ target }) => type(target.value)}
      />
      <div id="recipe-verdict" role="status" className={styles.verdict}>
        {settled === null && <p className={parts.quiet}>It is tried as you type, and on trial once kept.</p>}
        {settled !== null && changed === undefined && <p className={parts.bad}>This is no JSON yet.</p>}
        {changed !== undefined && <Verdict recipe={changed} {...trial} />}
      </div>
      {typed !== null && recipe.version !== version && (
        <p role="alert">
          {recipe.changed_by} changed this recipe while you were editing: it is {recipe.state} now. Your text
          is not put over theirs. <Button onClick={() => setTyped(null)}>Begin with what it is now</Button>
        </p>
      )}
      {typed !== null && (
        <ReasonForm
          title="Keep it, on trial"
          send={keep}
          onCancel={() => setTyped(null)}
          blocked={trial.data?.failed === 0 ? undefined : ""}
        />
      )}
    </Panel>
  );
}

/** The result of a trial: numbers, the recipe in words, and the messages that speak against it. */
function Verdict({ recipe, data, error }: { recipe: Recipe; data: Result | undefined; error: unknown }) {
  if (error instanceof Problem) return <Failed error={error} />;
  if (data === undefined) return <p className={parts.quiet}>Trying it on messages in the ward …</p>;
  const { proved, failed, idle, messages, is_cut: isCut } = data;
  const seen = proved + failed + idle;
  return (
    <>
      <p className={failed > 0 ? parts.bad : ""}>
        {seen === 0
          ? "No message of this fault lies in the ward: the next that arrive are its trial."
          : `${counted(seen, "message")} in the ward tried${isCut ? " (there are more)" : ""}: ${proved} healed with proof, ${failed} with a failed proof, ${idle} to which it does not apply.`}
        {failed > 0 && " It cannot be kept like this: one failed proof would send it back."}
      </p>
      <Operations of={recipe} />
      {messages
        .filter(({ result }) => result === "failed")
        .slice(0, CASES_SHOWN)
        .map(({ case_id: caseId, objections }) => (
          <div key={caseId}>
            case <CaseLink id={caseId} />
            <Faults
              faults={objections
                .slice(0, OBJECTIONS_SHOWN)
                .map(({ path, code, message }) => ({ path, message: `${words(code)}: ${message}` }))}
            />
          </div>
        ))}
    </>
  );
}
