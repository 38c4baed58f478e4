import { Tooltip } from "@base-ui/react/tooltip";
import { useState } from "react";
import { counted } from "../../parts/amounts.ts";
import { Button } from "../../parts/button.tsx";
import { visible } from "../../parts/visible.ts";
import { nearest } from "./json-lines.ts";
import type { Line, Pair } from "./json-lines.ts";
import styles from "./case.module.css";

/** Something that is said of a place. `kind` colours it. */
export interface Mark {
  readonly path: string;
  readonly kind: "failure" | "objection" | "removed" | "added";
  readonly message: string;
}

export interface JsonGridProps {
  readonly label: string;
  readonly pairs: readonly Pair[];
  readonly marks: { readonly left: readonly Mark[]; readonly right: readonly Mark[] };
  /** One column, or the original beside its repair. */
  readonly sides: 1 | 2;
  /** Where a value of the repair comes from, by its place. */
  readonly origins?: ReadonlyMap<string, string>;
}

/** Lines that are shown around one that matters, and how many may be shown without folding. */
const [AROUND, UNFOLDED_MAX] = [3, 60];
const STEP_PX = 14;

type Marks = ReadonlyMap<string, readonly Mark[]>;

/** One value, or two side by side, with marks at their places. Long stretches without one are folded. */
export function JsonGrid({ label, pairs, marks, sides, origins = new Map() }: JsonGridProps) {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const left = marksByPlace(pairs, marks.left, "left");
  const right = marksByPlace(pairs, marks.right, "right");
  return (
    <Tooltip.Provider delay={150}>
      <div className={styles.grid} data-sides={sides} role="group" aria-label={label} tabIndex={0}>
        {foldsOf(pairs, left, right).map(({ from, to, isFolded }) =>
          isFolded && !opened.has(from) ? (
            <Button key={`fold ${from}`} onClick={() => setOpened(new Set([...opened, from]))}>
              {sides === 2 ? counted(to - from, "equal line") : counted(to - from, "more line")}
            </Button>
          ) : (
            pairs.slice(from, to).map((pair, index) => (
              <div
                key={from + index}
                className={styles.pair}
                data-equal={pair.left?.text === pair.right?.text}
              >
                <Cell line={pair.left} beside={pair.right} marks={left} />
                {sides === 2 && (
                  <Cell line={pair.right} marks={right} origin={origins.get(pair.right?.pointer ?? " ")} />
                )}
              </div>
            ))
          ),
        )}
      </div>
    </Tooltip.Provider>
  );
}

interface CellProps {
  readonly line: Line | null;
  /** Line of the repair at the same place, which the original may lack. */
  readonly beside?: Line | null;
  readonly marks: Marks;
  readonly origin?: string | undefined;
}

function Cell({ line, beside = null, marks, origin }: CellProps) {
  const shown = line ?? (beside !== null && !beside.isEnd && marks.has(beside.pointer) ? beside : null);
  if (shown === null) return <div className={styles.line} data-mark="none" />;
  const said = shown.isEnd ? [] : (marks.get(shown.pointer) ?? []);
  const isMissing = line === null || shown.text.endsWith(": missing");
  const kind = said.find((mark) => mark.kind === "failure" || mark.kind === "objection") ?? said[0];
  const messages = [...new Set(said.map(({ message }) => message).filter((message) => message !== ""))];
  const text = line === null ? shown.text.replace(/: .*/s, ": missing") : shown.text;
  return (
    <div
      className={styles.line}
      data-mark={isMissing ? "missing" : kind?.kind}
      style={{ paddingLeft: 8 + Math.min(shown.depth, 12) * STEP_PX }}
    >
      {origin === undefined ? (
        <code>{visible(text)}</code>
      ) : (
        <Origin text={text} origin={origin} isChanged={said.length > 0} />
      )}
      {messages.slice(0, 3).map((message) => (
        <span key={message}>{visible(message)}</span>
      ))}
    </div>
  );
}

/** A value that tells where it comes from, on hover and on focus. */
function Origin({
  text,
  origin,
  isChanged,
}: {
  readonly text: string;
  readonly origin: string;
  readonly isChanged: boolean;
}) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger render={<code tabIndex={isChanged ? 0 : -1} aria-description={origin} />}>
        {visible(text)}
      </Tooltip.Trigger>
      <Tooltip.Portal container={document.getElementById("page")}>
        <Tooltip.Positioner sideOffset={4} align="start">
          <Tooltip.Popup className={styles.origin}>{visible(origin)}</Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

/** A mark on a place that is not there stands at the nearest one above it. */
function marksByPlace(pairs: readonly Pair[], marks: readonly Mark[], side: "left" | "right"): Marks {
  const lines = pairs.flatMap((pair) => pair[side] ?? []);
  const places = new Set(lines.map(({ pointer }) => pointer));
  const others = new Set(pairs.flatMap(({ right }) => right?.pointer ?? []));
  return Map.groupBy(marks, ({ path }) =>
    side === "left" && others.has(path) ? path : nearest(places, path),
  );
}

interface Fold {
  readonly from: number;
  readonly to: number;
  readonly isFolded: boolean;
}

function foldsOf(pairs: readonly Pair[], left: Marks, right: Marks): readonly Fold[] {
  if (pairs.length <= UNFOLDED_MAX) return [{ from: 0, to: pairs.length, isFolded: false }];
  const isShown = pairs.map(() => false);
  pairs.forEach((pair, index) => {
    const isMarked = left.has(pair.left?.pointer ?? " ") || right.has(pair.right?.pointer ?? " ");
    // A bracket that holds something marked is marked by it alone.
    if (!isMarked && index > 0) return;
    for (let at = index - AROUND; at <= index + AROUND; at += 1) if (at in isShown) isShown[at] = true;
  });
  const folds: Fold[] = [];
  isShown.forEach((shown, index) => {
    const last = folds.at(-1);
    if (last?.isFolded === !shown) folds[folds.length - 1] = { ...last, to: index + 1 };
    else folds.push({ from: index, to: index + 1, isFolded: !shown });
  });
  return folds;
}
