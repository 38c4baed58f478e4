import { lazy, Suspense, useState } from "react";
import { words } from "../../parts/amounts.ts";
import { Button } from "../../parts/button.tsx";
import { sendForm } from "../../parts/reason-form.tsx";
import { visible } from "../../parts/visible.ts";
import type { CaseView, Verdict } from "./case-data.ts";
import { indent } from "./json-lines.ts";
import { isLocked } from "./schema.ts";
import styles from "./case.module.css";

const Editor = lazy(async () => ({ default: (await import("./editor.tsx")).Editor }));

/**
 * Text that an edit begins with: a proved repair, else the original. A proposal that was objected to may hold invented
 * values: it is taken over by hand or not at all.
 */
export function startOf({ repair, original }: CaseView): string {
  return indent(repair?.outcome === "healed" ? JSON.stringify(repair.value) : (original?.text ?? ""));
}

interface EditProps {
  readonly view: CaseView;
  readonly text: string;
  readonly verdict: Verdict;
  readonly onText: (text: string) => void;
}

/** An editor for the value to release, and what the contract and the proof say of it while it is typed. */
export function Edit({ view, text, verdict, onText }: EditProps) {
  const { repair, contract } = view;
  const [round, setRound] = useState(0);
  const begin = (next: string): void => {
    onText(next);
    setRound(round + 1);
  };
  const proposal = repair !== null && repair.outcome !== "healed" ? repair.value : undefined;
  return (
    <div className={styles.edit}>
      <Suspense fallback={<div className={styles.loading} aria-busy="true" />}>
        <Editor
          key={round}
          label="Value to release"
          text={text}
          schema={contract?.schema}
          issues={verdict.check?.issues ?? NONE}
          onChange={onText}
          onSend={sendForm}
        />
      </Suspense>
      <div id="verdict" role="status" className={styles.verdict} data-good={verdict.blocked === undefined}>
        <Said view={view} verdict={verdict} />
      </div>
      <div className={styles.tools}>
        {text !== startOf(view) && <Button onClick={() => begin(startOf(view))}>Start over</Button>}
        {proposal !== undefined && (
          <Button onClick={() => begin(indent(JSON.stringify(proposal)))}>Begin with the proposal</Button>
        )}
      </div>
    </div>
  );
}

const NONE: NonNullable<Verdict["check"]>["issues"] = [];

function Said({
  view: { contract },
  verdict: { check, blocked },
}: {
  readonly view: CaseView;
  readonly verdict: Verdict;
}) {
  const locked = [...new Set(check?.diff.map(({ path }) => path))].filter((path) =>
    isLocked(contract?.schema, path),
  );
  const second = check?.second_person ?? [];
  return (
    <>
      <p>{blocked ?? "The contract takes this value."}</p>
      {check !== null && check.issues.length > 0 && (
        <ul>
          {check.issues.map(({ path, code, message }) => (
            <li key={`${path} ${code} ${message}`}>
              <code>{visible(path || "/")}</code> {words(code)}: {visible(message)}
            </li>
          ))}
        </ul>
      )}
      {second.length > 0 && (
        <p className={styles.warn}>
          A second person has to approve {second.join(", ")}: it goes out after that.
        </p>
      )}
      {locked.length > 0 && (
        <p className={styles.warn}>
          Locked: {locked.join(", ")}. No procedure writes it; it goes out in your name.
        </p>
      )}
    </>
  );
}
