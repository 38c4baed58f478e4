import { posix } from "node:path";
import type { Clues } from "../clues.ts";
import { nearNames } from "../near-names.ts";
import type { Move, Repair } from "../repair.ts";
import { functionAround, isDot, isName, isValuePlace, tokenAt } from "../source.ts";
import type { Source } from "../source.ts";
import type { Token } from "../tokens.ts";

/** Members that everybody's values have. */
const MEMBERS =
  "length size push pop shift unshift slice splice concat join split map filter reduce find findIndex findLast some every flat flatMap forEach includes indexOf lastIndexOf sort toSorted reverse toReversed keys values entries has get set add delete clear trim trimStart trimEnd padStart padEnd replace replaceAll startsWith endsWith charAt charCodeAt codePointAt at toUpperCase toLowerCase toString toFixed match matchAll test exec repeat then catch finally getTime getFullYear getMonth getDate getDay getHours getMinutes getUTCFullYear getUTCMonth getUTCDate getUTCDay toISOString".split(
    " ",
  );
const GLOBALS =
  "Array Boolean Date Error Intl JSON Map Math Number Object Promise RangeError RegExp Set String Symbol TypeError URL WeakMap isNaN parseFloat parseInt structuredClone undefined".split(
    " ",
  );

const MISSING_NAME = /(?:^|\s)([\p{ID_Start}$_][\p{ID_Continue}$]*) is not defined/u;
const MISSING_FUNCTION =
  /([\p{ID_Start}$_][\p{ID_Continue}$]*)(?:\(\.\.\.\))? is not a (?:function|constructor)/u;
const MISSING_EXPORT = /does not provide an export named '([^']+)'/;
const MISSING_MODULE = /Cannot find module '([^']+)'/;

/** A name that is not there, near one that is: variables, members, exports, modules. */
export const renameNearMisses: Move = (source, clues) => {
  const said = clues.failing.map(({ message }) => message);
  const named = (pattern: RegExp): string[] => [
    ...new Set(said.flatMap((text) => pattern.exec(text)?.[1] ?? [])),
  ];
  return [
    ...named(MISSING_NAME).flatMap((name) =>
      rename(source, name, [...namesOf(source), ...GLOBALS, ...clues.projectNames]),
    ),
    ...named(MISSING_FUNCTION).flatMap((name) =>
      rename(source, name, [...MEMBERS, ...namesOf(source), ...clues.projectNames]),
    ),
    ...named(MISSING_EXPORT).flatMap((name) => renameImport(source, name, clues)),
    ...named(MISSING_MODULE).flatMap((place) => redirectImport(source, place, clues)),
    ...renameOddMembers(source, clues),
  ];
};

function namesOf({ tokens }: Source): string[] {
  return tokens.filter(isName).map(({ text }) => text);
}

function replaced(
  source: Source,
  token: Token,
  put: { readonly text: string; readonly fit: number },
): Repair {
  const edits = [{ start: token.start, end: token.end, text: put.text }];
  const note = `${token.text.slice(0, 60)} becomes ${put.text.slice(0, 60)}`;
  return { kind: "name", path: source.path, edits, line: token.line, fit: put.fit, note };
}

function rename(source: Source, name: string, among: readonly string[]): Repair[] {
  const near = nearNames(
    name,
    among.filter((other) => other !== name),
  );
  const places = source.tokens.filter(({ kind, text }) => kind === "word" && text === name);
  return near.flatMap((text, rank) =>
    places.map((token) => replaced(source, token, { text, fit: 5 * 0.8 ** rank })),
  );
}

/** An import of a name that its module lacks; what is imported under the wrong name keeps it in this file. */
function renameImport(source: Source, name: string, clues: Clues): Repair[] {
  const inImport = source.tokens.filter(
    (token, index) => token.text === name && token.kind === "word" && isImported(source, index),
  );
  return nearNames(name, clues.projectNames, 4).flatMap((text, rank) =>
    inImport.map((token) => replaced(source, token, { text: `${text} as ${name}`, fit: 6 * 0.8 ** rank })),
  );
}

function isImported(source: Source, index: number): boolean {
  let at = index;
  while (at > 0 && !["{", ";", "}"].includes(tokenAt(source, at).text)) at -= 1;
  return tokenAt(source, at).text === "{" && ["import", ",", "export"].includes(tokenAt(source, at - 1).text);
}

/** An import of a file that is not there: the nearest path that is. */
function redirectImport(source: Source, place: string, clues: Clues): Repair[] {
  const wanted = posix.basename(place);
  const folder = posix.dirname(source.path);
  const others = clues.paths.filter((path) => path !== source.path);
  return source.tokens.flatMap((token, index): Repair[] => {
    const before = tokenAt(source, index - 1).text;
    const isFrom = token.kind === "string" && ["from", "import", "("].includes(before);
    if (!isFrom || posix.basename(token.text.slice(1, -1)) !== wanted) return [];
    const near = nearNames(
      wanted,
      others.map((path) => posix.basename(path)),
    );
    return near.flatMap((name, rank) =>
      others
        .filter((path) => posix.basename(path) === name)
        .map((path) => {
          const relative = posix.relative(folder, path);
          const text = JSON.stringify(relative.startsWith(".") ? relative : `./${relative}`);
          return replaced(source, token, { text, fit: 6 * 0.8 ** rank });
        }),
    );
  });
}

/** A member that stands once in the project, near one that stands often: written wrongly, it is only undefined. */
function renameOddMembers(source: Source, clues: Clues): Repair[] {
  const shows = ["nothing", "not_a_number", "member_of_nothing", "not_iterable"] as const;
  if (!shows.some((symptom) => clues.symptoms.has(symptom))) return [];
  const names = namesOf(source);
  return source.tokens.flatMap((token, index): Repair[] => {
    if (!isName(token) || !isDot(tokenAt(source, index - 1).text)) return [];
    if (names.filter((name) => name === token.text).length > 1 || MEMBERS.includes(token.text)) return [];
    return nearNames(token.text, [...names, ...clues.projectNames, ...MEMBERS], 2).map((text, rank) =>
      replaced(source, token, { text, fit: 2.5 * 0.8 ** rank }),
    );
  });
}

/** Another variable of the same function in a name's place: parameters and locals that are at hand. */
export const swapVariables: Move = (source) =>
  source.tokens.flatMap((token, index): Repair[] => {
    const around = functionAround(source, index);
    if (around === null || !isName(token) || isDot(tokenAt(source, index - 1).text)) return [];
    const [before, after] = [tokenAt(source, index - 1).text, tokenAt(source, index + 1).text];
    if (!isValuePlace(source, index) || ["const", "let", "var", "function", "class"].includes(before))
      return [];
    if (after === "(" || after === ":" || after === "=>" || after === "=") return [];
    const isKnown = around.params.includes(token.text) || localsOf(source, around).includes(token.text);
    if (!isKnown) return [];
    return [...new Set([...around.params, ...localsOf(source, around)])]
      .filter((name) => name !== token.text)
      .slice(0, 6)
      .map((text) => replaced(source, token, { text, fit: 0.45 }));
  });

function localsOf(
  source: Source,
  { body, last }: { readonly body: number; readonly last: number },
): string[] {
  return source.tokens.slice(body, last).flatMap(({ text }, offset) => {
    const next = tokenAt(source, body + offset + 1);
    return ["const", "let", "var"].includes(text) && isName(next) ? [next.text] : [];
  });
}
