import { Link, useParams } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import { $api } from "../../data/api.ts";
import { counted } from "../../parts/amounts.ts";
import { AuditList } from "../../parts/audit-list.tsx";
import { Status } from "../../parts/badge.tsx";
import { CaseLink, GroupLink } from "../../parts/links.tsx";
import { Facts, Id, Json, Page, Panel } from "../../parts/page.tsx";
import { Loaded } from "../../parts/states.tsx";
import { visible } from "../../parts/visible.ts";
import { When } from "../../parts/when.tsx";
import type { FullRecipe } from "./change-recipe.tsx";
import { Judge, RecipeEditor } from "./change-recipe.tsx";
import { Operations, RECIPE_STATES } from "./recipe-words.tsx";
import styles from "./recipes.module.css";

const CASES_SHOWN = 20;

/** One recipe: what it does, how it fares, whom it serves, and what an admin can do with it. */
export function RecipePage() {
  const { recipeId } = useParams({ from: "/shell/recipes/$recipeId" });
  const query = $api.useQuery("get", "/v1/recipes/{recipe_id}", {
    params: { path: { recipe_id: recipeId } },
  });
  const { data: session } = $api.useQuery("get", "/v1/session");
  return (
    <Page title={`Recipe ${recipeId.slice(0, 8)}`} actions={<Link to="/recipes">All recipes</Link>}>
      <Loaded query={query}>
        {(recipe) => (
          <div className={styles.columns} key={recipeId}>
            <div>
              <Panel title="How it stands" aside={<Status of={recipe.state} />}>
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
              {session?.role === "admin" ? (
                <>
                  <Judge recipe={recipe} />
                  <RecipeEditor recipe={recipe} />
                </>
              ) : (
                <p className={styles.lead}>Your role may look; an admin judges and edits recipes.</p>
              )}
              <Panel title="Who did what">
                <AuditList of={recipe.audit} empty="Nothing is written down of it any more." />
              </Panel>
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}

const factsOf = (recipe: FullRecipe): ComponentProps<typeof Facts>["of"] => [
  ["Id", <Id key="id" of={recipe.recipe_id} />],
  ["Serves", <Served key="serves" of={recipe} />],
  ["Healed", counted(recipe.healed, "message")],
  ["Written by", <By key="by" name={recipe.by} at={recipe.at} />],
  [
    "Taken from",
    recipe.learned_from === null ? "a person or a team" : <CaseLink key="from" id={recipe.learned_from} />,
  ],
  ["Changed by", <By key="changed" name={recipe.changed_by} at={recipe.changed_at} />],
  recipe.why !== "" && ["Why", visible(recipe.why)],
  recipe.withheld_from.length > 0 && ["Withheld from", recipe.withheld_from.join(", ")],
];

const By = ({ name, at }: { readonly name: string; readonly at: string }) => (
  <span>
    {visible(name)} <When at={at} />
  </span>
);

function Served({ of: { group, fingerprint } }: { readonly of: FullRecipe }) {
  if (group !== null) return <GroupLink of={group} />;
  const [agent, contract] = fingerprint.split("/*/");
  if (contract === undefined) return `${fingerprint} (no message of it is kept any more)`;
  return `every fault of what ${agent} is sent under ${contract}`;
}

function Evidence({ of: { proofs, failures, ...recipe } }: { readonly of: FullRecipe }) {
  return (
    <Panel title="What speaks for it and against it">
      {proofs.length === 0 && failures === 0 ? (
        <p className={styles.quiet}>No message has spoken for it or against it yet.</p>
      ) : (
        <p className={failures > 0 ? styles.bad : ""}>
          {counted(proofs.length, "message")} healed with proof since its trial began;{" "}
          {counted(failures, "message")} that it healed came back.
          {failures > 0 && " Look at one that came back, then edit the recipe or retire it."}
        </p>
      )}
      {Object.entries(recipe.failures_of).map(([producer, count]) => (
        <p key={producer}>
          {visible(producer.replaceAll("|", " "))}: {count} came back
        </p>
      ))}
      <Cases title="Came back" ids={recipe.failed_on} isOpen />
      <Cases title="Proved on" ids={proofs} />
    </Panel>
  );
}

function Cases(props: {
  readonly title: string;
  readonly ids: readonly string[];
  readonly isOpen?: boolean;
}) {
  const { title, ids, isOpen = false } = props;
  if (ids.length === 0) return null;
  return (
    <details open={isOpen}>
      <summary>
        {title} ({ids.length})
      </summary>
      <div className={styles.cases}>
        {ids.slice(0, CASES_SHOWN).map((id) => (
          <CaseLink key={id} id={id} />
        ))}
      </div>
    </details>
  );
}
