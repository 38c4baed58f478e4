import type { Span } from "./sensitive-kinds.ts";

/** Secrets with a known prefix. Each begins at a word boundary, so that a long one is read once. */
const MARKED: readonly RegExp[] = [
  /(?<![\w-])(?:sk|pk|rk)[-_][A-Za-z0-9_-]{8,}/g,
  /(?<![\w-])(?:gh[opsur]_|github_pat_|glpat-|npm_|hf_|whsec_|xox[abeprs]-|shpat_|dop_v1_)[A-Za-z0-9_+/=-]{8,}/g,
  /(?<![\w-])(?:AKIA|ASIA)[0-9A-Z]{16}(?!\w)/g,
  /(?<![\w-])(?:AIza[\w-]{35}|ya29\.[\w-]{20,}|SG\.[\w-]{16,}\.[\w-]{16,})/g,
  /(?<![\w.-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g,
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
];

/**
 * Secrets after a word such as "password"; the group is the secret. Does not match placeholders, so that a second
 * pass finds nothing.
 */
const NAMED: readonly RegExp[] = [
  /(?<![A-Za-z])(?:password|passwd|passphrase|pwd|client[-_ ]?secret|secret)["']?\s{0,3}[:=]\s{0,3}["']?(?!\[(?:secret|iban|card|email|phone)\])([^\s"',;]{4,256})/gi,
  /(?<![A-Za-z])(?:api[-_ ]?key|access[-_ ]?token|auth[-_ ]?token|token)["']?\s{0,3}[:=]\s{0,3}["']?(?!\[(?:secret|iban|card|email|phone)\])((?=[^\s"',;]{0,255}\d)[^\s"',;]{8,256})/gi,
  /(?<![A-Za-z])(?:Bearer|Basic)\s{1,3}((?=[A-Za-z0-9._~+/=-]{0,255}\d)[A-Za-z0-9._~+/=-]{12,})/gi,
  /(?<![A-Za-z0-9+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/@:]{0,128}:(?!\[(?:secret|iban|card|email|phone)\])([^\s/@]{1,256})@/gi,
];

/** Prefilter: a substring of every pattern above. Most texts contain none. */
const HINT =
  /[spr]k[-_]|gh[opsur]_|github_pat_|glpat-|npm_|hf_|whsec_|xox[abeprs]-|shpat_|dop_v1_|AKIA|ASIA|AIza|ya29\.|SG\.|eyJ|-----BEGIN|pass|pwd|secret|key|token|bearer|basic|:\/\//i;

/** Finds keys, tokens and passwords by their prefix or the word before them. Linear. */
export function findSecrets(text: string): Span[] {
  if (!HINT.test(text)) return [];
  const marked = MARKED.flatMap((mark) =>
    [...text.matchAll(mark)].map((found) => ({ start: found.index, end: found.index + found[0].length })),
  );
  const named = NAMED.flatMap((name) =>
    [...text.matchAll(name)].map((found) => {
      const [whole, secret = ""] = found;
      const start = found.index + whole.lastIndexOf(secret);
      return { start, end: start + secret.length };
    }),
  );
  return [...marked, ...named];
}

const SECRET_NAME =
  /^(?:.*[-_ ])?(?:password|passwd|passphrase|pwd|secret|api[-_ ]?key|apikey|access[-_ ]?token|auth[-_ ]?token|private[-_ ]?key|authorization)$/i;
const NAME_CHARS_MAX = 80;

/** Cache of names, because the items of a list repeat them. */
const judged = new Map<string, boolean>();
const JUDGED_MAX = 2000;

/** Returns true for the name of a member that contains a secret, whatever its value. */
export function isSecretName(name: string): boolean {
  const known = judged.get(name);
  if (known !== undefined) return known;
  if (judged.size >= JUDGED_MAX) judged.clear();
  const isSecret = looksSecret(name);
  judged.set(name, isSecret);
  return isSecret;
}

function looksSecret(name: string): boolean {
  return name.length <= NAME_CHARS_MAX && SECRET_NAME.test(name.replaceAll(/([a-z])([A-Z])/g, "$1_$2"));
}
