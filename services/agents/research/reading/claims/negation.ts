const NEGATION =
  /(?<![\p{L}])(?:no|not|never|none|neither|nor|without|cannot|nobody|nothing|\p{L}+n['’]t|kein\p{L}*|nicht|nie|niemals|ohne|ne|n['’](?=\p{L})|pas|jamais|aucune?|sans|nunca|ning[uú]n\p{L}*|sin|non|nessun\p{L}*|senza|mai|geen|niet|nooit|zonder|nie|bez)(?![\p{L}])/iu;
/** `not only`, `no later than`, `no more than`: no denial. */
const NO_DENIAL = /\b(?:not only|no (?:later|earlier|more|less|fewer) than|no doubt)\b/i;

/** Returns the word that denies what a sentence says; null where it denies nothing. */
export function findNegation(text: string): string | null {
  return NEGATION.exec(text.replace(NO_DENIAL, " "))?.[0] ?? null;
}

const BETWEEN_CLAUSES =
  /[,;:()](?!\s?\d)|\s[-–—]\s|\b(?:because|but|although|though|while|whereas|and|which|weil|aber|und|mais|pero)\b/i;

/** Clauses of a sentence, roughly: a denial counts for its own only. */
export function readClauses(sentence: string): string[] {
  return sentence
    .split(BETWEEN_CLAUSES)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== "");
}
