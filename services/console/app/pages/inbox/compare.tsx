import type { ReactNode } from "react";
import { words } from "../../parts/amounts.ts";
import { Badge } from "../../parts/badge.tsx";
import { ruleInWords as faultRule } from "../../parts/group-name.tsx";
import { Table } from "../../parts/table.tsx";
import type { Column } from "../../parts/table.tsx";
import { visible } from "../../parts/visible.ts";
import { procedureName, reasonInWords, ruleInWords, UNUSED } from "./case-words.ts";
import type { CaseView } from "./case-data.ts";
import { JsonGrid } from "./json-grid.tsx";
import type { Mark } from "./json-grid.tsx";
import { linesOf, pairLines, readJson, withMissing } from "./json-lines.ts";
import { Learned, withoutRepair } from "./aftermath.tsx";
import styles from "./case.module.css";

/** The original beside its repair, or beside the editor: what is wrong, what was changed, and from where. */
export function Compare({ view, editor }: { readonly view: CaseView; readonly editor: ReactNode }) {
  const { original, message, marks, repair } = view;
  const value = original === null ? undefined : readJson(original.text);
  const failures = marks
    .filter(({ from }) => from === "failure")
    .map((mark): Mark => ({
      path: mark.path,
      kind: "failure",
      message: faultRule(mark.message) ?? mark.message,
    }));
  const title =
    message?.subject.kind === "answer" ? `The model’s answer in step ${message.subject.step}` : "Original";
  if (value === undefined)
    return (
      <Sides left={title} right={editor === null ? "Repair" : "Your value"}>
        {original === null && (
          <p className={styles.quiet}>Its seal was never verified: nobody has read it.</p>
        )}
        <pre className={styles.text} role="group" tabIndex={0} aria-label={title}>
          {visible(original?.text ?? message?.stored ?? "Nothing of it is kept.")}
        </pre>
        {editor ?? <RepairAlone view={view} />}
      </Sides>
    );
  const shown = editor === null ? repair : null;
  const lines = linesOf(value);
  const missing = failures.map(({ path }) => path);
  if (shown === null) {
    const alone = (
      <JsonGrid
        label={title}
        sides={1}
        pairs={withMissing(lines, missing).map((left) => ({ left, right: null }))}
        marks={{ left: failures, right: [] }}
      />
    );
    return (
      <>
        {editor === null && <p className={styles.quiet}>{withoutRepair(view)}</p>}
        {editor === null ? (
          alone
        ) : (
          <Sides left={title} right="Your value">
            {alone}
            {editor}
          </Sides>
        )}
      </>
    );
  }
  return <Repaired view={view} repair={shown} title={title} failures={failures} lines={lines} />;
}

type Repair = NonNullable<CaseView["repair"]>;

interface RepairedProps {
  readonly view: CaseView;
  readonly repair: Repair;
  readonly title: string;
  readonly failures: readonly Mark[];
  readonly lines: ReturnType<typeof linesOf>;
}

function Repaired({ view, repair, title, failures, lines }: RepairedProps) {
  const right = linesOf(repair.value);
  const there = new Set(right.map(({ pointer }) => pointer));
  const missing = failures.map(({ path }) => path).filter((path) => !there.has(path));
  const changed = (kind: "removed" | "added", ops: readonly string[]): Mark[] =>
    repair.diff.filter(({ op }) => ops.includes(op)).map(({ path }) => ({ path, kind, message: "" }));
  const objections = repair.objections.map(({ path, code, message }): Mark => ({
    path,
    kind: "objection",
    message: `${words(code)}: ${message}`,
  }));
  return (
    <>
      <Sides left={title} right={<RepairTitle repair={repair} />} />
      <JsonGrid
        label={`${title} and repair`}
        sides={2}
        pairs={pairLines(withMissing(lines, missing), right)}
        marks={{
          left: [...failures, ...changed("removed", ["remove", "replace", "move"])],
          right: [...objections, ...changed("added", ["add", "replace", "move", "copy"])],
        }}
        origins={originsOf(repair)}
      />
      <RepairNotes repair={repair} />
      <Learned of={view} />
    </>
  );
}

function RepairTitle({ repair: { procedure, outcome } }: { readonly repair: Repair }) {
  return (
    <>
      Repair by {procedureName(procedure)}{" "}
      <Badge tone={outcome === "healed" ? "good" : "warn"}>{outcome}</Badge>
    </>
  );
}

type Unused = NonNullable<Repair["evidence"]>["unused"][number];

const COLUMNS: readonly Column<Unused>[] = [
  { name: "Not used", cell: ({ name }) => Piece({ of: name ?? "" }) },
  { name: "In the original", cell: ({ piece }) => Piece({ of: piece }) },
  { name: "Why", cell: ({ reason }) => UNUSED[reason] },
];

function Piece({ of }: { readonly of: string }) {
  return <code>{visible(of)}</code>;
}

function RepairNotes({ repair }: { readonly repair: Repair }) {
  const { procedure, reason, said, evidence, diff } = repair;
  return (
    <div className={styles.notes}>
      <p>
        {visible(reasonInWords(procedure, reason))} {said !== undefined && <q>{visible(said)}</q>}
        {diff.length === 0 && " Nothing in it was changed: only its text was read."}
      </p>
      {evidence !== null && evidence.unused.length > 0 && (
        <Table
          label="Data of the original that is in no value"
          rows={evidence.unused}
          keyOf={({ name, piece }) => `${name} ${piece}`}
          empty={null}
          columns={COLUMNS}
        />
      )}
    </div>
  );
}

/** The repair of an original that is no JSON. */
function RepairAlone({ view }: { readonly view: CaseView }) {
  const { repair } = view;
  if (repair === null) return <p className={styles.quiet}>{withoutRepair(view)}</p>;
  const objections = repair.objections.map(({ path, message }): Mark => ({
    path,
    kind: "objection",
    message,
  }));
  return (
    <>
      <JsonGrid
        label="Repair"
        sides={2}
        pairs={linesOf(repair.value).map((right) => ({ left: null, right }))}
        marks={{ left: [], right: objections }}
        origins={originsOf(repair)}
      />
      <RepairTitle repair={repair} />
      <RepairNotes repair={repair} />
    </>
  );
}

interface SidesProps {
  readonly left: string;
  readonly right: ReactNode;
  readonly children?: readonly ReactNode[];
}

function Sides({ left, right, children = [] }: SidesProps) {
  const beside = children.at(-1);
  return (
    <div className={styles.sides}>
      <h3>{left}</h3>
      <h3 className={children.length === 0 ? "" : styles.second}>{right}</h3>
      {children.length > 0 && (
        <>
          <div className={styles.side}>{children.slice(0, -1)}</div>
          <div className={styles.side}>{beside}</div>
        </>
      )}
    </div>
  );
}

/** Where each value of a repair comes from: how the proof derived it, by which rule, and from which piece. */
function originsOf({ provenance, evidence }: Repair): ReadonlyMap<string, string> {
  const origins = new Map(provenance.map(({ path, kind, detail }) => [path, `${words(kind)}: ${detail}`]));
  for (const { path, rules, piece } of evidence?.values ?? []) {
    const from = piece === null ? "in no one place of the original" : `from “${piece}” of the original`;
    const known = origins.get(path);
    origins.set(
      path,
      `${rules.map(ruleInWords).join(", ")}, ${from}${known === undefined ? "" : ` (${known})`}`,
    );
  }
  return origins;
}
