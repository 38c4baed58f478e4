import { Link } from "@tanstack/react-router";
import { visible } from "#shared/json";
import { $api } from "../../data/api.ts";
import { useSettled } from "../../data/shared.ts";
import { addressOf, ruleInWords } from "../../parts/links.tsx";
import { Button, Panel } from "../../parts/page.tsx";
import { counted, words } from "../../parts/text.ts";
import type { CaseView } from "./actions.ts";
import { JsonView } from "../../parts/json-view.tsx";
import type { Side } from "../../parts/json-view.tsx";
import { compact, indent, isLocked } from "../../parts/json.ts";
import styles from "./case.module.css";

/** Has the server judge an edited value, once somebody stops typing. @param text - Null: nothing is edited. */
export function useVerdict(caseId: string, text: string | null) {
  const settled = useSettled(text);
  const { data, error, isFetching } = $api.useQuery(
    "post",
    "/v1/ward/cases/{case_id}/check",
    { params: { path: { case_id: caseId } }, body: { payload_text: compact(settled ?? "") } },
    // Each is a copy of what a customer wrote: none is kept.
    { enabled: settled !== null, gcTime: 0, placeholderData: (before) => before, retry: false },
  );
  const problem: unknown = error;
  const against = `${counted(data?.issues.length ?? 0, "thing stands", "things stand")} against it.`;
  const said = problem instanceof Error ? problem.message : data?.acceptable === true ? undefined : against;
  /** `blocked`: why it cannot be released as it stands; undefined: it can. */
  return { check: data, blocked: isFetching || settled !== text ? "Checking…" : said };
}

/** Text that an edit begins with: a proved repair, or the original. Proposals may hold invented values. */
export function startOf({ repair, original }: CaseView): string {
  return indent(repair?.outcome === "healed" ? JSON.stringify(repair.value) : (original?.text ?? ""));
}

interface Edited {
  readonly text: string;
  readonly verdict: ReturnType<typeof useVerdict>;
  readonly onText: (text: string) => void;
}

/** The original beside its repair, or beside the editor: what is wrong, what was changed, and from where. */
export function Evidence({ view, edited }: { readonly view: CaseView; readonly edited: Edited | null }) {
  const { original, message, repair } = view;
  const step = message?.subject.kind === "answer" ? message.subject.step : null;
  const failures = view.marks.filter(({ from }) => from === "failure");
  const left: Side = {
    label: step === null ? "Original" : `The model’s answer in step ${step}`,
    text: visible(indent(original?.text ?? message?.stored ?? "Nothing of it is kept.")),
    marks: failures.map((one) => ({ ...one, message: ruleInWords(one.message) ?? one.message })),
  };
  const unused = (edited === null && repair?.evidence?.unused) || [];
  const right = edited === null ? (proposedSide(view) ?? (repair && sideOf(repair))) : editorOf(view, edited);
  return (
    <Panel title="Evidence">
      {original === null && <p className={styles.quiet}>Its seal was never verified: nobody has read it.</p>}
      <JsonView key={right?.label} left={left} right={right} />
      <div className={styles.notes}>
        {edited !== null && <Verdict view={view} edited={edited} />}
        {right === null && <p>No repair of it is kept: see what was tried.</p>}
        {edited === null && repair?.diff.length === 0 && <p>Nothing was changed: only its text was read.</p>}
        {unused.map(({ name, piece, reason }) => (
          <p key={`${name} ${piece}`}>
            In no value of the repair, {words(reason)}: <code>{visible(`${name ?? ""} ${piece}`)}</code>
          </p>
        ))}
        <Learned of={view} />
      </div>
    </Panel>
  );
}

function proposedSide({ case: { proposal } }: CaseView): Side | null {
  if (proposal?.payload === undefined) return null;
  return { label: `Proposed by ${visible(proposal.by)}`, text: visible(indent(proposal.payload)), marks: [] };
}

const sideOf = (repair: Repair): Side => ({
  label: `Repair by ${words(repair.procedure)}: ${repair.outcome}`,
  text: indent(JSON.stringify(repair.value)),
  marks: repair.objections.map((one) => ({ ...one, message: `${words(one.code)}: ${one.message}` })),
  origins: originsOf(repair),
});

const editorOf = ({ contract }: CaseView, { text, verdict, onText }: Edited): Side => ({
  label: "Value to release",
  text,
  marks: verdict.check?.issues ?? [],
  edit: { schema: contract?.schema, onText },
});

/** The verdict of contract and proof on an edited value, and the value to begin with. */
function Verdict({ view, edited }: { readonly view: CaseView; readonly edited: Edited }) {
  const { text, onText, verdict } = edited;
  const { check, blocked } = verdict;
  const { contract, repair } = view;
  const changed = [...new Set(check?.diff.map(({ path }) => path))];
  const locked = changed.filter((path) => isLocked(contract?.schema, path)).join(", ");
  const second = check?.second_person.join(", ") ?? "";
  const start = startOf(view);
  return (
    <>
      <div role="status" className={styles.verdict} data-good={blocked === undefined}>
        <p>{blocked ?? "The contract takes this value."}</p>
        {second !== "" && <p className={styles.warn}>A second person has to approve {second} first.</p>}
        {locked !== "" && <p className={styles.warn}>Locked for procedures, in your name: {locked}.</p>}
      </div>
      <div className={styles.tools}>
        {text !== start && <Button onClick={() => onText(start)}>Start over</Button>}
        {repair !== null && repair.outcome !== "healed" && (
          <Button onClick={() => onText(indent(JSON.stringify(repair.value)))}>
            Begin with the proposal
          </Button>
        )}
      </div>
    </>
  );
}

type Repair = NonNullable<CaseView["repair"]>;

/** The origin of each value of a repair: the proof's derivation, its rule, and the piece it was read from. */
function originsOf({ provenance, evidence }: Repair): ReadonlyMap<string, string> {
  const origins = new Map(provenance.map(({ path, kind, detail }) => [path, `${words(kind)}: ${detail}`]));
  for (const { path, rules, piece } of evidence?.values ?? []) {
    const from = piece === null ? "in no one place of the original" : `from “${piece}” of the original`;
    const derived = origins.has(path) ? ` (${origins.get(path)})` : "";
    origins.set(path, `${rules.map(words).join(", ")}, ${from}${derived}`);
  }
  return origins;
}

/** The lesson of a repair: a recipe for the cases like it, or the reason that there is none. */
function Learned({ of: { case: one, audit } }: { readonly of: CaseView }) {
  const params = { path: { fingerprint: one.fingerprint } };
  const said = audit.find(({ action }) => action === "recipe.learn" || action === "recipe.none");
  const id = said?.detail["recipe_id"];
  const enabled = typeof id === "string";
  const { data: group } = $api.useQuery("get", "/v1/ward/groups/{fingerprint}", { params }, { enabled });
  if (said === undefined) return null;
  if (!enabled) return <p>Nothing was learned from it. {visible(said.why)}</p>;
  return (
    <p>
      <Link {...addressOf.recipe(id)}>A recipe</Link> was learned from it.{" "}
      <Link {...addressOf.group(one.fingerprint)}>
        {counted(group?.quarantined ?? 0, "case like it waits", "cases like it wait")}
      </Link>
    </p>
  );
}
