import type { CorpusContract } from "./contract.ts";
import { BARE } from "./contracts/bare.ts";
import { COMMERCE } from "./contracts/commerce.ts";
import { DEVELOPING } from "./contracts/developing.ts";
import { EVERYDAY } from "./contracts/everyday.ts";
import { HEALTH } from "./contracts/health.ts";
import { LANGUAGE } from "./contracts/language.ts";

/** Every contract of the corpus, of the kinds that public schema stores hold. */
export const CONTRACTS: readonly CorpusContract[] = [
  ...COMMERCE,
  ...HEALTH,
  ...DEVELOPING,
  ...EVERYDAY,
  ...LANGUAGE,
  ...BARE,
];
