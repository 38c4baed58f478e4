import type { StandIn } from "#shared/runtime";
import { dropOrdersToMachines } from "../reading/drop-orders-to-machines.ts";
import { foldText } from "../reading/fold-text.ts";
import { hasPhrase } from "../reading/phrase-score.ts";
import type { Lexicon } from "../reading/phrase-score.ts";
import type { VoteInput } from "../technical/answer.ts";
import type { Severity } from "../technical/count-votes.ts";

const COSMETIC: Lexicon = [
  [1, "misalign|typo|cosmetic|tiny|small thing|minor|no rush|slightly|everything still works"],
  [1, "not urgent|colour of the|icon"],
  [1, "kleinigkeit|schonheitsfehler|nicht dringend|tippfehler|petit detail|pas urgent|detalle"],
  [1, "sin prisa|piccolo dettaglio|non urgente|drobiazg|niepilne|pequeno detalhe|sem pressa"],
  [1, "kleinigheid|niet dringend"],
];
const EVERYBODY: Lexicon = [
  [1, "production down|whole company|everyone|all users|all our users|all customers"],
  [1, "entire company|our whole|hospital|patient|data loss|lost all|outage|security breach"],
  [1, "hacked"],
  [1, "alle mitarbeiter|komplett ausgefallen|gesamte|totalausfall|datenverlust"],
  [1, "tous les utilisateurs|toute l entreprise|en panne totale|todos los usuarios"],
  [1, "toda la empresa|caida total|tutti gli utenti|tutta l azienda|wszyscy|cala firma"],
  [1, "todos os utilizadores|toda a empresa|alle gebruikers|hele bedrijf"],
];
const SEVERAL: Lexicon = [
  [1, "our team|entire team|whole team|our department|colleagues|our office|several users"],
  [1, "unser team|abteilung|kollegen|notre equipe|collegues|nuestro equipo|companeros"],
  [1, "il nostro team|colleghi|nasz zespol|zespol|a nossa equipa|nossa equipe|ons team"],
  [1, "collega s"],
];
const NOW: Lexicon = [
  [1, "top priority|immediately|right now|right away|asap|since 6 am|losing money|emergency"],
  [1, "sofort|notfall|immediatement|tout de suite|inmediatamente|emergencia|subito"],
  [1, "immediatamente|natychmiast|pilne|imediatamente|onmiddellijk|spoed"],
];
const SOON: Lexicon = [
  [1, "deadline|due tomorrow|by tomorrow|due today|urgent|month end|dringend|frist|bis morgen"],
  [1, "echeance|urgente|scadenza|entro domani|termin|do jutra|prazo|ate amanha|voor morgen"],
];
const NOTHING_LEFT: Lexicon = [
  [1, "no workaround|nothing works|completely down|totally down|production down|kein workaround"],
  [1, "nichts geht|komplett ausgefallen|aucune solution|rien ne marche|nada funciona"],
  [1, "sin alternativa|niente funziona|nic nie dziala|geen workaround|niets werkt"],
];
const BY_HAND: Lexicon = [
  [1, "by hand|manually|copy the rows|von hand|manuell|a la main|a mano|manualmente|recznie"],
  [1, "handmatig"],
];

/** Everything a machine orders is left out before anything is weighed. */
function read(input: VoteInput): { folded: string; people: number } {
  const { text } = dropOrdersToMachines(input.text === "" ? input.symptoms.join("\n") : input.text);
  const counts = [
    ...text.matchAll(
      /(?<!\d)(\d{1,6})\s(?:\p{L}+\s)?(?:users?|people|employees|staff|mitarbeiter|nutzer|utilisateurs|usuarios|utenti|osob|utilizadores|gebruikers)/giu,
    ),
  ];
  return { folded: foldText(text), people: Math.max(1, ...counts.map((count) => Number(count[1]))) };
}

function vote(severity: Severity, because: string): { severity: Severity; because: string } {
  return { severity, because };
}

export const voteByImpact: StandIn = (input: VoteInput) => {
  const { folded, people } = read(input);
  if (hasPhrase(folded, EVERYBODY) || people >= 100) return vote("critical", "A whole organisation is hit.");
  if (hasPhrase(folded, SEVERAL) || people >= 5) return vote("high", "A team is hit.");
  if (hasPhrase(folded, COSMETIC)) return vote("low", "It is cosmetic.");
  return vote("medium", "One person is hit.");
};

export const voteByUrgency: StandIn = (input: VoteInput) => {
  const { folded } = read(input);
  if (hasPhrase(folded, NOW)) return vote("critical", "They say that harm is being done now.");
  if (hasPhrase(folded, SOON)) return vote("high", "A deadline is near.");
  if (hasPhrase(folded, COSMETIC)) return vote("low", "Nothing happens if it waits.");
  return vote("medium", "An inconvenience stays.");
};

export const voteByWorkaround: StandIn = (input: VoteInput) => {
  const { folded } = read(input);
  if (hasPhrase(folded, NOTHING_LEFT)) return vote("critical", "Nothing is left to them.");
  if (hasPhrase(folded, COSMETIC)) return vote("low", "Everything still works.");
  if (hasPhrase(folded, SEVERAL) && hasPhrase(folded, BY_HAND)) return vote("high", "A team works by hand.");
  return vote("medium", "Part of it is unusable.");
};
