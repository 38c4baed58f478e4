import { Link } from "@tanstack/react-router";
import type { operations } from "#shared/api/client";
import { visible } from "#shared/json";
import { $api } from "../../data/api.ts";
import type { Answer } from "../../data/api.ts";
import { Choice, SearchBox, useAsked } from "../../parts/filters.tsx";
import { addressOf, GroupName } from "../../parts/links.tsx";
import { Empty, Page, Status, When } from "../../parts/page.tsx";
import { amount, TablePanel } from "../../parts/table.tsx";
import type { Columns } from "../../parts/table.tsx";
import { counted } from "../../parts/text.ts";
import parts from "../../parts/parts.module.css";
import styles from "./recipes.module.css";

export type Recipe = operations["editRecipe"]["requestBody"]["content"]["application/json"]["recipe"];
type Operation = Recipe["operations"][number];

export type FullRecipe = Answer<"/v1/recipes/{recipe_id}">;
type Listed = Answer<"/v1/recipes">["recipes"][number];

/** States of a recipe with their meanings, the one to look at first leading. */
export const RECIPE_STATES: Readonly<Record<string, string>> = {
  trial:
    "It is applied to messages of the producers whose repairs taught it, each time with the full proof, and trusted once enough messages and producers speak for it.",
  proposed: "It is not applied. Approve it, or wait until another accepted repair says the same.",
  trusted:
    "It is applied to every such message, each time with the full proof. It is withheld from a producer whose messages come back.",
  retired:
    "It is never applied and never learned again; it is kept for the record. Approving brings it back.",
};

const STATES = ["trial", "proposed", "trusted", "retired"] as const;
const SHOWN_MAX = 200;

const COLUMNS: Columns<Listed> = {
  Does: ({ recipe_id: recipeId, recipe }) => {
    const [first, ...more] = operationsOf(recipe);
    return (
      <Link {...addressOf.recipe(recipeId)} className={styles.does}>
        {first === undefined ? recipeId.slice(0, 8) : visible(inWords(first))}
        {more.length > 0 && ` And ${more.length} more.`}
      </Link>
    );
  },
  State: ({ state }) => <Status of={state} title={RECIPE_STATES[state]} />,
  For: (one) => <GroupName of={one} />,
  Healed: amount(({ healed }) => healed),
  Proofs: amount(({ proofs }) => proofs.length),
  "Came back": amount(({ failures }) => <span className={failures > 0 ? parts.bad : ""}>{failures}</span>),
  Changed: (one) => <When at={one.changed_at} by={one.changed_by} />,
};

/** All recipes, those on trial first: what each does, what it healed, and what speaks against it. */
export function Recipes() {
  const [{ state, text = "" }] = useAsked();
  const wanted = STATES.find((one) => one === state);
  const query = $api.useQuery("get", "/v1/recipes", {
    params: { query: { text, limit: SHOWN_MAX, ...(wanted === undefined ? {} : { state: wanted }) } },
  });
  const { recipes = [], total = 0, counts } = query.data ?? {};
  const title = total > SHOWN_MAX ? `The ${SHOWN_MAX} changed last of ${total}` : counted(total, "recipe");
  const isFiltered = text !== "" || wanted !== undefined;
  return (
    <Page title="Recipes">
      <p className={styles.meaning}>
        Learned from accepted repairs, or written by people; proved anew on each message of their fault.
      </p>
      <div className={parts.filters}>
        <Choice name="state" label="State" options={STATES} />
        <SearchBox label="Find by agent, id or author" />
      </div>
      <TablePanel
        title={query.data ? title : "All recipes"}
        aside={STATES.flatMap((one) => (counts?.[one] ? `${counts[one]} ${one}` : [])).join(", ")}
        query={query}
        rows={STATES.flatMap((one) => recipes.filter((recipe) => recipe.state === one))}
        keyOf={({ recipe_id: id }) => id}
        columns={COLUMNS}
        empty={
          <Empty title={isFiltered ? "No recipe meets this." : "There is no recipe yet."}>
            <p>
              The first repair that is proved, or that a person signs, makes one.{" "}
              <Link to="/inbox">The inbox</Link> has what waits for a repair.
            </p>
          </Empty>
        }
      />
    </Page>
  );
}

/** Returns the operations of a recipe as the API stores it. */
function operationsOf(recipe: unknown): readonly Operation[] {
  // The API checks a recipe before it stores it, and says no more of it than that it is one.
  return (recipe as Recipe).operations;
}

const KINDS = { string: "a text", number: "a number", integer: "a whole number", boolean: "true or false" };

/** Operations as sentences. */
const SENTENCES: { readonly [Op in Operation["op"]]: (of: Extract<Operation, { op: Op }>) => string } = {
  rename: ({ path, to }) => `Call the member ${placeOf(path)} “${to}” instead.`,
  move: ({ path, from }) => `Move what stands at ${placeOf(from)} to ${placeOf(path)}.`,
  wrap: ({ path, in: holder }) =>
    `Put what stands at ${placeOf(path)} into ${holder === "array" ? "a list" : `an object, as “${holder.key}”`}.`,
  unwrap: ({ path, key }) =>
    key === undefined
      ? `Take what stands at ${placeOf(path)} out of its list or object.`
      : `Put the member “${key}” of ${placeOf(path)} in its place.`,
  coerce: ({ path, to }) => `Read what stands at ${placeOf(path)} as ${KINDS[to]}.`,
  map_value: ({ path, map }) => `At ${placeOf(path)}, read ${map.map(pairInWords).join(", ")}.`,
  set_default: ({ path, value }) =>
    `Where nothing stands at ${placeOf(path)}, write ${JSON.stringify(value)}.`,
  delete: ({ path }) => `Take away what stands at ${placeOf(path)}.`,
  parse_json: ({ path }) => `Read the text at ${placeOf(path)} as the JSON that it holds.`,
  split: ({ path, by }) => `Split the text at ${placeOf(path)} at every ${JSON.stringify(by)} into a list.`,
  join: ({ path, by }) =>
    `Join the list at ${placeOf(path)} to one text, with ${JSON.stringify(by)} between.`,
};

/** Returns one operation as a sentence. */
function inWords(operation: Operation): string {
  // Each sentence is of the operation that it stands under.
  const say = SENTENCES[operation.op] as (of: Operation) => string;
  return say(operation);
}

const pairInWords = ({ from, to }: { readonly from: unknown; readonly to: unknown }): string =>
  `${JSON.stringify(from)} as ${JSON.stringify(to)}`;

function placeOf(pointer: string): string {
  if (pointer === "") return "the whole";
  return pointer.includes("*") ? `${pointer} (* is each of them)` : pointer;
}

/** A recipe in words, a sentence for each of its operations. */
export function Operations({ of }: { readonly of: unknown }) {
  return (
    <ol className={styles.words}>
      {operationsOf(of).map((one) => (
        <li key={JSON.stringify(one)}>{visible(inWords(one))}</li>
      ))}
    </ol>
  );
}
