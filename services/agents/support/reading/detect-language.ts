import type { Language } from "../contract-fields.ts";
import { foldText } from "./fold-text.ts";

/** Small words that are frequent in one language and rare in the others. Folded: no accents, lower case. */
const SMALL_WORDS: Readonly<Record<Exclude<Language, "other">, string>> = {
  en: "the and is are was my i you have has it not to of please for with this that can would your thanks hello hi how what when but get need want am we",
  de: "der die das und ist ich nicht sie mir mein meine bitte fur mit auf von ein eine einen wir haben kann guten tag danke hallo habe zu den dem es sich seit bei wird grusse sehr",
  fr: "le les et est je ne pas vous mon ma mes pour avec une des du bonjour merci suis ai pouvez j l n ce dans que qui sur nous cordialement votre bonsoir depuis",
  es: "el los y es yo no mi mis para con una un del que hola gracias por favor se he lo las puedo buenos dias quiero me pedido ustedes su como tengo la usted necesito",
  it: "il lo gli e ho non mio mia per con una un del che ciao grazie buongiorno si di sono salve come posso vorrei mi la ordine ma anche della quanto",
  pl: "i w na nie jest sie do prosze dzien dobry moje moj mam z za czy dziekuje pozdrawiam jak po ze to gdzie nr zamowienie chce o od moja",
  pt: "o os e nao meu minha para com uma um do que ola obrigado obrigada por eu de da em bom dia voces esta quero boa tarde posso as no na mas ainda oi seria",
  nl: "de het en is ik niet mijn een van voor met op u jullie graag groeten hallo dank kan hoe wat ook maar heb wij zodra naar bestelling goedemiddag wil dit",
};

/** Letters and signs that all but settle the language, in the text as written. */
const MARKS: readonly (readonly [Language, RegExp, number])[] = [
  ["de", /[ßäöü]/gi, 1],
  ["pl", /[ąęłńśźż]/gi, 2],
  ["es", /[ñ¿¡]/gi, 2],
  ["pt", /[ãõ]|ç[õã]/gi, 2],
  ["fr", /[œêèù]|\b[cdjlmnst]['’]/gi, 1],
  ["it", /[ìò]|\b(?:dell|nell|all|sull)['’]/gi, 1],
];

/** Words of other languages that the eight do not have: more of them than of the best of the eight settle it. */
const FOREIGN = new Set(
  (
    "hej jag och att inte har fatt men aldrig galler vad det som ar mig tack ett min mitt mina nagot bestallt snalla varfor nar " +
    "jeg og ikke har fatt faet hvad hva hvorfor tak takk mig meg min mit mitt noget noe vil kan ikke gerne venlig hilsen fra til " +
    "ahoj dobry den jsem neni prosim dekuji jak kdy muj moje se objednavku objednavka mate vas byl byla " +
    "hei moi kiitos mina olen ei miksi tilaus tilauksen on ja minun koska " +
    "buna ziua va rog multumesc nu este sunt comanda si mea merhaba siparis tesekkur lutfen neden bir ve icin szia koszonom nem kerem"
  ).split(" "),
);

/** Letters of Swedish, Danish, Norwegian and Czech that none of the eight languages has. */
const FOREIGN_LETTERS = /[åæøěřůčďťňőűğışţțș]/giu;

const WORDS_READ_MAX = 600;

const WORD_SETS = Object.entries(SMALL_WORDS).map(
  // The keys of the constant above are languages.
  ([name, words]) => [name as Language, new Set(words.split(" "))] as const,
);

/**
 * The language a text is written in, by its small words and letters; `other` where no language has any of them, or
 * where another language has more.
 */
export function detectLanguage(text: string): Language {
  const words = foldText(text).trim().split(" ").slice(0, WORDS_READ_MAX);
  const scores = new Map<Language, number>();
  for (const [name, known] of WORD_SETS) {
    scores.set(name, words.filter((word) => known.has(word)).length);
  }
  for (const [name, mark, weight] of MARKS) {
    const marks = Math.min(text.slice(0, 4_000).match(mark)?.length ?? 0, 6);
    scores.set(name, (scores.get(name) ?? 0) + marks * weight * 0.7);
  }
  const foreign =
    words.filter((word) => FOREIGN.has(word)).length + Math.min(text.match(FOREIGN_LETTERS)?.length ?? 0, 6);
  const [best] = [...scores.entries()].toSorted((a, b) => b[1] - a[1]);
  return best === undefined || best[1] === 0 || foreign > best[1] ? "other" : best[0];
}
