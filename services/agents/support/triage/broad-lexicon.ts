import type { Lexicon } from "../reading/phrase-score.ts";

/**
 * Single words and stems that lean towards a queue without settling it, in the eight languages. Each weighs little; a
 * customer who describes a matter in their own words uses several of them.
 */
export const BROAD_LEXICON = {
  refunds: [
    [2, "reimburse|recompens|compensat|give back|get back|have back|back the|money|what i paid|paid for it|overcharg|charged|debited|deducted|cash back|store credit|return it|returning|sent back|send back|returned|cooling off"],
    [2, "geld wieder|zuruckzahl|uberwiesen|abgebucht|abbuchung|retour|rucksend|zuruckgeschickt|gutschrift|kaufpreis|storno|widerruf|reklam|zuruckbekomm|wiederhaben"],
    [2, "restitu|debite|preleve|retour|remise de l argent|recuperer mon argent|mon argent|avoir|retract|reclam|rendre l argent"],
    [2, "abonar|abono|importe|dinero|cobrad|cargo|devuelv|devol|desistim|reclam|reintegr"],
    [2, "rivoglio|soldi|denaro|restitu|addebit|recesso|reclam|accredit"],
    [2, "przela|kwot|pobran|odstep|odstap|oddaj|zwraca|reklam|pieniedzy|obciaz"],
    [2, "dinheiro|devolv|descont|estorn|cobranc|cobrad|valor pago|o valor|desist|reclam"],
    [2, "aankoopbedrag|bedrag|geld|afgeschreven|retourn|terugkrij|vergoed|herroep"],
    [1.5, "shatter|smashed|ripped|torn|scratch|stain|spark|dented|leak|broke|missing part|not as described|too small|too big|doesn t fit|wrong"],
    [1.5, "zerbroch|gerissen|zerkratzt|passt nicht|falsch|brise|fissure|dechire|trop petit|trizas|rasgad|rayad|rotto|strappat|graffiat|peknie|porysowan|rozbit|partiu|rasgad|riscad|stuk|gescheurd|gebroken"],
  ],
  technical: [
    [2, "respond|unresponsive|black|blank|stuck|frozen|load|loading|hang|offline|503|500|502|404 error|pair|connect|disconnect|battery|overheat|noise|beep|blink|install|configur|setup|set up|device|app|software|firmware|button|keyboard|printer|laptop|phone|tablet|speaker|router|camera|troubleshoot|something else i can try|broken link|keeps|won t|doesn t|not respond"],
    [2, "reagiert|steuerung|knopf|taste|anzeige|display|lad nicht|ladt|gerat|verbind|einricht|install|akku|piept|blinkt|leuchtet|aufgehangt|stuck|software|drucker|handy|streikt|geht nicht|spinnt"],
    [2, "s eteint|s allume|ne repond|ne charge|tablette|telephone|ordinateur|imprimante|batterie|clignote|bouton|installer|logiciel|appareil|brancher|branche|ne s ouvre|que faire"],
    [2, "en blanco|no carga|no responde|no se enciende|se apaga|bateria|pantalla|ordenador|movil|impresora|parpadea|boton|instalar|dispositivo|pagina|la web|conect"],
    [2, "schermo|non risponde|non carica|si spegne|non si apre|batteria|telefono|computer|dispositivo|tasto|installa|disinstalla|lampeggia|collega|aggiornament"],
    [2, "nie lacz|lacza sie|nie odpowiada|nie laduje|wylacza|ekran|bateri|telefon|komputer|drukark|sluchawk|przycisk|miga|instal|parow|urzadzeni|nie chce sie"],
    [2, "nao responde|nao carrega|desliga|bateria|telemovel|celular|computador|impressora|botao|pisca|instal|dispositivo|ligar|liga |ecra|pagina"],
    [2, "reageert niet|laadt niet|valt uit|accu|telefoon|computer|printer|knop|knippert|installe|apparaat|verbind|zwart scherm|gaat uit"],
  ],
  "feature-requests": [
    [2, "you know what would|make my day|would be|what if|have you thought|have you considered|how about|why not|why can t|allow|support for|let us|let me|ability|an option|remembered|it would help|hope you|please consider|improvement|enhanc|just saying|add |adding|missing"],
    [2, "konnten sie|konnte man|ware|anregung|verbesserung|anbieten|wurden sich freuen|warum nicht|idee|wunsch|moglichkeit|hinzufug|erganz|integrier"],
    [2, "idee|pourquoi ne pas|permettre|serait|ajout|ameliorat|ca m aiderait|proposer|avez vous pense|j aimerais pouvoir|il manque"],
    [2, "han pensado|incluir|mejora|idea|anad|estaria|vendria|seria|propon|por que no|permitir|ojala"],
    [2, "perche non|idea|miglior|aggiung|avete pensato|mi piacerebbe|sarebbe|permettere|consiglio|manca"],
    [2, "pomysl|moze warto|dlaczego nie|przydal|przydaloby|dodac|dodanie|ulepsz|brakuje|mozna by|wprowadz"],
    [2, "dica|falta|melhoria|ideia|por que nao|porque nao|seria|adicion|ja pensaram|permitir|incluir|gostava de poder"],
    [2, "idee|waarom niet|zou|toevoeg|verbeter|mogelijkheid|hebben jullie gedacht|aanraden|handig"],
  ],
  sales: [
    [2, "proposal|rfp|tender|bid|licen|contract|buy|purchas|order in bulk|bulk|wholesale|price|cost|cheaper|afford|plan for|family plan|team plan|upgrade|subscribe|trial|demonstrat|sales|invoice us annually|per user|per month|a month|offer for|account manager|become a customer|interested in"],
    [2, "angebot|preis|kosten|tarif|lizenz|kaufen|bestellen mochten|interesse|rabatt|testphase|vertrieb|ausschreibung|grossbestellung|mitarbeiter"],
    [2, "prix|tarif|acheter|offre|licence|abonnement pour|remise|interesse|commercial|appel d offres|combien"],
    [2, "precio|comprar|oferta|cotiza|licencia|interesad|descuento|comercial|tarifa|cuesta|licitacion"],
    [2, "offerta|prezzo|acquist|postazion|licenz|sconto|interessat|piano|commerciale|costa|vorrebbe"],
    [2, "cena|cene|kupi|zakup|ofert|licencj|rabat|zainteresowan|kosztuj|stanowisk|handlow|przetarg"],
    [2, "preco|comprar|oferta|licenc|desconto|interessad|comercial|plano|custa|proposta"],
    [2, "prijs|kopen|aanschaf|offerte|licentie|korting|interesse|abonnement voor|kost|zoeken een|aanvraag|chauffeurs|medewerkers"],
  ],
  operations: [
    [1.5, "deliver|dispatch|ship|arriv|courier|postman|post office|pick up|pickup|collect|neighbour|neighbor|depot|customs|address|street|house number|postcode|zip code|typed|correct it|before it goes out|receipt|invoice|billing|statement|profile|account|login|merge|e mail address|phone number|reschedule|date|delay|late|waiting|status|still not|hasn t|exchange|replace|vat|proof of purchase"],
    [1.5, "ware|geliefert|zugestellt|lieferung|versand|versendet|nachbar|abgegeben|forschen|post|bote|hausnummer|strasse|anschrift|beleg|quittung|profil|konto|verspat|warte|wo bleibt|abhol|zoll|umtausch|status|mehrwertsteuer"],
    [1.5, "livr|expedi|justificatif|recu d achat|note de frais|adresse|rue|voisin|retard|douane|profil|compte|attends|date|echange|ou en est|tva|facteur|relais"],
    [1.5, "entreg|envi|repartidor|mensajer|direccion|calle|vecino|retraso|aduana|perfil|cuenta|espero|fecha|cambiar|justificante|recibo|iva|donde esta"],
    [1.5, "consegn|sped|corriere|indirizzo|via |vicino|ritardo|dogana|profilo|account|attendo|data|cambiare|ricevuta|scontrino|iva|dov e"],
    [1.5, "dorecz|wysyl|wyslan|kurier|adres|ulic|sasiad|opozni|clo|profil|konto|czekam|termin|przesun|paragon|rachunek|vat|odbior"],
    [1.5, "entreg|envi|estafeta|morada|endereco|rua|vizinho|atras|alfandega|perfil|conta|espera|data|alterar|recibo|comprovativo|nota fiscal|onde"],
    [1.5, "bezorg|lever|verzend|adres|straat|buren|buurman|vertraag|douane|profiel|account|wacht|datum|wijzig|bon|kwitantie|btw|waar blijft|ophalen"],
  ],
  spam: [
    [3, "mailbox|storage is exceeded|quota|email list|verified contacts|10x|more customers|shops like yours|worth a chat|from now on treat|transfer the money|log in through the link|below to keep|gift card|you have been selected|selected to receive|prince|beneficiary|invest|profit|followers|ranking|cheap meds|loan|weight loss|webinar invitation|boost your|increase your|one time offer|risk free|nigeria|bank details|verify your|confirm your identity"],
    [3, "postfach|gewonnen|erbschaft|investier|kredit ohne|verifizier|gagne|heritage|investiss|pret rapide|confirmez votre identite|herencia|inviert|prestamo|verifique su cuenta|eredita|investi|prestito|verifichi il suo|spadek|inwestuj|pozyczk|zweryfikuj|heranca|invista|emprestimo|verifique a sua|erfenis|investeer|lening|verifieer"],
  ],
} as const satisfies Record<string, Lexicon>;

/** Further signs of the matters that only a person decides. */
export const BROAD_CAUSES = {
  safety: [
    [1, "stitches|injur|burnt|burned|smoke|flames|dangerous|hospital|bleed|cut her|cut his|cut my|choke|choking|poison|hazard|verletz|verbrannt|gefahrlich|krankenhaus|blesse|brulure|dangereux|hopital|peligros|quemad|herid|pericolos|ustion|ferit|niebezpieczn|oparzen|skaleczy|szpital|perigos|queimad|ferid|gevaarlijk|gewond|verbrand"],
  ],
  legal_threat: [
    [1, "legal|lawyer|court|sue|ombudsman|trading standards|juristen|jurist|gericht|letzte frist|verbraucherzentrale|anwalt|justice|huissier|judicial|juzgado|juridic|legale|giudice|codacons|prawn|sadow|uokik|judicia|deco |livro de reclamacoes|juridisch|rechtbank|consumentenbond"],
  ],
  privacy: [
    [1, "data you hold|data you have|what you know about me|my data|delete my data|auskunft|daten sie uber mich|meine daten|daten loschen|mes donnees|mis datos|i miei dati|moje dane|moich danych|meus dados|mijn gegevens|art 15|art 17|article 15|article 17|subject access"],
  ],
  press: [
    [1, "reporter|newspaper|journalis|article about|redaktion|redaction|periodist|giornal|redakcj|jornal|krant"],
  ],
} as const satisfies Record<string, Lexicon>;
