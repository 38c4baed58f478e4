import type { StandIn } from "#shared/runtime";
import { foldText } from "../reading/fold-text.ts";
import type { StepsInput } from "../technical/answer.ts";
import advice from "./advice.json" with { type: "json" };

const TROUBLES: readonly (readonly ["login" | "connection" | "power" | "crash", RegExp])[] = [
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
  const { restart, report, ...ofTrouble } = advice[input.language === "other" ? "en" : input.language];
  return { steps: [...(trouble === undefined ? [] : [ofTrouble[trouble]]), restart, report] };
};
