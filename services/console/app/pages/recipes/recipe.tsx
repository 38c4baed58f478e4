import { Link, useParams } from "@tanstack/react-router";
import { $api } from "../../data/api.ts";
import { AuditList } from "../../parts/audit-list.tsx";
import { Status } from "../../parts/badge.tsx";
import { Id } from "../../parts/copy.tsx";
import { counted } from "../../parts/amounts.ts";
import { Facts } from "../../parts/facts.tsx";
import { GroupName } from "../../parts/group-name.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Loaded } from "../../parts/states.tsx";
import { visible } from "../../parts/visible.ts";
import { When } from "../../parts/when.tsx";
import type { FullRecipe } from "./judge.tsx";
import { Judge } from "./judge.tsx";
import { RecipeEditor } from "./recipe-editor.tsx";
import { inWords, operationsOf, RECIPE_STATES } from "./recipe-words.ts";
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
              <Standing recipe={recipe} />
              <Words recipe={recipe.recipe} />
              <Evidence recipe={recipe} />
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

function Standing({ recipe }: { readonly recipe: FullRecipe }) {
  return (
    <Panel title="How it stands" aside={<Status of={recipe.state} />}>
      <p className={styles.meaning}>{RECIPE_STATES[recipe.state]}</p>
      <Facts
        of={[
          ["Id", <Id key="id" of={recipe.recipe_id} />],
          ["Serves", <Served key="serves" recipe={recipe} />],
          ["Healed", counted(recipe.healed, "message")],
          [
            "Came back",
            <span key="failures" className={recipe.failures > 0 ? styles.bad : ""}>
              {counted(recipe.failures, "message")}
            </span>,
          ],
          [
            "Written by",
            <span key="by">
              {visible(recipe.by)} <When at={recipe.at} />
            </span>,
          ],
          [
            "Taken from",
            recipe.learned_from === null ? (
              "a person or a team"
            ) : (
              <CaseLink key="from" id={recipe.learned_from} />
            ),
          ],
          [
            "Changed",
            <span key="changed">
              <When at={recipe.changed_at} /> by {visible(recipe.changed_by)}
            </span>,
          ],
          recipe.why !== "" && ["Why", visible(recipe.why)],
          recipe.withheld_from.length > 0 && ["Withheld from", recipe.withheld_from.join(", ")],
        ]}
      />
    </Panel>
  );
}

function Served({ recipe: { group, fingerprint } }: { readonly recipe: FullRecipe }) {
  if (group !== null)
    return (
      <Link to="/inbox/group/$fingerprint" params={{ fingerprint: group.fingerprint }}>
        <GroupName of={group} />
      </Link>
    );
  const [agent, contract] = fingerprint.split("/*/");
  return contract === undefined ? (
    <span>
      <GroupName of={{ fingerprint }} /> (no message of it is kept any more)
    </span>
  ) : (
    <span>
      every fault of what {agent} is sent under {contract}
    </span>
  );
}

function Words({ recipe }: { readonly recipe: unknown }) {
  return (
    <Panel title="What it does">
      <ol className={styles.words}>
        {operationsOf(recipe).map((one) => (
          <li key={JSON.stringify(one)}>{visible(inWords(one))}</li>
        ))}
      </ol>
      <details>
        <summary>As data</summary>
        <pre className={styles.data} tabIndex={0}>
          {visible(JSON.stringify(recipe, null, 2))}
        </pre>
      </details>
    </Panel>
  );
}

function Evidence({
  recipe: { proofs, failures, failed_on: failedOn, failures_of: by },
}: {
  readonly recipe: FullRecipe;
}) {
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
      {Object.entries(by).map(([producer, count]) => (
        <p key={producer}>
          {visible(producer.replaceAll("|", " "))}: {count} came back
        </p>
      ))}
      <CaseList title="Came back" ids={failedOn} isOpen />
      <CaseList title="Proved on" ids={proofs} />
    </Panel>
  );
}

function CaseList({
  title,
  ids,
  isOpen = false,
}: {
  readonly title: string;
  readonly ids: readonly string[];
  readonly isOpen?: boolean;
}) {
  if (ids.length === 0) return null;
  return (
    <details open={isOpen}>
      <summary>
        {title} ({ids.length})
      </summary>
      <ul className={styles.cases}>
        {ids.slice(0, CASES_SHOWN).map((id) => (
          <li key={id}>
            <CaseLink id={id} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function CaseLink({ id }: { readonly id: string }) {
  return (
    <Link to="/inbox/case/$caseId" params={{ caseId: id }} title={id}>
      case <code>{id.slice(-8)}</code>
    </Link>
  );
}
