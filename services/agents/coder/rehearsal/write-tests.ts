import type { StandIn } from "#shared/runtime";
import { belongsToTests } from "../checkout/project-path.ts";
import type { SourceText } from "../checkout/select-sources.ts";
import type { TestsInput } from "../explorer/answer.ts";
import { writeExamples } from "./write-examples.ts";
import type { Example } from "./write-examples.ts";
import { listFunctions, wordsOf } from "./read-code.ts";

const LITERAL = String.raw`(?:"[^"\n]*"|'[^'\n]*'|-?\d+(?:\.\d+)?|\[[\w\s"',.-]*\]|true|false|null|True|False|None|nil)`;
const CALL = new RegExp(String.raw`\b([A-Za-z_]\w*)\(((?:${LITERAL}(?:\s*,\s*${LITERAL})*)?)\)`, "g");
/** What the report says is wanted, in the same sentence as the call. */
const WANTED: readonly RegExp[] = [
  new RegExp(
    String.raw`(?:should|must|has to|ought to)\s+(?:return|give|be|equal|yield|become)\s+(${LITERAL})`,
  ),
  new RegExp(
    String.raw`(?:instead of|and not|rather than|not|anstatt|statt|y no|et non|au lieu de)\s+(${LITERAL})`,
  ),
  new RegExp(
    String.raw`(?:expected|wanted|debería devolver|debe devolver|devrait (?:renvoyer|donner)|erwartet(?: wird)?)[:\s]+(${LITERAL})`,
  ),
  new RegExp(String.raw`(?:soll|sollte|muss)\s+(${LITERAL})`),
];
const GOT = new RegExp(
  String.raw`(?:returns|gives|yields|is|devuelve|renvoie|liefert|ergibt)\s+(${LITERAL})`,
);
const SENTENCE_LENGTH_MAX = 200;

/**
 * Writes the examples that a report gives as calls and results into one test file. It gives none where it has none, and
 * says what the report asks for that no red test names.
 */
export const writeTests: StandIn = ({ issue, sources, runner, paths, failing }: TestsInput) => {
  const found = readExamples(issue).flatMap((example) => {
    const source = sources.find((one) => !belongsToTests(one.path) && defines(one, example.name));
    return source === undefined ? [] : [{ example, source }];
  });
  const [first] = found;
  const examples = found.filter(({ source }) => source === first?.source).map(({ example }) => example);
  const test = first === undefined ? null : writeExamples(runner, examples, { source: first.source, paths });
  const tests = test === null ? [] : [{ ...test, shows: "The report's own examples." }];
  const isShown = tests.length > 0 || failing.length > 0;
  if (!isShown)
    return { tests, open: "The report gives no example of a call with the result that is wanted." };
  return { tests, open: findUnshown({ issue, sources, failing }, tests) };
};

/** Words that begin one more request, in six languages, and numbered lists. */
const MORE =
  /\b(?:also|besides|furthermore|secondly|in addition|two (?:things|bugs|problems)|außerdem|zudem|ferner|además|también|de plus|aussi|en outre|inoltre|também)\b|^\s*(?:2[.)]|-\s.*\n\s*-\s)/im;
/** Lines of a test after the one that it begins at. */
const TEST_LINES = 12;

/** Says which functions of the report no red test names, or that one red test has to stand for several requests. */
function findUnshown(
  { issue, sources, failing }: Pick<TestsInput, "issue" | "sources" | "failing">,
  tests: readonly { readonly text: string }[],
): string {
  const shown = failing.map(({ file, line, name, message, frames }) => {
    const lines = sources.find(({ path }) => path === file)?.text.split("\n") ?? [];
    const symbols = frames.map(({ symbol }) => symbol);
    return [name, message, ...symbols, ...lines.slice(Math.max(0, line - 1), line + TEST_LINES)].join("\n");
  });
  const words = wordsOf([...shown, ...tests.map(({ text }) => text)].join("\n"));
  const asked = wordsOf(issue);
  const code = sources.filter(({ path }) => !belongsToTests(path));
  const functions = code.flatMap(listFunctions).map(({ name }) => name);
  const unshown = [...new Set(functions)].filter(
    (name) => isCodeName(name, issue) && asked.has(name) && !words.has(name),
  );
  if (unshown.length > 0) return `No red test names ${unshown.slice(0, 5).join(", ")}.`;
  const isSeveral = MORE.test(issue) && failing.length + tests.length < 2;
  return isSeveral ? "The report asks for several things, and one red test cannot stand for all." : "";
}

/** A word of everyday language names a function only where it is written as code. */
function isCodeName(name: string, issue: string): boolean {
  return /[a-z][A-Z]|_/.test(name) || issue.includes(`${name}(`) || issue.includes(`\`${name}`);
}

/** Returns calls with the results that the report wants. One that wants what it says it gets contradicts itself. */
function readExamples(issue: string): Example[] {
  return [...issue.matchAll(CALL)].flatMap((call): Example[] => {
    const [whole, name = "", args = ""] = call;
    const rest = issue.slice(call.index + whole.length, call.index + whole.length + SENTENCE_LENGTH_MAX);
    const next = rest.search(/[A-Za-z_]\w*\(/);
    const after = (next < 0 ? rest : rest.slice(0, next)).split(/[.!?](?:\s|$)/)[0] ?? "";
    const got = GOT.exec(after)?.[1];
    const wanted = wantedIn(after, got);
    return wanted === null || wanted === got ? [] : [{ name, args, wanted }];
  });
}

/** Of "A instead of B" A is what is there when the sentence says "returns A", and B is what is wanted. */
function wantedIn(text: string, got: string | undefined): string | null {
  for (const pattern of WANTED) {
    const wanted = pattern.exec(text)?.[1];
    if (wanted !== undefined && (got !== undefined || pattern === WANTED[0] || pattern !== WANTED[1]))
      return wanted;
  }
  return null;
}

function defines({ path, text }: SourceText, name: string): boolean {
  const patterns = path.endsWith(".py")
    ? [`^def ${name}\\(`]
    : path.endsWith(".go")
      ? [`^func ${name}\\(`]
      : [`export (?:async )?function ${name}\\b`, `export const ${name}\\b`];
  return patterns.some((pattern) => new RegExp(pattern, "m").test(text));
}
