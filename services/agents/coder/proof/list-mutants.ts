import type { ChangedLine } from "./changed-lines.ts";

/** A line with one small fault put in. */
export interface Mutant extends ChangedLine {
  /** The line with the fault. */
  readonly mutated: string;
}

/** Strings, comments, numbers, words and operators of a language whose comments begin so. */
function tokensWith(comment: string): RegExp {
  const text = String.raw`(?<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|` + "`(?:[^`\\\\]|\\\\.)*`)";
  const operator = String.raw`===|!==|=>|:=|<=|>=|==|!=|&&|\|\||\?\?|\+\+|--|\+=|-=|\*=|\/=|\*\*|<<|>>|\/\/|[-+*/%<>!]`;
  const plain = String.raw`(?<number>\b\d+(?:\.\d+)?\b)|(?<word>[A-Za-z_$][\w$]*)|(?<operator>${operator})`;
  return new RegExp(`${text}|(?<comment>${comment}.*)|${plain}`, "g");
}

const TOKEN = tokensWith("//");
const PYTHON_TOKEN = tokensWith("#");

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "==": ["!="],
  "!=": ["=="],
  "===": ["!=="],
  "!==": ["==="],
  "&&": ["||"],
  "||": ["&&"],
  "??": ["&&"],
  "+": ["-", "*"],
  "-": ["+"],
  "*": ["/", "+"],
  "/": ["*", "-"],
  "%": ["*"],
  "//": ["/"],
  "+=": ["-="],
  "-=": ["+="],
  "*=": ["/="],
  "/=": ["*="],
  "++": ["--"],
  "--": ["++"],
};

const WORDS: Readonly<Record<string, readonly string[]>> = {
  true: ["false"],
  false: ["true"],
  True: ["False"],
  False: ["True"],
  and: ["or"],
  or: ["and"],
  break: ["continue"],
  continue: ["break"],
  min: ["max"],
  max: ["min"],
  Min: ["Max"],
  Max: ["Min"],
  floor: ["ceil"],
  ceil: ["floor"],
  round: ["floor"],
  some: ["every"],
  every: ["some"],
  any: ["all"],
  all: ["any"],
  push: ["unshift"],
  first: ["last"],
  last: ["first"],
  toUpperCase: ["toLowerCase"],
  toLowerCase: ["toUpperCase"],
  upper: ["lower"],
  lower: ["upper"],
  startsWith: ["endsWith"],
  endsWith: ["startsWith"],
  startswith: ["endswith"],
  endswith: ["startswith"],
  indexOf: ["lastIndexOf"],
  lastIndexOf: ["indexOf"],
  trim: ["trimStart"],
  filter: ["map"],
};

/** Words that say how a module is put together: a fault there keeps it from loading. */
const STRUCTURE = /^\s*(?:import\b|from\b|package\b|export\s+(?:\*|\{)|require\b|@)/;
/** A call or an assignment that can be left out. */
const STATEMENT =
  /^(?<indent>\s*)(?!(?:return|const|let|var|def|func|class|if|for|while|else|throw|raise|case|export)\b)[\w$.[\]"']+.*[^{:,([]$/;

/** Returns a line with every small fault that can be put into it, each once. */
export function listMutants(changed: ChangedLine): Mutant[] {
  const { text, path } = changed;
  if (STRUCTURE.test(text)) return [];
  const isPython = path.endsWith(".py");
  const tokens = [...text.matchAll(isPython ? PYTHON_TOKEN : TOKEN)];
  const code = text.slice(0, tokens.find(({ groups }) => groups?.["comment"] !== undefined)?.index);
  const found = new Set<string>();
  for (const { index, 0: token, groups } of tokens) {
    if (index >= code.length) break;
    const before = code.slice(0, index);
    const after = code.slice(index + token.length);
    for (const other of othersOf(token, groups ?? {}, before, after)) found.add(before + other + after);
  }
  for (const whole of wholeLine(code, isPython)) found.add(whole);
  found.delete(code);
  return [...found].map((mutated) => ({ ...changed, mutated: mutated + text.slice(code.length) }));
}

function othersOf(
  token: string,
  groups: Readonly<Record<string, string | undefined>>,
  before: string,
  after: string,
): readonly string[] {
  if (groups["number"] !== undefined) return [String(Number(token) + 1), String(Number(token) - 1)];
  if (groups["text"] !== undefined) return [otherText(token)];
  // A key or a variable of that name is no use of it.
  if (groups["word"] !== undefined) return /^\s*(?::|=(?![=>]))/.test(after) ? [] : (own(WORDS, token) ?? []);
  if (token === "!") return [""];
  // To add nothing is to take nothing away.
  if (/^[-+]$/.test(token) && /^\s*0(?![\d.])/.test(after)) return [];
  if (token === "-" && /(?:^|[=(,[<>+*/]|return)\s*$/.test(before)) return [""];
  return own(OPERATORS, token) ?? [];
}

function own(table: Readonly<Record<string, readonly string[]>>, key: string): readonly string[] | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function otherText(token: string): string {
  const quote = token.charAt(0);
  return token.length > 2 ? quote + quote : `${quote}x${quote}`;
}

/** Faults of a whole line: a statement that is missing, a condition turned round, arguments that changed places. */
function* wholeLine(text: string, isPython: boolean): Generator<string> {
  const indent = STATEMENT.exec(text)?.groups?.["indent"];
  if (indent !== undefined) yield isPython ? `${indent}pass` : indent;
  if (isPython) yield text.replace(/\b(if|elif|while) (?!not\b)(.+):\s*$/, "$1 not ($2):");
  else
    yield text.replace(
      /\b(if|while) \((.+)\)(?=\s*(?:\{|return\b|continue\b|break\b|throw\b))/,
      "$1 (!($2))",
    );
  if (!isPython) yield text.replace(/^(\s*(?:\} else )?if )([^(].*?)( \{\s*)$/, "$1!($2)$3");
  yield text.replace(/\bawait /, "");
  yield text.replace(/\bnot (?!in\b)/, "");
  yield text.replace(/\bnot in\b/, "in");
  yield text.replace(/([\w$]\()([\w$.]+), ([\w$.]+)\)/, "$1$3, $2)");
  yield text.replace(/([\w$.\])]+) (?:[-+*/%]|&&|\|\||and|or) (?:!|not )?[\w$.]+(?![\w$.([])/, "$1");
  yield text.replace(/(?:!|not )?[\w$.]+ (?:[-+*/%]|&&|\|\||and|or) ((?:!|not )?[\w$.(]+)/, "$1");
  yield text.replace(/\breturn ([\w$.]+) ([-/<>]|<=|>=) ([\w$.]+)/, "return $3 $2 $1");
}
