import type { Language } from "../contract-fields.ts";
import type { ReplyInput } from "../reply/answer.ts";

type Written = Exclude<Language, "other">;
export type Phrases = Readonly<Record<ReplyInput["outcome"] | "greeting" | "closing" | "subject", string>>;

/** What the stand-in writes, by language. */
export const PHRASES: Readonly<Record<Written, Phrases>> = {
  en: {
    subject: "Your message to us",
    greeting: "Hello,",
    refund_paid:
      "we have paid you back. The money goes the way it came and arrives within five working days.",
    refund_declined:
      "we cannot pay this order back, because the period for it is over or nothing was paid. If you see it otherwise, please answer this message.",
    already_refunded: "this order was already paid back.",
    order_number_needed: "please send us the number of your order; it stands in the confirmation.",
    order_unknown:
      "we cannot find an order with this number. Please check it in the confirmation and write to us again.",
    ticket_opened: "our colleagues are taking care of it.",
    steps: "please try the following, one after the other:",
    idea_noted: "thank you for your idea. We have noted it for our product people.",
    lead_welcomed:
      "thank you for your interest. A colleague from sales will be in touch within one working day.",
    closing: "Kind regards\nYour support team",
  },
  de: {
    subject: "Ihre Nachricht an uns",
    greeting: "Guten Tag,",
    refund_paid:
      "wir haben Ihnen das Geld erstattet. Es geht denselben Weg zurück und ist in fünf Werktagen bei Ihnen.",
    refund_declined:
      "wir können diese Bestellung nicht erstatten, weil die Frist vorbei ist oder nichts bezahlt wurde. Sehen Sie das anders, antworten Sie bitte.",
    already_refunded: "diese Bestellung wurde bereits erstattet.",
    order_number_needed: "bitte senden Sie uns Ihre Bestellnummer; sie steht in der Bestätigung.",
    order_unknown:
      "wir finden keine Bestellung mit dieser Nummer. Bitte prüfen Sie die Bestätigung und schreiben Sie uns erneut.",
    ticket_opened: "unsere Kollegen kümmern sich darum.",
    steps: "bitte versuchen Sie nacheinander Folgendes:",
    idea_noted: "vielen Dank für Ihre Idee. Wir haben sie für unsere Produktleute notiert.",
    lead_welcomed:
      "vielen Dank für Ihr Interesse. Ein Kollege aus dem Vertrieb meldet sich binnen eines Werktags.",
    closing: "Mit freundlichen Grüßen\nIhr Support-Team",
  },
  fr: {
    subject: "Votre message",
    greeting: "Bonjour,",
    refund_paid: "nous vous avons remboursé. L'argent revient par le même moyen sous cinq jours ouvrés.",
    refund_declined:
      "nous ne pouvons pas rembourser cette commande : le délai est passé ou rien n'a été payé. Si vous n'êtes pas d'accord, répondez-nous.",
    already_refunded: "cette commande a déjà été remboursée.",
    order_number_needed:
      "merci de nous envoyer le numéro de votre commande ; il figure dans la confirmation.",
    order_unknown:
      "nous ne trouvons aucune commande avec ce numéro. Merci de vérifier la confirmation et de nous réécrire.",
    ticket_opened: "nos collègues s'en occupent.",
    steps: "merci d'essayer, dans l'ordre :",
    idea_noted: "merci pour votre idée. Nous l'avons notée pour l'équipe produit.",
    lead_welcomed: "merci de votre intérêt. Un collègue commercial vous contactera sous un jour ouvré.",
    closing: "Cordialement\nVotre équipe d'assistance",
  },
  es: {
    subject: "Su mensaje",
    greeting: "Hola:",
    refund_paid: "le hemos devuelto el dinero. Vuelve por el mismo medio en cinco días laborables.",
    refund_declined:
      "no podemos devolver este pedido, porque el plazo ha pasado o no se pagó nada. Si no está de acuerdo, respóndanos.",
    already_refunded: "este pedido ya fue reembolsado.",
    order_number_needed: "por favor, envíenos el número de su pedido; está en la confirmación.",
    order_unknown:
      "no encontramos ningún pedido con ese número. Compruebe la confirmación y escríbanos de nuevo.",
    ticket_opened: "nuestros compañeros se ocupan de ello.",
    steps: "por favor, pruebe lo siguiente, por orden:",
    idea_noted: "gracias por su idea. La hemos anotado para el equipo de producto.",
    lead_welcomed: "gracias por su interés. Un compañero de ventas le contactará en un día laborable.",
    closing: "Un saludo\nSu equipo de soporte",
  },
  it: {
    subject: "Il suo messaggio",
    greeting: "Buongiorno,",
    refund_paid: "l'abbiamo rimborsata. Il denaro torna per la stessa via entro cinque giorni lavorativi.",
    refund_declined:
      "non possiamo rimborsare questo ordine: il termine è passato o non è stato pagato nulla. Se non è d'accordo, ci risponda.",
    already_refunded: "questo ordine è già stato rimborsato.",
    order_number_needed: "ci mandi per favore il numero dell'ordine; si trova nella conferma.",
    order_unknown: "non troviamo un ordine con questo numero. Controlli la conferma e ci scriva di nuovo.",
    ticket_opened: "i nostri colleghi se ne occupano.",
    steps: "provi per favore, nell'ordine:",
    idea_noted: "grazie per l'idea. L'abbiamo annotata per chi cura il prodotto.",
    lead_welcomed:
      "grazie dell'interesse. Un collega delle vendite la contatterà entro un giorno lavorativo.",
    closing: "Cordiali saluti\nIl team di assistenza",
  },
  pl: {
    subject: "Państwa wiadomość",
    greeting: "Dzień dobry,",
    refund_paid: "zwróciliśmy pieniądze. Wrócą tą samą drogą w ciągu pięciu dni roboczych.",
    refund_declined:
      "nie możemy zwrócić pieniędzy za to zamówienie: termin minął albo nic nie zapłacono. W razie wątpliwości prosimy o odpowiedź.",
    already_refunded: "pieniądze za to zamówienie już zwrócono.",
    order_number_needed: "prosimy o numer zamówienia; jest w potwierdzeniu.",
    order_unknown:
      "nie znajdujemy zamówienia o tym numerze. Prosimy sprawdzić potwierdzenie i napisać ponownie.",
    ticket_opened: "nasi koledzy się tym zajmują.",
    steps: "prosimy spróbować po kolei:",
    idea_noted: "dziękujemy za pomysł. Zapisaliśmy go dla zespołu produktu.",
    lead_welcomed:
      "dziękujemy za zainteresowanie. Kolega z działu sprzedaży odezwie się w ciągu dnia roboczego.",
    closing: "Z poważaniem\nZespół pomocy",
  },
  pt: {
    subject: "A sua mensagem",
    greeting: "Olá,",
    refund_paid: "devolvemos o seu dinheiro. Volta pela mesma via em cinco dias úteis.",
    refund_declined:
      "não podemos reembolsar esta encomenda: o prazo passou ou nada foi pago. Se não concorda, responda-nos.",
    already_refunded: "esta encomenda já foi reembolsada.",
    order_number_needed: "envie-nos por favor o número da encomenda; está na confirmação.",
    order_unknown:
      "não encontramos nenhuma encomenda com este número. Verifique a confirmação e escreva-nos de novo.",
    ticket_opened: "os nossos colegas estão a tratar disso.",
    steps: "experimente por favor, por esta ordem:",
    idea_noted: "obrigado pela ideia. Anotámo-la para a equipa de produto.",
    lead_welcomed: "obrigado pelo interesse. Um colega de vendas entrará em contacto num dia útil.",
    closing: "Com os melhores cumprimentos\nA sua equipa de apoio",
  },
  nl: {
    subject: "Uw bericht",
    greeting: "Goedendag,",
    refund_paid: "wij hebben u terugbetaald. Het geld komt binnen vijf werkdagen langs dezelfde weg terug.",
    refund_declined:
      "wij kunnen deze bestelling niet terugbetalen: de termijn is voorbij of er is niets betaald. Ziet u dat anders, antwoord dan.",
    already_refunded: "deze bestelling is al terugbetaald.",
    order_number_needed: "stuur ons alstublieft het nummer van uw bestelling; het staat in de bevestiging.",
    order_unknown:
      "wij vinden geen bestelling met dit nummer. Kijk het na in de bevestiging en schrijf ons opnieuw.",
    ticket_opened: "onze collega's zorgen ervoor.",
    steps: "probeer alstublieft het volgende, op volgorde:",
    idea_noted: "dank voor uw idee. Wij hebben het genoteerd voor onze productmensen.",
    lead_welcomed:
      "dank voor uw belangstelling. Een collega van verkoop neemt binnen een werkdag contact op.",
    closing: "Met vriendelijke groet\nUw supportteam",
  },
};
