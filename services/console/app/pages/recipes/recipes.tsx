import { Link } from "@tanstack/react-router";
import type { operations } from "#shared/api/client";
import { $api } from "../../data/api.ts";
import { counted } from "../../parts/amounts.ts";
import { Status } from "../../parts/badge.tsx";
import { Choice, SearchBox, useAsked } from "../../parts/filters.tsx";
import { GroupName } from "../../parts/group-name.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import type { Column } from "../../parts/table.tsx";
import { visible } from "../../parts/visible.ts";
import { When } from "../../parts/when.tsx";
import { inWords, operationsOf, RECIPE_STATES } from "./recipe-words.ts";
import styles from "./recipes.module.css";

type Listed = operations["listRecipes"]["responses"][200]["content"]["application/json"]["recipes"][number];

const STATES = ["trial", "proposed", "trusted", "retired"] as const;
const SHOWN_MAX = 200;
const rank = (state: string): number => STATES.findIndex((one) => one === state);

const COLUMNS: readonly Column<Listed>[] = [
  {
    name: "Does",
    cell: ({ recipe_id, recipe }) => <Summary recipeId={recipe_id} recipe={recipe} />,
  },
  {
    name: "State",
    cell: (one) => (
      <span title={RECIPE_STATES[one.state]}>
        <Status of={one.state} />
      </span>
    ),
  },
  { name: "For", cell: (one) => <GroupName of={one} /> },
  { name: "Healed", cell: ({ healed }) => healed.toLocaleString("en"), isNumeric: true },
  { name: "Proofs", cell: ({ proofs }) => proofs.length, isNumeric: true },
  {
    name: "Came back",
    cell: ({ failures }) => (
      <span className={failures > 0 ? styles.bad : ""}>{failures.toLocaleString("en")}</span>
    ),
    isNumeric: true,
  },
  {
    name: "Changed",
    cell: (one) => (
      <span className={styles.changed}>
        <When at={one.changed_at} /> <span className={styles.quiet}>by {visible(one.changed_by)}</span>
      </span>
    ),
  },
];

/** All recipes, those on trial first: what each does, what it healed, and what speaks against it. */
export function Recipes() {
  const [{ state, text = "" }] = useAsked();
  const wanted = STATES.find((one) => one === state);
  const query = $api.useQuery("get", "/v1/recipes", {
    params: { query: { text, limit: SHOWN_MAX, ...(wanted === undefined ? {} : { state: wanted }) } },
  });
  const counts = query.data?.counts ?? {};
  return (
    <Page title="Recipes">
      <p className={styles.lead}>
        Learned from accepted repairs, or written by people: a few operations for every message of one fault,
        proved on each message anew.
      </p>
      <div className={styles.filters}>
        <Choice name="state" label="State" options={STATES} />
        <SearchBox name="text" label="Find by agent, id or author" />
        <span className={styles.quiet}>
          {STATES.filter((one) => (counts[one] ?? 0) > 0)
            .map((one) => `${counts[one]} ${one}`)
            .join(", ")}
        </span>
      </div>
      <Loaded query={query}>
        {({ recipes, total }) => (
          <Panel
            title={total > SHOWN_MAX ? `The ${SHOWN_MAX} changed last of ${total}` : counted(total, "recipe")}
          >
            <Table
              label="Recipes"
              rows={recipes.toSorted((a, b) => rank(a.state) - rank(b.state))}
              isCards
              keyOf={({ recipe_id }) => recipe_id}
              empty={<None isFiltered={text !== "" || wanted !== undefined} />}
              columns={COLUMNS}
            />
          </Panel>
        )}
      </Loaded>
    </Page>
  );
}

function Summary({ recipeId, recipe }: { readonly recipeId: string; readonly recipe: unknown }) {
  const [first, ...more] = operationsOf(recipe);
  return (
    <Link to="/recipes/$recipeId" params={{ recipeId }} className={styles.does}>
      {first === undefined ? recipeId.slice(0, 8) : visible(inWords(first))}
      {more.length > 0 && ` And ${more.length} more.`}
    </Link>
  );
}

function None({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <Empty title="No recipe meets this.">
      <p>Choose another state, or find something else.</p>
    </Empty>
  ) : (
    <Empty title="There is no recipe yet.">
      <p>
        The first repair that is proved, or that a person signs, makes one; teams may ship some.{" "}
        <Link to="/inbox">The inbox</Link> has what waits for a repair.
      </p>
    </Empty>
  );
}
