import { Link } from "@tanstack/react-router";
import { $api } from "../../data/api.ts";
import { counted } from "../../parts/amounts.ts";
import { visible } from "../../parts/visible.ts";
import type { CaseView } from "./case-data.ts";
import { procedureName } from "./case-words.ts";

/** What a repair has taught: a recipe for the cases like it, or why nothing. */
export function Learned({ of: { case: one, audit } }: { readonly of: CaseView }) {
  const { fingerprint } = one;
  const said = audit.find(({ action }) => action === "recipe.learn" || action === "recipe.none");
  const id = said?.detail["recipe_id"];
  const { data: group } = $api.useQuery(
    "get",
    "/v1/ward/groups/{fingerprint}",
    { params: { path: { fingerprint } } },
    { enabled: typeof id === "string" },
  );
  if (said === undefined) return null;
  if (typeof id !== "string") return <p>Nothing was learned from it. {visible(said.why)}</p>;
  const waiting = group?.quarantined ?? 0;
  return (
    <p>
      Learned:{" "}
      <Link to="/recipes/$recipeId" params={{ recipeId: id }}>
        a recipe
      </Link>{" "}
      for cases like it.{" "}
      {waiting > 0 && (
        <Link to="/inbox/group/$fingerprint" params={{ fingerprint }}>
          Try it on the {counted(waiting, "case")} that {waiting === 1 ? "waits" : "wait"}
        </Link>
      )}
    </p>
  );
}

const SENT_ON: Readonly<Record<string, string>> = {
  released: "sent it on",
  rerouted: "offered it to another agent",
  discharged: "sent it on",
};

/** What became of a message for which no changed value is kept. */
export function withoutRepair({ case: one, history, audit }: CaseView): string {
  const healed = history.flatMap(({ attempts }) => attempts).findLast(({ outcome }) => outcome === "healed");
  const last = audit.find(({ action }) => SENT_ON[action] !== undefined);
  if (one.status === "discharged" || one.status === "released") {
    if (last?.detail["healed"] === false)
      return `It went on as it stood: ${last.by} ${SENT_ON[last.action]}${last.why === "" ? "." : `, because: ${last.why}`}`;
    if (healed !== undefined)
      return `${procedureName(healed.procedure)} healed it; what it changed was too much to keep.`;
  }
  return history.length === 0 ? "No procedure was tried." : "No procedure had an answer.";
}
