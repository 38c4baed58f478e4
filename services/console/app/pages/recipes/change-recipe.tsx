import { useEffect, useState } from "react";
import type { operations } from "#shared/api/client";
import { $api, api, Problem, readAgain } from "../../data/api.ts";
import { counted, words } from "../../parts/amounts.ts";
import { AskWhy } from "../../parts/ask-why.tsx";
import { Button } from "../../parts/button.tsx";
import { CaseLink } from "../../parts/links.tsx";
import { Panel } from "../../parts/page.tsx";
import { ReasonForm } from "../../parts/reason-form.tsx";
import { Faults } from "../../parts/states.tsx";
import { Operations } from "./recipe-words.tsx";
import type { Recipe } from "./recipe-words.tsx";
import parts from "../../parts/parts.module.css";
import styles from "./recipes.module.css";

export type FullRecipe = operations["showRecipe"]["responses"][200]["content"]["application/json"];
type Result = operations["tryRecipe"]["responses"][200]["content"]["application/json"];

const TRY_AFTER_MS = 400;
const [CASES_SHOWN, OBJECTIONS_SHOWN] = [10, 5];

const ACTS = {
  approve: {
    title: "Approve this recipe",
    says: "It is applied from now on. Retiring takes it back.",
    not: "trusted",
    tone: "main",
  },
  retire: {
    title: "Retire this recipe",
    says: "It is not applied any more. Approving brings it back.",
    not: "retired",
    tone: "bad",
  },
} as const;

/** Does something to a recipe as a person read it. Where it was changed since, that is refused, and shown. */
async function change<Given>(send: () => Promise<Given>): Promise<Given> {
  try {
    return await send();
  } finally {
    void readAgain();
  }
}

/** Approves or retires a recipe, with a reason. */
export function Judge({ recipe }: { readonly recipe: FullRecipe }) {
  const [said, setSaid] = useState("");
  const [version, setVersion] = useState(recipe.version);
  const judge = async (act: keyof typeof ACTS, why: string): Promise<void> => {
    const asked = { params: { path: { recipe_id: recipe.recipe_id } }, body: { why, version } };
    await change<unknown>(() =>
      act === "approve"
        ? api.POST("/v1/recipes/{recipe_id}/approve", asked)
        : api.POST("/v1/recipes/{recipe_id}/retire", asked),
    );
    setSaid(ACTS[act].says);
  };
  return (
    <Panel title="Judge it">
      <p role="status">{said}</p>
      <div className={parts.buttons}>
        {(["approve", "retire"] as const)
          .filter((act) => ACTS[act].not !== recipe.state)
          .map((act) => (
            <AskWhy
              key={act}
              {...ACTS[act]}
              opener={act === "retire" ? "bad" : "plain"}
              onOpen={() => setVersion(recipe.version)}
              send={(why) => judge(act, why)}
            >
              {act === "approve" ? "Approve …" : "Retire …"}
            </AskWhy>
          ))}
      </div>
    </Panel>
  );
}

const written = (recipe: unknown): string => JSON.stringify(recipe, null, 2);

function readRecipe(text: string): Recipe | null {
  try {
    // Of any JSON that is no recipe the API says where it is not.
    return JSON.parse(text) as Recipe;
  } catch {
    return null;
  }
}

/**
 * A field for a recipe's text, which is tried while somebody types: only what no held message speaks against can be
 * kept, with a reason, in the place of the version that it was made from.
 */
export function RecipeEditor({ recipe }: { readonly recipe: FullRecipe }) {
  const [base, setBase] = useState({ text: written(recipe.recipe), version: recipe.version });
  const [text, setText] = useState(base.text);
  const [said, setSaid] = useState("It is tried as you type, and on trial when you keep it.");
  const trial = $api.useMutation("post", "/v1/recipes/{recipe_id}/try");
  const isTouched = text !== base.text;
  const changed = readRecipe(text);
  const params = { path: { recipe_id: recipe.recipe_id } };
  useEffect(() => {
    trial.reset();
    if (!isTouched || changed === null) return;
    const timer = setTimeout(() => trial.mutate({ params, body: { recipe: changed } }), TRY_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const begin = (from: { readonly recipe: unknown; readonly version: number }): void => {
    setBase({ text: written(from.recipe), version: from.version });
    setText(written(from.recipe));
  };
  // Somebody else's change is taken over where nobody is writing.
  if (recipe.version !== base.version && !isTouched) begin(recipe);
  const keep = async (reason: string): Promise<void> => {
    if (changed === null) return;
    const body = { recipe: changed, why: reason, version: base.version };
    const { data } = await change(() => api.POST("/v1/recipes/{recipe_id}/edit", { params, body }));
    if (data !== undefined) begin(data);
    setSaid("Kept. It is on trial now.");
  };
  return (
    <Panel title="Edit it">
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
        {!isTouched && <p className={styles.quiet}>{said}</p>}
        {isTouched && changed === null && <p className={styles.bad}>This is no JSON yet.</p>}
        {isTouched && changed !== null && <Verdict recipe={changed} {...trial} />}
      </div>
      {recipe.version !== base.version && (
        <p role="alert">
          {recipe.changed_by} changed this recipe while you were editing: it is {recipe.state} now. Your text
          is not put over theirs. <Button onClick={() => begin(recipe)}>Begin with what it is now</Button>
        </p>
      )}
      {isTouched && (
        <ReasonForm
          title="Keep it, on trial"
          hasFocus={false}
          send={keep}
          onCancel={() => begin(recipe)}
          blocked={changed !== null && trial.data?.failed === 0 ? undefined : ""}
        />
      )}
    </Panel>
  );
}

/** What a trial found: in numbers, the recipe in words, and the messages that speak against it. */
function Verdict({ recipe, data, error }: { recipe: Recipe; data: Result | undefined; error: unknown }) {
  if (error instanceof Problem)
    return (
      <>
        <p className={styles.bad}>{error.message}</p>
        <Faults faults={error.faults} />
      </>
    );
  if (data === undefined) return <p className={styles.quiet}>Trying it on messages in the ward …</p>;
  const { proved, failed, idle, messages, is_cut: isCut } = data;
  const seen = proved + failed + idle;
  return (
    <>
      <p className={failed > 0 ? styles.bad : proved > 0 ? styles.good : styles.quiet}>
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
