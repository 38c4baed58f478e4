import { Link } from "@tanstack/react-router";
import type { Answer } from "../../data/answers.ts";
import { $api } from "../../data/api.ts";
import { counted } from "../../parts/amounts.ts";
import { Status } from "../../parts/badge.tsx";
import { Choice, SearchBox, useAsked } from "../../parts/filters.tsx";
import { GroupName } from "../../parts/group-name.tsx";
import { Page } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { countColumn, TablePanel } from "../../parts/table.tsx";
import type { Column } from "../../parts/table.tsx";
import { visible } from "../../parts/visible.ts";
import { When } from "../../parts/when.tsx";
import { inWords, operationsOf, RECIPE_STATES } from "./recipe-words.tsx";
import styles from "./recipes.module.css";

type Listed = Answer<"/v1/recipes">["recipes"][number];

const STATES = ["trial", "proposed", "trusted", "retired"] as const;
const SHOWN_MAX = 200;
const rank = (state: string): number => STATES.findIndex((one) => one === state);

const COLUMNS: readonly Column<Listed>[] = [
  { name: "Does", cell: (one) => <Summary of={one} /> },
  {
    name: "State",
    cell: ({ state }) => (
      <span title={RECIPE_STATES[state]}>
        <Status of={state} />
      </span>
    ),
  },
  { name: "For", cell: (one) => <GroupName of={one} /> },
  countColumn("Healed", ({ healed }) => healed),
  countColumn("Proofs", ({ proofs }) => proofs.length),
  {
    name: "Came back",
    cell: ({ failures }) => <span className={failures > 0 ? styles.bad : ""}>{failures}</span>,
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
  const isFiltered = text !== "" || wanted !== undefined;
  return (
    <Page title="Recipes">
      <p className={styles.lead}>
        Learned from accepted repairs, or written by people; proved anew on each message of their fault.
      </p>
      <div className={styles.filters}>
        <Choice name="state" label="State" options={STATES} />
        <SearchBox name="text" label="Find by agent, id or author" />
      </div>
      <Loaded query={query}>
        {({ recipes, total, counts }) => (
          <TablePanel
            title={total > SHOWN_MAX ? `The ${SHOWN_MAX} changed last of ${total}` : counted(total, "recipe")}
            aside={
              <span className={styles.quiet}>
                {STATES.flatMap((one) => (counts[one] ? `${counts[one]} ${one}` : [])).join(", ")}
              </span>
            }
            rows={recipes.toSorted((a, b) => rank(a.state) - rank(b.state))}
            keyOf={({ recipe_id: id }) => id}
            columns={COLUMNS}
            empty={
              <Empty title={isFiltered ? "No recipe meets this." : "There is no recipe yet."}>
                {isFiltered ? (
                  <p>Choose another state, or find something else.</p>
                ) : (
                  <p>
                    The first repair that is proved, or that a person signs, makes one.{" "}
                    <Link to="/inbox">The inbox</Link> has what waits for a repair.
                  </p>
                )}
              </Empty>
            }
          />
        )}
      </Loaded>
    </Page>
  );
}

function Summary({ of: { recipe_id: recipeId, recipe } }: { readonly of: Listed }) {
  const [first, ...more] = operationsOf(recipe);
  return (
    <Link to="/recipes/$recipeId" params={{ recipeId }} className={styles.does}>
      {first === undefined ? recipeId.slice(0, 8) : visible(inWords(first))}
      {more.length > 0 && ` And ${more.length} more.`}
    </Link>
  );
}
