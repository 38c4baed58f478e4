import type { Lexicon } from "../reading/phrase-score.ts";

/** Money is wanted back. In the order en, de, fr, es, it, pl, pt, nl, as everywhere in this file. */
const REFUNDS: Lexicon = [
  [4, "refund|money back|reimburs|chargeback|send me back what i paid|return my money"],
  [4, "pay me back|credit my card"],
  [2, "charged twice|double charge|two payments|billed twice|charged me|back on my card"],
  [2, "back to my card|dollars back|euros back"],
  [4, "erstatt|ruckerstattung|geld zuruck|widerruf|zuruckerstatt|kaufpreis zuruck|ruckzahlung"],
  [4, "buchen sie"],
  [2, "doppelt abgebucht|zweimal abgebucht|zuruckgeben|zuruckgeschickt|retourniert"],
  [4, "rembours"],
  [2, "debite deux fois|preleve deux fois|renvoye|retracter"],
  [4, "reembols|devuelvan|devolucion|devolver el dinero|devuelvan el dinero|mi dinero"],
  [2, "cobrado dos veces|cargado dos veces|defectuoso"],
  [4, "rimbors|restituzione|indietro i soldi|soldi indietro"],
  [2, "addebitato due volte|annullato l ordine|reso"],
  [4, "zwrot|zwroc|oddac mi|oddajcie|pieniadze"],
  [2, "reklamacj|odstap|pobrano dwa razy|podwojn"],
  [4, "reembols|dinheiro de volta|devolvam|devolucao|estorno"],
  [2, "cobrad|devolvi"],
  [4, "geld terug|terugbetal|terugstort|restitutie"],
  [2, "dubbel afgeschreven|teruggestuurd|retour"],
  [1.5, "broken|damaged|cracked|defective|faulty|wrong size|wrong colour|wrong color|wrong item"],
  [1.5, "returned|sent it back|send it back|changed my mind|in pieces"],
  [1, "defekt|kaputt|beschadigt|casse|abime|roto|danado|rotto|danneggiat|uszkodz|partido"],
  [1, "beschadigd|falsche grosse|talla equivocada"],
];

const TECHNICAL: Lexicon = [
  [3, "crash|error message|error code|error 4|error 5|returns error|not working|doesn t work"],
  [3, "does not work|stopped working|can t log in|cannot log in|cant log in|unable to log"],
  [3, "log in since|freez|bug|glitch|flicker|turn on|turns on|won t start|does not start|outage"],
  [3, "production down"],
  [2, "error|fails|failing|failure|timeout|times out|slow|reinstall|restart|reboot|update"],
  [2, "driver|wifi|password|login|log file|sync|screen|how can i solve|how to fix|fix"],
  [2, "black screen|blank|version"],
  [3, "sturzt|absturz|fehlermeldung|funktioniert nicht|geht nicht|startet nicht|ausgefallen"],
  [3, "ausfall|anmelden|nicht mehr offnen|hangt sich"],
  [2, "fehler|update|bildschirm|verbindet sich|neu gestartet|neustart|browser|passwort|wlan"],
  [2, "cache|ladt nicht|workaround"],
  [3, "plante|ne fonctionne|ne marche|me connecter|bug|panne|message d erreur|se bloque"],
  [2, "erreur|mot de passe|connexion|mise a jour|ecran|parametres|redemarr"],
  [3, "no funciona|no sincroniza|se cierra|error|no puedo entrar|no puedo acceder|falla"],
  [3, "se bloquea|no enciende"],
  [2, "aplicacion|reinici|contrasena|pantalla|actualizacion|servidor"],
  [3, "non funziona|non si collega|non riesco ad acced|non riesco a|si blocca|errore"],
  [3, "non si accende|crash"],
  [2, "riavvi|password|schermo|aggiornamento|wifi|led"],
  [3, "zawiesza|nie dziala|nie moge otworzyc|nie moge sie zalogowac|blad|nie wlacza|awari"],
  [2, "aplikacj|aktualizacj|haslo|ekran|ustawien|restart"],
  [3, "nao funciona|nao consigo entrar|nao consigo aceder|nao consigo acessar|mensagem de erro"],
  [3, "trava|nao liga"],
  [2, "erro|navegador|senha|sessao|ecra|tela|atualizacao|reinici"],
  [3, "werkt niet|loopt vast|foutmelding|kan niet inloggen|storing|start niet"],
  [2, "inloggen|wachtwoord|scherm|fout|opnieuw opgestart|los ik dit op"],
];

const FEATURES: Lexicon = [
  [5, "feature request|would be great if|would be nice if|would love to see|please add"],
  [5, "could you add|wishlist|roadmap|suggestion|i wish|i keep wishing|keep wishing"],
  [5, "lovely addition|would be lovely|would be useful if|any plans|it would be great"],
  [5, "would be cool"],
  [3, "idea|could you consider|consider adding|feature|missing option|ability to|dark mode"],
  [3, "option to"],
  [5, "ich fande es toll|ware es moglich dass|neue funktion|vorschlag|verbesserungs"],
  [5, "gibt es plane|wunsche mir|wurde ich mir|ware toll|ware schon wenn|wunsch "],
  [5, "ce serait bien|il serait bien|ajouter cette fonction|prevu d ajouter|suggestion"],
  [5, "serait super|j aimerais que vous ajout|nouvelle fonction"],
  [5, "me encantaria|anadieran|sugerencia|estaria bien|seria util|muy util|seria genial"],
  [5, "podrian anadir|nueva funcion"],
  [5, "sarebbe bello|potreste aggiungere|aggiungere questa|proposta|suggeriment|sarebbe utile"],
  [5, "nuova funzion"],
  [5, "byloby super|bylo by|byloby|gdybyscie dodali|propozycj|dodac funkcj|dodali mozliwosc"],
  [5, "sugesti"],
  [5, "seria otimo|seria bom|adicionassem|sugestao|sugerir|gostaria de sugerir"],
  [5, "nova funcionalidade|ideia"],
  [5, "zou fijn zijn|zou mooi zijn|zou handig|suggestie|toevoegen|nieuwe functie|idee "],
];

const SALES: Lexicon = [
  [4, "pricing|quote|enterprise plan|business plan|sales team|buy licen|purchase licen|demo"],
  [4, "volume discount|discount|how much is|how much does|price list|reseller|procurement"],
  [2, "price|seats|licen|trial|evaluat|vendor|sso|budget|plan |premium plan|upgrade|rollout"],
  [2, "contract with you|subscription cost"],
  [4, "angebot fur|ein angebot|preisliste|lizenzen|was kostet|kosten pro|mengenrabatt|demo"],
  [4, "devis|tarif|demonstration|licences|equiper|combien coute"],
  [4, "presupuesto|cotizacion|contratar|cuanto cuesta|precios|plan de empresa|licencias"],
  [4, "preventivo|quanto costa|licenze|prezzi|piano base|offerta per"],
  [4, "ofert|wycen|licencj|ile kosztuje|cennik|chcielibysmy kupic"],
  [4, "orcamento|quanto custa|licencas|proposta comercial|precos"],
  [4, "offerte|prijsopgave|licenties|wat kost|prijzen"],
];

const OPERATIONS: Lexicon = [
  [3, "where is my parcel|where is my order|where is my package|parcel|tracking|courier|carrier"],
  [3, "delivered|delivery|shipping address|delivery address|change my address|invoice"],
  [3, "vat number|close my account|delete the saved|in depot|shipment|supposed to arrive"],
  [3, "receipt|postpone|my package|unsubscribe me"],
  [3, "lieferadresse|adresse andern|umgezogen|adressanderung|rechnung|sendung|paket|lieferung"],
  [3, "liefertermin|zusteller|sendungsverfolgung|konto loschen|kundigen|kundigung"],
  [3, "facture|adresse de livraison|colis|livraison|transporteur|suivi|changer d adresse"],
  [3, "supprimer mon compte|resilier"],
  [3, "direccion de entrega|cambiar la direccion|cambio de direccion|factura|paquete|envio"],
  [3, "seguimiento|entrega|cancelar mi cuenta"],
  [3, "spedizione|indirizzo|fattura|pacco|tracking|corriere|consegna|chiudere il mio account"],
  [3, "paczk|przesylk|sledzeni|faktur|zmiana adresu|zmienic adres|dostaw|kurier|usunac konto"],
  [3, "fatura|endereco|nif|segunda via|transportadora|encomenda ainda nao chegou|onde esta"],
  [3, "rastre|morada|encerrar a conta"],
  [3, "pakket|bezorg|factuur|adreswijziging|afleveradres|track|levering|account opzeggen"],
  [2, "replacement instead|exchange it|umtausch|echange|cambio por otro|sostituzione|wymian"],
  [2, "troca|omruilen"],
];

const SPAM: Lexicon = [
  [5, "you have won|lucky winner|claim your prize|claim prize|verify your password"],
  [5, "confirm your bank|bitcoin|guaranteed returns|backlinks|seo services|guest post|act now"],
  [5, "double your money|earn money|crypto|lottery|account will be suspended|unusual activity"],
  [5, "wire transfer the fund|inheritance|limited offer|casino|viagra|work from home"],
  [5, "sie haben gewonnen|bestatigen sie ihr passwort|vous avez gagne|ha ganado|avete vinto"],
  [5, "hai vinto|wygrales|wygrana|voce ganhou|u heeft gewonnen|gewinnspiel"],
  [1.5, "click here|http|congratulations|sign up today|reply to unsubscribe|increase your traffic"],
  [1.5, "hier klicken|cliquez ici|haga clic|clicca qui|kliknij|clique aqui|klik hier"],
];

/** How strongly a text speaks for each queue that a lexicon can tell. */
export const ROUTE_LEXICON = {
  refunds: REFUNDS,
  technical: TECHNICAL,
  "feature-requests": FEATURES,
  sales: SALES,
  operations: OPERATIONS,
  spam: SPAM,
} as const satisfies Record<string, Lexicon>;

const LEGAL: Lexicon = [
  [1, "lawyer|attorney|lawsuit|legal action|see you in court|solicitor|sue you|small claims"],
  [1, "consumer protection|take you to court"],
  [1, "anwalt|rechtsanwalt|klage einreichen|verklag|verbraucherschutz|rechtliche schritte"],
  [1, "strafanzeige"],
  [1, "avocat|porte plainte|porter plainte|tribunal|action en justice|mise en demeure"],
  [1, "abogado|demanda judicial|demandar|denuncia|tribunales|acciones legales"],
  [1, "avvocato|denuncia|vie legali|tribunale|azione legale"],
  [1, "prawnik|adwokat|pozew|do sadu|rzecznik"],
  [1, "advogado|tribunal|acao judicial|processar|queixa formal"],
  [1, "advocaat|rechtszaak|juridische stappen|rechter"],
];

const SAFETY: Lexicon = [
  [1, "caught fire|on fire|electric shock|injured|burned my|burnt my|explod|started to smoke"],
  [1, "allergic reaction|hospitalised"],
  [1, "feuer gefangen|in brand|stromschlag|verletzt|explodiert|raucht|pris feu|electrocut"],
  [1, "blesse|explose|se incendio|explot|descarga electrica|herid"],
  [1, "preso fuoco|scossa elettrica|esplos|ferit|zapalil|porazil|wybuch|pegou fogo|explodiu"],
  [1, "choque eletrico|vlam gevat|ontploft|elektrische schok"],
];

const PRIVACY: Lexicon = [
  [1, "gdpr|personal data|data protection|right to be forgotten|right of access|dsgvo"],
  [1, "personenbezogen|datenschutz|rgpd|donnees personnelles|datos personales"],
  [1, "dati personali|rodo|dane osobowe|danych osobowych|lgpd|dados pessoais|persoonsgegevens"],
  [1, "avg verzoek"],
];

const PRESS: Lexicon = [
  [1, "journalist|i am a reporter|press inquiry|press enquiry|newspaper article|presseanfrage"],
  [1, "journaliste|periodista|giornalista|dziennikar|jornalista"],
];

/** Matters that only a person decides, the gravest first. */
export const CAUSE_LEXICON = [
  ["safety", SAFETY],
  ["legal_threat", LEGAL],
  ["privacy", PRIVACY],
  ["press", PRESS],
] as const satisfies readonly (readonly [string, Lexicon])[];

/** Somebody says that it is not money back they want; such phrases are taken out before anything is scored. */
export const NO_REFUND: readonly string[] = [
  "not want a refund",
  "don t need a refund",
  "don t want a refund",
  "do not need a refund",
  "no refund needed",
  "not asking for a refund",
  "no need for a refund",
  "keine erstattung",
  "kein geld zuruck",
  "pas de remboursement",
  "no quiero un reembolso",
  "no quiero el reembolso",
  "non voglio un rimborso",
  "nie chce zwrotu",
  "nao quero reembolso",
  "nao quero o reembolso",
  "geen geld terug",
];
