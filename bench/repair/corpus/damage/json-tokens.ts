/** A piece of sound JSON text. */
export interface Token {
  readonly kind: "space" | "mark" | "name" | "string" | "number" | "literal";
  readonly text: string;
  /** How many brackets are open before it. */
  readonly depth: number;
}

const PIECE = /\s+|[{}[\],:]|"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/gy;

/** Splits sound JSON into tokens. Undefined where the text is no JSON. */
export function tokensOf(json: string): Token[] | undefined {
  try {
    JSON.parse(json);
  } catch {
    return undefined;
  }
  let depth = 0;
  const pieces = json.match(PIECE) ?? [];
  return pieces.map((text, index) => {
    if (/^[}\]]$/.test(text)) depth -= 1;
    const token = {
      kind: kindOf(
        text,
        pieces.slice(index + 1).find((next) => next.trim() !== ""),
      ),
      text,
      depth,
    };
    if (/^[{[]$/.test(text)) depth += 1;
    return token;
  });
}

function kindOf(text: string, next: string | undefined): Token["kind"] {
  if (text.trim() === "") return "space";
  if (text.startsWith('"')) return next === ":" ? "name" : "string";
  if (/^[{}[\],:]$/.test(text)) return "mark";
  return /^[-\d]/.test(text) ? "number" : "literal";
}

/** Rewrites each token of the JSON text; undefined where nothing has changed. */
export function rewritten(
  json: string,
  how: (token: Token, index: number, tokens: readonly Token[]) => string,
): string | undefined {
  const text = tokensOf(json)
    ?.map((token, index, tokens) => how(token, index, tokens))
    .join("");
  return text === json ? undefined : text;
}

/** Rewrites one token that passes the filter, chosen by `pick`. */
export function rewrittenOnce(
  json: string,
  where: (token: Token, index: number, tokens: readonly Token[]) => boolean,
  { pick, how }: { pick: (indices: readonly number[]) => number | undefined; how: (token: Token) => string },
): string | undefined {
  const tokens = tokensOf(json);
  const at = pick((tokens ?? []).flatMap((token, index, all) => (where(token, index, all) ? [index] : [])));
  return at === undefined
    ? undefined
    : tokens?.map((token, index) => (index === at ? how(token) : token.text)).join("");
}

/** The next token that is not white space. */
export const nextOf = (tokens: readonly Token[], index: number): Token | undefined =>
  tokens.slice(index + 1).find(({ kind }) => kind !== "space");
