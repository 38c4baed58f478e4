import { useParams } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import { visible } from "#shared/json";
import { $api, api, useRole } from "../../data/api.ts";
import { CaseLink, GroupLink } from "../../parts/links.tsx";
import { Facts, Id, Json, Loaded, Page, Panel, Status, When } from "../../parts/page.tsx";
import { AskWhy } from "../../parts/reason-form.tsx";
import { LOG, TablePanel } from "../../parts/table.tsx";
import { counted } from "../../parts/text.ts";
import { RecipeEditor } from "./recipe-editor.tsx";
import { Operations, RECIPE_STATES } from "./recipes.tsx";
import type { FullRecipe } from "./recipes.tsx";
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
