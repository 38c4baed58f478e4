import { useState } from "react";
import type { operations } from "#shared/api/client";
import { api, Problem, readAgain } from "../../data/api.ts";
import { Button } from "../../parts/button.tsx";
import { useCommands } from "../../parts/commands.ts";
import { Panel } from "../../parts/page.tsx";
import { ReasonForm } from "../../parts/reason-form.tsx";
import styles from "./recipes.module.css";

export type FullRecipe = operations["showRecipe"]["responses"][200]["content"]["application/json"];
type Act = "approve" | "retire";

const TITLES = { approve: "Approve: apply it from now on", retire: "Retire" } as const;
const DONE = {
  approve: "Approved: it is applied from now on. Retiring takes it back.",
  retire: "Retired: it is not applied any more. Approving brings it back.",
} as const;

/** Approves or retires a recipe as the person read it: what changed since is refused and shown. */
export function Judge({ recipe }: { readonly recipe: FullRecipe }) {
  const [act, setAct] = useState<Act | null>(null);
  const [why, setWhy] = useState("");
  const [said, setSaid] = useState("");
  /** Version that the person read before they chose. */
  const [version, setVersion] = useState(recipe.version);
  const choose = (next: Act): void => {
    setVersion(recipe.version);
    setSaid("");
    setAct(next);
  };
  useCommands([
    ...(recipe.state === "trusted" ? [] : [{ name: "Approve this recipe", run: () => choose("approve") }]),
    ...(recipe.state === "retired" ? [] : [{ name: "Retire this recipe", run: () => choose("retire") }]),
  ]);
  const send = async (chosen: Act, reason: string): Promise<void> => {
    const asked = {
      params: { path: { recipe_id: recipe.recipe_id } },
      body: { why: reason, version },
    };
    try {
      await (chosen === "approve"
        ? api.POST("/v1/recipes/{recipe_id}/approve", asked)
        : api.POST("/v1/recipes/{recipe_id}/retire", asked));
      setSaid(DONE[chosen]);
      setAct(null);
      setWhy("");
      await readAgain();
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 409) throw error;
      await readAgain();
      throw error;
    }
  };
  const isChanged = act !== null && version !== recipe.version;
  return (
    <Panel title="Judge it">
      {said !== "" && (
        <p role="status" className={styles.said}>
          {said}
        </p>
      )}
      {act === null ? (
        <>
          {recipe.state !== "trusted" && <Button onClick={() => choose("approve")}>{TITLES.approve}</Button>}{" "}
          {recipe.state !== "retired" && (
            <Button tone="bad" onClick={() => choose("retire")}>
              {TITLES.retire}
            </Button>
          )}
        </>
      ) : (
        <ReasonForm
          title={TITLES[act]}
          tone={act === "retire" ? "bad" : "main"}
          why={why}
          onWhy={setWhy}
          send={(reason) => send(act, reason)}
          onCancel={() => setAct(null)}
          blocked={
            isChanged ? `${recipe.changed_by} changed it meanwhile: it is ${recipe.state} now.` : undefined
          }
        >
          {isChanged && <Button onClick={() => setVersion(recipe.version)}>I have looked</Button>}
        </ReasonForm>
      )}
    </Panel>
  );
}
