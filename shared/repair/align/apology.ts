/** Apologies and refusals in several languages, and reports that there is nothing. */
const APOLOGIES: readonly RegExp[] = [
  /\b(?:i|we)(?:['’]?m|['’]re| am| are| was| were| have been)? (?:(?:very|so|really|terribly|afraid|truly) )*(?:sorry|unable|not able|not sure|afraid)\b/i,
  /\b(?:i|we) (?:(?:cannot|can['’]?t|(?:could|do|wo|will)(?: not|n?['’]t)) |(?:must|have to) decline\b)/i,
  /^["'*_\s]*(?:sorry|(?:my )?apologies|unfortunately|regrettably|as an? (?:large )?(?:ai|language))\b/i,
  /\bthere (?:is|was) (?:not enough|no|insufficient) (?:information|data)\b/i,
  /\b(?:es tut mir leid|tut mir leid|leider|entschuldig(?:ung|en sie)|ich kann\b[^.!?]{0,40}\b(?:nicht|keine))/i,
  /^(?:(?:there (?:are|were) )?no\b.{0,40}\b(?:found|available|match(?:es|ed|ing)?|results?|exist)|none\b.{0,20}\b(?:found|available)|nothing\b.{0,40}\b(?:found|available|to (?:report|list|show))|not found)\b/i,
  /\b(?:je suis désolée?|désolée?,|malheureusement|je ne (?:peux|suis|sais))/i,
  /(?:^|\s)(?:lo siento|lamentablemente|desafortunadamente|no puedo|no es posible|no tengo (?:acceso|esa|la|datos))\b/i,
  /(?:^|\s)(?:desculpe|infelizmente|lamento|não (?:posso|consigo|é possível))/i,
  /(?:^|\s)(?:mi dispiace|purtroppo|non (?:posso|sono in grado))/i,
  /\b(?:het spijt me|helaas|ik kan (?:helaas )?(?:niet|geen))/i,
  /\b(?:beklager|dessverre|tyvärr|desværre|valitettavasti|przepraszam|niestety|bohužel|sajnos)(?![\p{L}])/iu,
  /(?:извините|простите|к сожалению|не могу|на жаль|вибачте)/i,
  /(?:申し訳|すみません|できません|残念ながら|抱歉|对不起|對不起|无法|無法|遗憾|遺憾|죄송|할 수 없|안타깝|유감)/,
  /(?:عذر|آسف|للأسف|لا أستطيع|لا يمكنني)/,
  /(?:क्षमा करें|माफ़? करें|माफ़ कीजिए|नहीं कर सकता|दुर्भाग्य)/,
  /(?:üzgünüm|maalesef|ne yazık ki|yapamıyorum)/i,
];

/** Returns true for a refusal to answer, or a report that there is nothing. Reads only the beginning. */
export function isApology(text: string): boolean {
  const start = text.trim().slice(0, 300);
  return APOLOGIES.some((one) => one.test(start));
}
