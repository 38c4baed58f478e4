import type { StandIn } from "#shared/runtime";
import type { Language } from "../contract-fields.ts";
import { foldText } from "../reading/fold-text.ts";
import type { StepsInput } from "../technical/answer.ts";
import { ADVICE } from "./advice.ts";
import type { Trouble } from "./advice.ts";

const TROUBLES: readonly (readonly [Trouble, RegExp])[] = [
  [
    "login",
    / (?:log ?in|password|sign in|session|anmeld|passwort|connecter|mot de passe|entrar|contrasena|acceder|password|zalogow|haslo|senha|sessao|inloggen|wachtwoord)/,
  ],
  [
    "connection",
    / (?:wifi|wi fi|wlan|connect|sync|network|server|verbind|netzwerk|connexion|sincroniz|collega|rete|polacz|siec|rede|verbinding)/,
  ],
  [
    "power",
    / (?:turn on|turns on|power|cable|charge|einschalt|strom|kabel|allume|enciende|accende|wlacza|liga |stroom)/,
  ],
  [
    "crash",
    / (?:crash|freez|sturzt|startet nicht|hangt|plante|bloque|cierra|blocca|zawiesza|trava|loopt vast)/,
  ],
];

/** Drafts the steps a help desk would send, by what the symptoms speak of, in the customer's language. */
export const draftSteps: StandIn = (input: StepsInput) => {
  const folded = foldText(`${input.product} ${input.symptoms.join(" ")}`);
  const trouble = TROUBLES.find(([, pattern]) => pattern.test(folded))?.[0];
  const advice = ADVICE[writtenIn(input.language)];
  return { steps: [...(trouble === undefined ? [] : [advice[trouble]]), advice.restart, advice.report] };
};

function writtenIn(language: string): Exclude<Language, "other"> {
  // Checked just before: a key of the table is one of its languages.
  return Object.hasOwn(ADVICE, language) ? (language as Exclude<Language, "other">) : "en";
}
