import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { operations } from "#shared/api/client";
import { api, Problem } from "../../data/api.ts";
import { counted, words } from "../../parts/amounts.ts";
import { Faults } from "../../parts/states.tsx";
import { visible } from "../../parts/visible.ts";
import { inWords } from "./recipe-words.ts";
import type { Recipe } from "./recipe-words.ts";
import styles from "./recipes.module.css";

const TRY_AFTER_MS = 400;
const [CASES_SHOWN, OBJECTIONS_SHOWN] = [10, 5];

type Result = operations["tryRecipe"]["responses"][200]["content"]["application/json"];

export interface Trial {
  /** Whether the text may be kept: no held message speaks against it. */
  readonly isSound: boolean;
  readonly recipe?: Recipe;
  readonly result?: Result;
  readonly error?: Error;
}

/** Tries a recipe's text, dry, on the messages of its fault that lie in the ward. @param text - Null: none to try. */
export function useTrial(recipeId: string, text: string | null): Trial {
  const [trial, setTrial] = useState<Trial>({ isSound: false });
  useEffect(() => {
    setTrial({ isSound: false });
    if (text === null) return;
    const stop = new AbortController();
    const attempt = async (): Promise<void> => {
      const recipe = readRecipe(text);
      if (recipe === null) return setTrial({ isSound: false, error: new Error("This is no JSON yet.") });
      try {
        const { data: result } = await api.POST("/v1/recipes/{recipe_id}/try", {
          params: { path: { recipe_id: recipeId } },
          body: { recipe },
          signal: stop.signal,
        });
        if (result !== undefined && !stop.signal.aborted)
          setTrial({ isSound: result.failed === 0, recipe, result });
      } catch (error) {
        if (!stop.signal.aborted && error instanceof Error) setTrial({ isSound: false, error });
      }
    };
    const timer = setTimeout(() => void attempt(), TRY_AFTER_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [recipeId, text]);
  return trial;
}

function readRecipe(text: string): Recipe | null {
  try {
    // Of any JSON that is no recipe the API says where it is not.
    return JSON.parse(text) as Recipe;
  } catch {
    return null;
  }
}

/** What a trial found: in numbers, the recipe in words, and the messages that speak against it. */
export function Verdict({ trial: { recipe, result, error } }: { readonly trial: Trial }) {
  if (error !== undefined)
    return (
      <>
        <p className={styles.bad}>{error.message}</p>
        {error instanceof Problem && <Faults faults={error.faults} />}
      </>
    );
  if (result === undefined || recipe === undefined)
    return <p className={styles.quiet}>Trying it on the messages that lie in the ward …</p>;
  const { proved, failed, idle, messages, is_cut: isCut } = result;
  const seen = proved + failed + idle;
  return (
    <>
      <p className={failed > 0 ? styles.bad : proved > 0 ? styles.good : styles.quiet}>
        {seen === 0
          ? "No message of this fault lies in the ward: nothing speaks for it or against it. The next that arrive are its trial."
          : `${counted(seen, "message")} in the ward tried${isCut ? " (there are more)" : ""}: ${proved} healed with proof, ${failed} with a failed proof, ${idle} to which it does not apply.`}
      </p>
      {failed > 0 && (
        <p className={styles.bad}>It cannot be kept like this: one failed proof would send it back.</p>
      )}
      <ol className={styles.words}>
        {recipe.operations.map((one) => (
          <li key={JSON.stringify(one)}>{visible(inWords(one))}</li>
        ))}
      </ol>
      {messages
        .filter(({ result: came }) => came === "failed")
        .slice(0, CASES_SHOWN)
        .map(({ case_id: caseId, objections }) => (
          <div key={caseId}>
            <Link to="/inbox/case/$caseId" params={{ caseId }}>
              case <code>{caseId.slice(-8)}</code>
            </Link>
            <Faults
              faults={objections
                .slice(0, OBJECTIONS_SHOWN)
                .map(({ path, code, message }) => ({ path, message: `${words(code)}: ${message}` }))}
            />
          </div>
        ))}
    </>
  );
}
