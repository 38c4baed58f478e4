import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { ComponentProps } from "react";
import type { operations } from "#shared/api/client";
import { readJson, visible } from "#shared/json";
import { $api, api, Problem, useRole } from "../../data/api.ts";
import { useSettled } from "../../data/shared.ts";
import { CaseLink, GroupLink } from "../../parts/links.tsx";
import { Button, Facts, Failed, Faults, Id, Json, Loaded, Page } from "../../parts/page.tsx";
import { Panel, Status, When } from "../../parts/page.tsx";
import { AskWhy, ReasonForm } from "../../parts/reason-form.tsx";
import { LOG, TablePanel } from "../../parts/table.tsx";
import { counted, words } from "../../parts/text.ts";
import { Operations, RECIPE_STATES } from "./recipes.tsx";
import type { FullRecipe, Recipe } from "./recipes.tsx";
import parts from "../../parts/parts.module.css";
import styles from "./recipes.module.css";

const CASES_SHOWN = 20;

/** One recipe: what it does, how it fares, whom it serves, and what an admin can do with it. */
export function RecipePage() {
  const { recipeId } = useParams({ from: "/shell/recipes/$recipeId" });
  const query = $api.useQuery("get", "/v1/recipes/{recipe_id}", {
    params: { path: { recipe_id: recipeId } },
  });
  const isAdmin = useRole() === "admin";
  return (
    <Page title={`Recipe ${recipeId.slice(0, 8)}`}>
      <Loaded query={query}>
        {(recipe) => (
          <div className={styles.columns} key={recipeId}>
            <div>
              <Panel title="How it stands" aside={<Judge recipe={recipe} isAdmin={isAdmin} />}>
                <p className={styles.meaning}>{RECIPE_STATES[recipe.state]}</p>
                <Facts of={factsOf(recipe)} />
              </Panel>
              <Panel title="What it does">
                <Operations of={recipe.recipe} />
                <details>
                  <summary>As data</summary>
                  <Json of={recipe.recipe} label="The recipe as data" />
                </details>
              </Panel>
              <Evidence of={recipe} />
            </div>
            <div>
              {isAdmin && <RecipeEditor recipe={recipe} />}
              {!isAdmin && <p className={parts.quiet}>Your role may look; an admin judges and edits.</p>}
              <TablePanel
                title="Who did what"
                rows={recipe.audit}
                {...LOG}
                empty="Nothing is written down of it any more."
              />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}

const ACTS = [
  {
    title: "Approve this recipe",
    children: "It is applied from now on. Retiring takes it back.",
    makes: "trusted",
    tone: "main",
    path: "/v1/recipes/{recipe_id}/approve",
  },
  {
    title: "Retire this recipe",
    children: "It is not applied any more. Approving brings it back.",
    makes: "retired",
    tone: "bad",
    path: "/v1/recipes/{recipe_id}/retire",
  },
] as const;

/** State of a recipe. An admin approves or retires it as they read it: one that was changed since is refused. */
function Judge({ recipe, isAdmin }: { readonly recipe: FullRecipe; readonly isAdmin: boolean }) {
  const { recipe_id: id, version } = recipe;
  const params = { path: { recipe_id: id } };
  return (
    <span className={parts.buttons}>
      <Status of={recipe.state} />
      {ACTS.filter(({ makes }) => isAdmin && makes !== recipe.state).map(({ makes, path, ...act }) => (
        <AskWhy key={makes} {...act} send={(why) => api.POST(path, { params, body: { why, version } })} />
      ))}
    </span>
  );
}

const factsOf = (recipe: FullRecipe): ComponentProps<typeof Facts>["of"] => ({
  Id: <Id of={recipe.recipe_id} />,
  Serves: servedBy(recipe),
  Healed: counted(recipe.healed, "message"),
  "Written by": <When at={recipe.at} by={recipe.by} />,
  "Taken from": recipe.learned_from === null ? "a person or a team" : <CaseLink id={recipe.learned_from} />,
  "Changed by": <When at={recipe.changed_at} by={recipe.changed_by} />,
  Why: recipe.why !== "" && visible(recipe.why),
  "Withheld from": recipe.withheld_from.length > 0 && recipe.withheld_from.join(", "),
});

function servedBy({ group, fingerprint }: FullRecipe) {
  if (group !== null) return <GroupLink of={group} />;
  const [agent, contract] = fingerprint.split("/*/");
  if (contract === undefined) return `${fingerprint} (no message of it is kept any more)`;
  return `every fault of what ${agent} is sent under ${contract}`;
}

function Evidence({ of: { proofs, failures, ...recipe } }: { readonly of: FullRecipe }) {
  const cases = [
    ["Came back", recipe.failed_on],
    ["Proved on", proofs],
  ] as const;
  return (
    <Panel title="What speaks for it and against it">
      <p className={failures > 0 ? parts.bad : ""}>
        {counted(proofs.length, "message")} healed with proof since its trial began;{" "}
        {counted(failures, "message")} that it healed came back.
        {failures > 0 && " Look at one that came back, then edit the recipe or retire it."}
      </p>
      {Object.entries(recipe.failures_of).map(([producer, count]) => (
        <p key={producer}>
          {visible(producer.replaceAll("|", " "))}: {count} came back
        </p>
      ))}
      {cases.map(
        ([title, ids]) =>
          ids.length > 0 && (
            <details key={title} open={ids === recipe.failed_on}>
              <summary>
                {title} ({ids.length})
              </summary>
              <div className={parts.buttons}>
                {ids.slice(0, CASES_SHOWN).map((id) => (
                  <CaseLink key={id} id={id} />
                ))}
              </div>
            </details>
          ),
      )}
    </Panel>
  );
}

type Result = operations["tryRecipe"]["responses"][200]["content"]["application/json"];

/** Failed trials that are shown, and objections of each. */
const [FAILED_SHOWN, OBJECTIONS_SHOWN] = [10, 5];

/**
 * A field for a recipe's text, which is tried while somebody types: only what no held message speaks against can be
 * kept, with a reason, in the place of the version that it was made from.
 */
function RecipeEditor({ recipe }: { readonly recipe: FullRecipe }) {
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
        .slice(0, FAILED_SHOWN)
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
