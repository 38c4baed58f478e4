/** Words that natural values are drawn from, with the marks that real ones hold. */
export const PEOPLE = [
  "Ann Lee",
  "Siobhán O'Brien",
  "Dr. Jürgen Groß",
  "María-José Fernández",
  "Nguyễn Thị Hoa",
  "王小明",
  "田中 さくら",
  "Олена Шевченко",
  "محمد العلي",
  "J. R. R. Okafor, PhD",
  'Robert "Bob" Smith',
  "de la Cruz, Inés",
  "Zoë Ångström",
  "김민준",
] as const;

export const COMPANIES = [
  "Acme Corp.",
  "Müller & Söhne GmbH",
  "Société Générale d'Électricité",
  "AT&T",
  "Smith, Jones & Partners LLP",
  "株式会社サンライズ",
  "3M",
  "Yahoo!",
  "Procter (Nordic) AS",
  "Ben & Jerry's",
] as const;

export const CITIES = [
  "Oslo",
  "New York",
  "São Paulo",
  "Köln",
  "東京",
  "St. John's",
  "Kraków",
  "Frankfurt am Main",
  "Al-Qāhira",
  "Québec",
] as const;

export const STREETS = [
  "221B Baker Street",
  "Karl-Johans gate 22, 3rd floor",
  "1600 Pennsylvania Ave NW",
  "Str. 17 (rear building)",
  "Rua 25 de Março, 100",
  "c/o Weber, Hauptstr. 5",
] as const;

/** One line each, of the kind that customers, authors and systems write. */
export const SENTENCES = [
  "The parcel arrived, but the box was open.",
  'She said "never again" and hung up.',
  "Error: disk full (code 28)",
  "See https://example.com/help?id=7&lang=en#top for details.",
  "Please call me back; I'm in after 5 pm.",
  "Works fine {since the update} [finally]!",
  "I paid 49.90 EUR, not 59.90 EUR.",
  "Der Kunde möchte sein Geld zurück.",
  "Le client n'a pas reçu sa commande n° 42.",
  "注文した商品がまだ届いていません。",
  "Заказ не доставлен, прошу вернуть деньги.",
  "لم يصل الطلب حتى الآن",
  "주문이 아직 도착하지 않았어요",
  "Great service 👍🏽 would buy again 🎉",
  "Path is C:\\temp\\new\\report.txt",
  "The ratio is 3:1, i.e. 75 % / 25 %.",
  "Use `npm ci`, then run build --prod",
  "Nothing to report",
  "null pointer when the list is empty",
  "True story: it just stopped",
  "100% of the tests passed on the 2nd try",
  "Customer #1042 asks: where is my refund?",
  "Bring 2 copies, a pen and your ID card",
  "It's the user's choice, isn't it?",
  "Discount was 10%; expected 15%",
  "Meeting moved to 14:30 – same room",
  "a < b && c > d",
  "Signed: Ann -- Sales",
  "Don't use the {name} placeholder here",
  "x = 5; y = [1, 2, 3]",
] as const;

/** Several lines each. */
export const PARAGRAPHS = [
  "Hello,\n\nmy order has not arrived.\nCan you check?\n\nThanks\nAnn",
  'Steps:\n1. open the app\n2. tap "Pay"\n3. it crashes',
  "def add(a, b):\n    return a + b",
  "if (x > 0) {\n\tconsole.log(`x is ${x}`);\n}",
  "SELECT id, name\nFROM users\nWHERE name LIKE '%O''Brien%';",
  "- first point\n- second point: with colon\n- third",
  "Lieber Herr Groß,\nanbei die Rechnung.\nMit freundlichen Grüßen",
  "# Title\n\nSome *emphasis* and a [link](https://example.org).",
] as const;

export const TOPICS = [
  "billing",
  "late delivery",
  "refund",
  "two-factor login",
  "API keys",
  "dark mode",
  "CSV export",
  "data-protection",
  "C++",
  "machine learning",
  "node.js",
  "R&D",
  "on-call rota",
  "größe",
  "日本語",
] as const;

export const PRODUCTS = [
  "USB-C cable, 2 m",
  'Monitor 27" 4K',
  "Stapler (red)",
  'Desk lamp "Arc"',
  "Café au lait mug",
  "Wireless mouse",
  "HDMI adapter",
  "Notebook A5 / dotted",
  "抹茶 ラテ",
  "Kids' bicycle 16″",
] as const;

export const FOODS = [
  "plain flour",
  "unsalted butter",
  "crème fraîche",
  "soy sauce",
  "red onion, finely chopped",
  "extra-virgin olive oil",
  "jalapeño",
  "eggs",
  "brown sugar",
  "味噌",
] as const;
