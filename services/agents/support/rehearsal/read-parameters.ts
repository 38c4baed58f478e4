import type { ContractOutput } from "#shared/contract";
import type { OperationsRequest, RefundsRequest } from "../contracts.ts";
import { hasPhrase } from "../reading/phrase-score.ts";
import type { Lexicon } from "../reading/phrase-score.ts";

type RefundReason = ContractOutput<typeof RefundsRequest>["reason"];
type OperationsKind = ContractOutput<typeof OperationsRequest>["kind"];

/** The most telling first. */
const REASONS: readonly (readonly [RefundReason, Lexicon])[] = [
  [
    "duplicate_charge",
    [
      [1, "charged twice|double charge|two payments|billed twice|zweimal|doppelt|deux fois"],
      [1, "dos veces|due volte|dwa razy|duas vezes|twee keer|dubbel"],
    ],
  ],
  [
    "wrong_item",
    [
      [1, "wrong size|wrong colo|wrong item|wrong product|falsche|mauvaise taille|talla equivocada"],
      [1, "equivocad|taglia sbagliata|sbagliat|zly rozmiar|tamanho errado|verkeerde"],
    ],
  ],
  [
    "not_received",
    [
      [1, "never arrived|not received|never received|did not arrive|nie erhalten|nicht angekommen"],
      [1, "jamais recu|pas recu|nunca llego|no ha llegado|mai arrivat|nigdy nie dotarl|nie dotarl"],
      [1, "nunca chegou|nooit aangekomen|niet ontvangen"],
    ],
  ],
  [
    "damaged",
    [
      [1, "broken|damaged|cracked|defective|faulty|split|in pieces|snapped|defekt|kaputt|beschadigt"],
      [1, "casse|abime|defectueu|roto|danad|defectuos|rott|danneggiat|difettos|uszkodz|zepsut"],
      [1, "partid|defeituos|kapot"],
    ],
  ],
  [
    "cancelled",
    [
      [1, "cancelled|canceled|storniert|annule|cancelado|cancele|annullat|anulowa|cancelei"],
      [1, "geannuleerd"],
    ],
  ],
  [
    "changed_mind",
    [
      [1, "changed my mind|returned|sent it back|send it back|widerruf|zuruckgeschickt|retract"],
      [1, "renvoye|devolvi|devuelto|reso|odstap|odesla|teruggestuurd|no longer want"],
    ],
  ],
];

const KINDS: readonly (readonly [OperationsKind, Lexicon])[] = [
  [
    "address_change",
    [
      [1, "change my address|change the address|delivery address|shipping address|new address"],
      [1, "moved to|umgezogen|lieferadresse|adressanderung|changer d adresse|adresse de livraison"],
      [1, "cambiar la direccion|cambio de direccion|direccion de entrega|cambio indirizzo"],
      [1, "indirizzo di consegna|zmiana adresu|zmienic adres|alterar a morada|mudar o endereco"],
      [1, "adreswijziging|afleveradres"],
    ],
  ],
  [
    "invoice",
    [
      [1, "invoice|receipt|vat number|rechnung|facture|factura|fattura|faktur|fatura|nota fiscal"],
      [1, "factuur"],
    ],
  ],
  [
    "account",
    [
      [1, "close my account|delete my account|my account closed|account closed|saved card"],
      [1, "subscription|konto loschen|kundig|supprimer mon compte|resilier|cancelar mi cuenta"],
      [1, "chiudere il mio account|usunac konto|encerrar a conta|opzeggen"],
    ],
  ],
  ["exchange", [[1, "exchange|replacement|umtausch|echange|cambio por|sostituzione|wymian|troca|omruilen"]]],
  [
    "delivery",
    [
      [1, "parcel|package|tracking|deliver|courier|carrier|shipment|depot|paket|sendung|liefer"],
      [1, "colis|livraison|paquete|envio|entrega|pacco|spedizione|consegna|paczk|przesylk|dostaw"],
      [1, "encomenda|rastre|pakket|bezorg"],
    ],
  ],
];

const REFUND_ELSE: Lexicon = [
  [1, "or refund|otherwise refund|or my money back|refund if|oder erstatt|oder geld zuruck"],
  [1, "ou rembours|o reembols|o devuelv|oppure rimbors|albo zwrot|lub zwrot|ou reembols"],
  [1, "of geld terug"],
];

export function readRefundReason(folded: string): RefundReason {
  return REASONS.find(([, lexicon]) => hasPhrase(folded, lexicon))?.[0] ?? "other";
}

export function readOperationsKind(folded: string): OperationsKind {
  return KINDS.find(([, lexicon]) => hasPhrase(folded, lexicon))?.[0] ?? "other";
}

/** They ask for the parcel, and for the money should it be lost. */
export function wantsRefundElse(folded: string): boolean {
  return hasPhrase(folded, REFUND_ELSE);
}

const SEATS =
  /(?<![\d.,])(\d{1,3}(?:[.,]\d{3})+|\d{1,6})[\s-]*(?:\p{L}+\s){0,1}(?:seats?|users?|licen[cs]es?|people|employees|accounts?|workstations?|person|mitarbeiter\w*|lizenzen|nutzer|arbeitsplätze|postes|utilisateurs|licencias|usuarios|puestos|licenze|utenti|postazioni|licencji|użytkowników|stanowisk|licenças|utilizadores|usuários|licenties|gebruikers)(?!\p{L})/giu;

/** The number of seats asked for: the first number beside a word for seats, licences before people. */
export function readSeats(text: string): number | undefined {
  const found = [...text.matchAll(SEATS)];
  const licences = found.find((match) =>
    /seat|licen|lizenz|licenz|user|nutzer|poste|usuari|utent/i.test(match[0]),
  );
  const written = (licences ?? found[0])?.[1];
  const seats = Number(written?.replaceAll(/\D/g, ""));
  return written === undefined || seats < 1 || seats > 1_000_000 ? undefined : seats;
}

const COMPANY =
  /(?<!\p{L})((?:[\p{Lu}][\p{L}&-]*\s){1,4}(?:GmbH|AG|KG|Ltd|LLC|Inc|Corp|S\.?A\.?S?|S\.?L\.?|S\.?r\.?l|S\.?p\.?A|sp\. z o\.o|B\.?V|Lda)\.?)(?![\p{L}\d])|(?:at|bei|chez|from)\s((?:[\p{Lu}][\p{L}&-]*\s?){1,3})/u;
const FREE_MAIL =
  /@(?:gmail|yahoo|hotmail|outlook|icloud|gmx|web|mail|proton|libero|orange|posta|poczta|correo|correio|courrier|post|person)\./i;

/** A company's name in the text, else the sender's domain where that is no free mail service. */
export function readCompany(text: string, from: string): string | undefined {
  const match = COMPANY.exec(text);
  const named = (match?.[1] ?? match?.[2])?.trim();
  if (named !== undefined && named.length >= 2) return named.slice(0, 200);
  if (FREE_MAIL.test(from)) return undefined;
  return /@([a-z0-9-]{2,60})\./i.exec(from)?.[1];
}
