/** Words that mean the same in letters between agents, one family a line. The first ones are the usual field names. */
const FAMILIES: readonly (readonly string[])[] = [
  ["amount", "total", "sum", "price", "cost", "value", "refund amount", "betrag", "paid", "charged"],
  ["order id", "order", "order no", "order number", "order ref", "bestellnummer", "purchase id", "reference"],
  ["email", "mail", "customer email", "sender", "from", "e mail"],
  [
    "summary",
    "description",
    "details",
    "text",
    "body",
    "message",
    "note",
    "notes",
    "question",
    "content",
    "request",
  ],
  ["severity", "priority", "urgency", "level", "impact"],
  ["reason", "cause", "why", "because", "justification", "grounds"],
  ["currency", "ccy", "curr"],
  ["language", "lang", "locale"],
  ["title", "subject", "headline", "topic"],
  ["company", "organisation", "organization", "firm", "employer"],
  ["steps", "actions", "instructions"],
  ["category", "type", "kind", "route", "intent"],
  ["name", "customer", "customer name", "contact"],
  ["quantity", "count", "seats", "number of", "units", "qty"],
];

/** Words near an enum's member in meaning; a model knows these, first aid must not. */
const RELATED: Readonly<Record<string, readonly string[]>> = {
  refund: ["money back", "reimburse", "return", "charge back", "chargeback", "refunded", "get my money"],
  refunds: ["refund", "money back", "reimburse", "return", "chargeback"],
  technical: ["bug", "error", "crash", "broken", "fails", "not working", "login", "outage"],
  sales: ["buy", "quote", "pricing", "demo", "purchase", "licences", "licenses", "seats", "plan"],
  feature: ["suggestion", "would be nice", "idea", "wish", "feature request", "please add"],
  operations: ["shipping", "delivery", "address", "warehouse", "carrier", "invoice"],
  critical: ["urgent", "down", "outage", "emergency", "production", "blocker"],
  high: ["urgent", "asap", "important", "serious", "major"],
  medium: ["moderate", "normal", "average"],
  low: ["minor", "small", "cosmetic", "whenever", "no rush", "trivial"],
  damaged: ["broken", "cracked", "dent", "scratched", "smashed"],
  late: ["delayed", "overdue", "too late", "not arrived"],
  duplicate: ["twice", "double", "two times", "charged again"],
  eur: ["euro", "euros"],
  usd: ["dollar", "dollars"],
  gbp: ["pound", "pounds"],
  pln: ["zloty", "zł"],
  positive: ["happy", "great", "love", "thanks"],
  negative: ["angry", "terrible", "awful", "disappointed"],
};

/** Lower-case words of a name: `orderId`, `order_id` and `Order ID` are all `order id`. */
export function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replaceAll(/[^\p{L}\d]+/gu, " ")
    .trim();
}

/** The names that mean what this one means, itself first. */
export function familyOf(name: string): readonly string[] {
  const words = wordsOf(name);
  const family =
    FAMILIES.find((each) => each.includes(words)) ?? FAMILIES.find((each) => sharesWord(each, words));
  return [...new Set([words, ...(family ?? [])])];
}

function sharesWord(family: readonly string[], words: string): boolean {
  return words.split(" ").some((word) => word.length > 3 && family.includes(word));
}

/** Words that speak for an enum's member: its own, its declared synonyms, and what is near in meaning. */
export function wordsFor(member: string, synonyms: readonly string[]): readonly string[] {
  const own = wordsOf(member);
  const related = own
    .split(" ")
    .flatMap((word) => (Object.hasOwn(RELATED, word) ? (RELATED[word] ?? []) : []));
  return [...new Set([own, ...synonyms.map(wordsOf), ...related])].filter((words) => words !== "");
}
