import { scoreInjection } from "#shared/guard";
import { WORDS_CHARACTERS_MAX } from "../other-work.ts";
import type { NotDone } from "../other-work.ts";
import { flatten, readSentences } from "./paragraphs.ts";

type Kind = NotDone["kind"];

/** Score from which a sentence counts as an order to a machine; the guard's default. */
const ORDER_AT = 0.6;
const NOT_DONE_MAX = 20;

/** Not inside a word, whatever the alphabet. */
const asksFor = (pattern: string): RegExp => new RegExp(`(?<!\\p{L})(?:${pattern})(?!\\p{L})`, "iu");

/**
 * Words by which people ask for work of a kind, in English, German, Spanish, French, Italian and Dutch. The first kind
 * that matches names the sentence.
 */
const REQUESTS: readonly (readonly [Kind, RegExp])[] = [
  [
    "translation",
    asksFor(
      "translat(?:e|es|ed|ing|ions?)|übersetz\\p{L}*|traduc\\p{L}*|tradui\\p{L}*|traducc\\p{L}*|tradurre|traduzion\\p{L}*|vertal\\p{L}*|vertaling",
    ),
  ],
  [
    "tax",
    asksFor(
      "tax(?:es)?|vat|tax return|deduct(?:ible)?|\\p{L}*steuer(?:erklärung|n|lich)?|impuestos?|iva|impôts?|tva|imposte|tasse|belasting\\p{L}*",
    ),
  ],
  [
    "recipe",
    asksFor(
      "recipes?|rezepte?|recetas?|recettes?|ricett[ae]|recept(?:en)?|how (?:do|to) (?:i )?(?:bake|cook)",
    ),
  ],
  [
    "code",
    asksFor(
      "(?:review|debug|refactor|fix) (?:my|this|the|our) (?:code|function|script|program|pull request)|code review|source code|unit tests?|quellcode|código fuente|code source|why do the tests fail",
    ),
  ],
  ["code", /^\s*(?:def|class|import|function|const|let|public|#include)\s[^.]*[({:;]|\breturn\s[^.]*;/m],
  [
    "code",
    /```|(?<!\p{L})(?:for|while|if|switch) ?\([^)]*[;=<>!][^)]*\)|\w(?:\+\+|--)[;)]|\w ?(?:===?|!=|:=|&&|\|\||=>) ?\w|\w\[\w+\] ?=|\w\([^)]*\);|(?<!\p{L})(?:def|fn|func|function) \w+ ?\(|(?<!\p{L})(?:print|printf|console\.log)\(|SELECT\s.{1,200}\sFROM\s/u,
  ],
  [
    "legal",
    asksFor(
      "landlord|lawyer|lawsuit|sue|(?:rental|employment|lease) (?:contract|agreement)|legal advice|terms of service|anwalt|mietvertrag|vermieter|abogad[oa]|contrato de alquiler|avocate?|bail",
    ),
  ],
  [
    "medical",
    asksFor(
      "tablets?|which (?:pills?|medicines?)|prescri\\p{L}+|diagnos\\p{L}+|symptoms?|tabletten|arzt|medikament\\p{L}*|médico|pastillas?|médecin|medicijn\\p{L}*",
    ),
  ],
  [
    "picture",
    asksFor(
      "(?:draw|paint|illustrate|sketch)(?: me)? (?:a|an|the|some|us)|cover (?:picture|image|art|illustration)|illustrations?|logo|titelbild|zeichne\\p{L}*|dibuj\\p{L}+|portada|dessin\\p{L}*|couverture|disegn\\p{L}+|tekening",
    ),
  ],
  [
    "writing",
    asksFor(
      "write (?:me|us)(?: a| an)?|write an? (?:story|poem|article|essay|speech|blog)|schreib(?:e|en sie)? (?:mir|uns)|escríb(?:eme|enos)|escrib(?:e|an|id) un[ao]?|écri(?:s|vez)(?:-moi|-nous)?|scrivi(?:mi)?|schrijf",
    ),
  ],
  [
    "mains",
    asksFor(
      "mains|(?:110|115|120|220|230|240|400) ?V(?: ?AC)?|wall (?:socket|outlet)|netzspannung|steckdose|red eléctrica|secteur|rete elettrica|netspanning",
    ),
  ],
  [
    "motor_drive",
    asksFor(
      "h-?bridge|motor (?:driver|controller?|control)|drives? (?:a|the) (?:dc |stepper |servo )?motor|motortreiber|motorsteuerung|controlador de motor|pont en h|stepper|servo (?:driver|control)",
    ),
  ],
  [
    "amplifier",
    asksFor(
      "(?:pre)?amplifiers?|(?:pre|op-?)?amp with|practice amp|verstärker|amplificador\\p{L}*|amplificateur\\p{L}*|amplificatore|versterker",
    ),
  ],
  [
    "voltage_regulator",
    asksFor(
      "(?:buck|boost|step-?(?:down|up)|dc[-/]dc) ?(?:converters?|regulators?)?|(?:voltage|linear) regulators?|ldo|spannungsregler|abwärtswandler|aufwärtswandler|regulador(?: de tensión)?|régulateur|regolatore|spanningsregelaar",
    ),
  ],
  [
    "charger",
    asksFor(
      "charg(?:er|ers|ing circuit)|ladegerät|ladeschaltung|cargador|chargeur|caricabatteri[ae]|oplader",
    ),
  ],
  [
    "timer",
    asksFor(
      "555(?: timer)?|timers?|oscillators?|astable|(?:blinks?|flash(?:es)?|pulses?) (?:once|twice|every|at|on and off|\\d)|blinkt|parpadea|clignote|lampeggia|knippert|oszillator|zeitgeber|temporizador|oscilador|minuterie|oscillateur|oscillatore",
    ),
  ],
  [
    "high_pass_filter",
    asksFor(
      "(?:high|band)-?[ ]?pass(?: filters?)?|hochpass\\p{L}*|bandpass\\p{L}*|paso alto|passe-haut|passa-alto|hoogdoorlaat\\p{L}*",
    ),
  ],
  [
    "board_layout",
    asksFor(
      "printed circuit boards?|pcbs?|board layout|leiterplatten?\\p{L}*|placa de circuito|circuit imprimé|circuito stampato|printplaat",
    ),
  ],
  [
    "firmware",
    asksFor(
      "firmware|write (?:the )?(?:software|code|program)|program the (?:microcontroller|chip|arduino)|programmier\\p{L}*|programa el microcontrolador",
    ),
  ],
  ["radio", asksFor("antennas?|rf (?:front end|matching)|antenne\\p{L}*|antenas?")],
];

const KNOWN_CIRCUIT = asksFor("leds?|low[- ]?pass|tiefpass|passe-bas|paso bajo|passa-?basso|laagdoorlaat");

/** Sentences of a text in which something else is asked for than the team does, each with its kind. Pure. */
export function findOtherWork(text: string): NotDone[] {
  return text
    .split(/\n\s*\n/)
    .flatMap(readSentences)
    .flatMap((sentence) => {
      const kind = kindOf(sentence);
      return kind === null ? [] : [{ kind, words: shorten(sentence) }];
    });
}

function kindOf(sentence: string): Kind | null {
  if (scoreInjection(sentence).score >= ORDER_AT) return "orders_to_a_machine";
  return REQUESTS.find(([, asks]) => asks.test(sentence))?.[0] ?? null;
}

/** Returns true where a sentence also asks for a circuit that the team does: its other work is not all of it. */
export function isMixed({ words }: NotDone): boolean {
  return KNOWN_CIRCUIT.test(words);
}

/** Returns the beginning of some words, without half a character at its end. */
export function shorten(words: string): string {
  const flat = flatten(words);
  return flat.slice(0, WORDS_CHARACTERS_MAX).replace(/[\uD800-\uDBFF]$/, "");
}

/**
 * Returns what a model says is not done, as far as its words stand in the text, after what the rules found; nothing is
 * named twice.
 */
export function mergeNotDone(
  byRule: readonly NotDone[],
  byModel: readonly NotDone[],
  text: string,
): NotDone[] {
  const flat = flatten(text);
  const merged = [...byRule];
  for (const one of byModel) {
    const said = flatten(one.words);
    const isKnown = merged.some((known) => known.words.includes(said) || said.includes(known.words));
    if (said !== "" && flat.includes(said) && !isKnown) merged.push({ ...one, words: said });
  }
  return merged.slice(0, NOT_DONE_MAX);
}
