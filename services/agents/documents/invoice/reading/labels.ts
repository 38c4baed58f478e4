import { anyOf } from "../../text/phrases.ts";

/** Names of an amount that is to be paid, as far as they are not the total's own name. */
const PAYABLE_PHRASES = [
  "(?:total )?(?:amount |balance )?(?:now )?due|amount payable|total payable|total to pay|balance to pay",
  "(?:noch )?zu zahlen(?:der betrag)?|zahlbetrag|zahlungsbetrag",
  "(?:net|total|montant|reste) à payer",
  "(?:total|importe|líquido|valor) a pagar",
  "(?:totale |netto )?(?:da|a) pagare",
  "(?:totaal )?te (?:betalen|voldoen)",
  "do zapłaty",
  "(?:summa )?att betala",
  "πληρωτέο(?: ποσό)?",
  "ご?請求金額|お支払(?:い)?金額",
];

export const PAYABLE = anyOf(PAYABLE_PHRASES);

/** Names of a total with tax. */
export const GROSS = anyOf([
  ...PAYABLE_PHRASES,
  "grand total|total amount|invoice total|total (?:incl|including|with)\\b.*|total credit|amount received",
  "gesamt(?:betrag|summe)|(?:rechnungs|end|brutto)(?:betrag|summe)|gesamtpreis brutto",
  "total ttc|montant (?:total|ttc)|total facture",
  "total (?:de la )?factura|importe total|total con iva",
  "totale (?:fattura|documento|complessivo)|importo totale",
  "valor total(?: da (?:nota|fatura))?|total (?:geral|com iva)",
  "totaal incl\\p{L}*.*|totaalbedrag",
  "(?:razem|wartość|suma) brutto|kwota należności",
  "total(?:t|summa|belopp)|summa inkl\\p{L}*.*",
  "(?:γενικό )?σύνολο",
  "合計金額|税込合計|合計",
  "الإجمالي|المبلغ الإجمالي",
]);

/** Names that may be a total's, where nothing better is found; at the beginning of a line only. */
export const TOTAL = anyOf(["total", "totale", "totaal", "gesamt", "summe", "summa", "suma", "razem"]);

/** Names of a total without tax. */
export const NET = anyOf([
  "sub-?total|net(?: amount| total| credit)?(?! à)|total (?:excl|ex|before)\\b.*",
  "netto(?:betrag|summe)?|summe netto|zwischen(?:summe|total)|warenwert",
  "(?:total|montant) (?:net )?ht|hors taxes?",
  "base imponible|subtotal",
  "(?:totale )?imponibile|subtotale",
  "total (?:il[íi]quido|sem iva)|base tributável",
  "subtotaal|totaal excl\\p{L}*.*",
  "(?:razem|wartość|suma) netto",
  "summa exkl\\p{L}*.*|delsumma",
  "καθαρή αξία|υποσύνολο",
  "小計",
  "المجموع",
]);

/** Names of a tax. */
export const TAX = anyOf([
  "vat|sales tax|gst|hst|pst|qst|tax",
  "mwst\\.?|ust\\.?|umsatzsteuer|mehrwertsteuer",
  "tva",
  "(?<!p\\. ?)iva",
  "btw",
  "ptu",
  "moms|mva",
  "φπα",
  "消費税",
  "ضريبة القيمة المضافة",
]);

/** Beside a tax's name: a number of a register, or tax that is already in another amount. */
export const NO_TAX_AMOUNT = anyOf([
  "reg|no|nr|id|number|nummer|numéro|intracommunautaire|excl\\p{L}*|exkl\\p{L}*|verlegd|reverse",
]);

/** Amounts that are taken off a total before it is paid. */
export const DEDUCTION = anyOf([
  "withh(?:eld|olding)|less (?:deposit|payment)|already paid|deposit|prepaid",
  "abzüglich|bereits (?:ge|be)zahlt|anzahlung|abschlag vom|skonto abzug",
  "retenue|acompte|déjà (?:payé|réglé)",
  "retención|anticipo",
  "ritenuta|acconto",
  "retenção|adiantamento",
  "aanbetaling|reeds betaald|ingehouden",
  "zaliczka|wpłacono",
  "avgår|förskott|tidigare betalt",
  "παρακράτηση|προκαταβολή",
]);

/** Names of the day of an invoice. */
export const ISSUED = anyOf([
  "(?:tax |credit )?(?:invoice |receipt )?date(?: of issue)?|issued(?: on)?|issue date",
  "(?:rechnungs|ausstellungs|beleg)?datum",
  "date(?: de (?:la )?facture| d['’]émission)?",
  "fecha(?: de (?:emisión|factura|expedición))?",
  "data(?: fattura| documento| di emissione)?",
  "data de emissão|data da fatura",
  "(?:factuur)?datum",
  "data wystawienia",
  "(?:faktura)?datum",
  "ημερομηνία(?: έκδοσης)?",
  "請求日|発行日",
  "التاريخ|تاريخ الفاتورة",
]);

/** Words before a day that may be an invoice's, where none has a name. */
export const ISSUED_WEAKLY = anyOf([
  "dated|of",
  "vom|den",
  "du|le",
  "del|de",
  "van|d\\.d\\.",
  "z dnia",
  "den",
]);

/** Names of the day by which an invoice is to be paid. */
export const DUE = anyOf([
  "due(?: date| by)?|payment due|pay by|payable by",
  "zahlbar bis|fällig(?: am| bis)?|fälligkeit(?:sdatum)?|bis (?:zum|spätestens)",
  "échéance|date d['’]échéance|payable avant le",
  "vencimiento|fecha de vencimiento",
  "scadenza|data scadenza",
  "vencimento|data de vencimento",
  "vervaldatum|te betalen voor",
  "termin płatności",
  "förfall(?:er|odatum|odag)",
  "λήξη|ημερομηνία λήξης",
  "お?支払期限",
]);

/** Other days, which are neither. */
export const OTHER_DAY = anyOf([
  "(?:delivery|shipping|shipped|order) date|leistungsdatum|lieferdatum|liefertermin|bestelldatum",
  "date de (?:livraison|commande)|fecha de (?:entrega|pedido)|data (?:consegna|sprzedaży|dostawy)",
  "leverdatum|besteldatum|leveransdatum|orderdatum",
]);

/** Names of the invoice that a credit note or a letter refers to. */
export const REFERENCE = anyOf([
  "relates? to|ref(?:erence|\\.)?|original invoice|credit(?:s|ed)? invoice|for invoice",
  "zu rechnung|auf rechnung|bezug",
  "sur facture",
  "rectifica(?: la)?",
  "su fattura|rif\\.",
  "ref\\. fatura",
  "bij factuur|op factuur",
  "do faktury",
  "avser faktura",
  "στο τιμολόγιο",
]);
