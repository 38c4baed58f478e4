/** Apologies and refusals in several languages. */
const APOLOGIES: readonly RegExp[] = [
  /\b(?:i['’]?m|i am|we are|we['’]re) (?:very |so |really |terribly |afraid |truly )*(?:sorry|unable|not able|not sure|afraid)\b/i,
  /\b(?:i|we) (?:cannot|can['’]?t|could not|couldn['’]t|am unable|do not|don['’]t|won['’]t|will not) /i,
  /^(?:sorry|apologies|unfortunately|regrettably|as an ai)\b/i,
  /\b(?:es tut mir leid|leider|ich kann (?:das |dies |ihnen |dir )?(?:leider )?(?:nicht|keine))/i,
  /\b(?:je suis désolée?|désolée?,|malheureusement|je ne (?:peux|suis|sais))/i,
  /(?:^|\s)(?:lo siento|lamentablemente|desafortunadamente|no puedo|no es posible)\b/i,
  /(?:^|\s)(?:desculpe|infelizmente|não (?:posso|consigo|é possível))/i,
  /(?:^|\s)(?:mi dispiace|purtroppo|non (?:posso|sono in grado))/i,
  /\b(?:het spijt me|helaas|ik kan (?:helaas )?(?:niet|geen))/i,
  /\b(?:beklager|dessverre|tyvärr|desværre|valitettavasti|przepraszam|niestety|bohužel|sajnos)(?![\p{L}])/iu,
  /(?:извините|к сожалению|не могу|на жаль)/i,
  /(?:申し訳|すみません|できません|抱歉|对不起|對不起|无法|無法|죄송|할 수 없)/,
];

/** Returns true for a refusal to answer. Reads only the beginning. */
export function isApology(text: string): boolean {
  const start = text.trim().slice(0, 300);
  return APOLOGIES.some((one) => one.test(start));
}
