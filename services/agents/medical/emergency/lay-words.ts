/** One pattern for a list of words; it matches whole words in text as `plainOf` leaves it. */
export function words(list: string): RegExp {
  const alternatives = list.split(", ").map((word) =>
    word
      .replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
      .replaceAll("*", String.raw`[\p{L}\d]*`)
      .replaceAll(" ", String.raw`\s+`),
  );
  return new RegExp(String.raw`(?<![\p{L}\d])(?:${alternatives.join("|")})(?![\p{L}\d])`, "gu");
}

export function join(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join("|"), "gu");
}

/**
 * Words of patients and of those who write for them, in English, German, Spanish, French and some Italian: in lower
 * case without accents, `*` for any ending. Lay words first: few say "dyspnoea".
 */
export const CHEST = words(
  "chest, breastbone, sternum, ribs, sitting on me, lower jaw, arm feels like lead, brust, brustkorb, brustbein, herzgegend, pecho, esternon, poitrine, thorax, petto, torace",
);
export const PRESSING = words(
  "pain*, hurt*, kills, killing, ache*, aching, pressure, pressing, tight*, crush*, squeez*, burning, heavy, heaviness, weight, band, vice, vise, elephant, lorry, truck, brick*, somebody standing on, somebody sitting on, on my chest, on his chest, on her chest, lead, clutch*, rubbing, schmerz*, druck*, drueck*, enge, weh, stein, schraubstock, brennen, brennt, fasst, presion, opresion, dolor*, duele, aprieta, oprime, peso, etau, serre*, douleur*, mal, pression, poids, brule*, oppress*, dolore, stringe, male",
);
export const ACUTE = words(
  "now, right now, at rest, won't stop, won't go away, doesn't stop, spread*, radiat*, jaw, left arm, down my arm, into my arm, sweat*, clammy, grey, gray, pale, ashen, feel sick, half an hour, an hour, hour ago, hours ago, hr ago, hrs ago, minutes, mins, since this morning, since breakfast, since lunch, this morning, tonight, jetzt, gerade, in ruhe, ausstrahl*, zieht, linken arm, seit dem mittagessen, seit dem fruehstueck, mir ist schlecht, kiefer, schweiss*, kaltschweiss*, seit einer stunde, halben stunde, minuten, seit heute, heute, blass, uebel, kotzuebel, ahora, media hora, una hora, brazo izquierdo, sudor*, sudando, mandibula, minutos, esta manana, me cuesta respirar, maintenant, bras gauche, machoire, sueur*, ce matin, une heure, demi-heure, demi heure, braccio sinistro, sudo, mezz'ora, adesso, stamattina",
);
export const SUDDEN = words(
  "suddenly, sudden, all at once, all of a sudden, out of the blue, ploetzlich*, auf einmal, de repente, de pronto, soudain*, d'un coup, tout a coup, all'improvviso",
);
export const FACE = words(
  "face, mouth, smile, gesicht*, mund, mundwinkel, boca, cara, bouche, visage, sourire, bocca, faccia",
);
export const CROOKED = words(
  "droop*, wonky, lopsided, only half, nur noch halb, crooked, hang*, numb, one side, couldn't feel, can't feel, cannot feel, taub, schief*, haengt, gelaehmt, torcid*, tuerce, paraliz*, dormid*, travers, paralys*, engourdi*, storta",
);
export const LIMB = words(
  "fingers, foot, arm, arms, leg, legs, hand, side, cup, bein, beine, seite, brazo, pierna, lado, bras, jambe, cote, braccio, gamba",
);
export const LIMP = words(
  "dragging, cannot move, can't move, wouldn't move, wouldn't do anything, won't move, won't do what, couldn't move, can't lift, cannot lift, couldn't lift, can't hold, couldn't hold, keeps dropping, feels dead, gone dead, went dead, gone weak, went weak, gave way, paralys*, paralyz*, faellt immer wieder runter, nicht mehr heben, nicht mehr bewegen, nicht heben, nicht bewegen, gelaehmt, no puede mover, no puedo mover, no puede levantar, n'arrive plus a lever, n'arrive plus a bouger, ne peut plus bouger, peut plus lever, non riesce a muovere",
);
export const JUMBLED = words(
  "slurr*, gibberish, nonsense word*, can't find words, can't find the words, findet keine worte, keine worte mehr, garbl*, come out wrong, came out wrong, wrong words, makes no sense, can't speak, cannot speak, can't talk, couldn't speak, couldn't talk, kauderwelsch, verwaschen*, lallt, nicht mehr sprechen, nicht mehr richtig sprechen, kann nicht sprechen, no se le entiende, no puede hablar, no puedo hablar, n'arrive plus a parler, parle bizarrement, non riesce a parlare",
);
export const BLIND = words(
  "can't see, cannot see, couldn't see, lost my sight, lost sight, went blind, curtain, nichts mehr sehen, sehe nichts, no veo, vois plus rien, ne voit plus",
);
export const BABY = words(
  "baby, newborn, new born, infant, weeks old, saeugling, neugeboren*, bebe, recien nacido, lactante, nourrisson, nouveau-ne, neonato, mon bebe",
);
export const WEEKS = words(
  "week, weeks, one month, two months, 1 month, 2 months, newborn, woche, wochen, monat, semana, semanas, un mes, dos meses, recien nacido, semaine, semaines, un mois, deux mois, settimane",
);
export const FEVER = words(
  "fever*, temperature, fieber, fiebrig, temperatur, fiebre, fievre, febbre, 38, 38.*, 38,*, 39, 39.*, 39,*, 40, 40.*, 40,*, 41",
);
export const LIFELESS = words(
  "floppy, limp, hardly wake, barely wake, won't feed, not feeding, stopped feeding, won't wake, trinkt nicht, schlaff, no come, no quiere comer, mou, molle, ne boit plus, ne mange plus",
);
export const PREGNANT = words(
  "twins, labour, pregnan*, weeks gone, schwanger*, schwangerschaftswoche, ssw, embarazad*, enceinte, grossesse, incinta",
);
export const BLEEDING = words("bleed*, blood, blut*, sangr*, saign*, sanguin*");
export const THROAT = words(
  "throat, tongue, lips, face, hals, zunge, lippen, gesicht, garganta, lengua, labios, cara, gorge, langue, levres, visage, gola, lingua, labbra",
);
export const SWELLING = words(
  "closing, swell*, swollen, puff*, bigger, getting fat, groesser, schwillt, geschwollen, zugeschwollen, dick, geht zu, schwillt zu, hinchad*, hincha*, cierra, gonfl*, ferme, gonfi*",
);
export const SWALLOWED = words(
  "drank, drunk, swallowed, ate, eaten, licked, verschluckt, getrunken, gegessen, trago, tragado, bebio, bebido, avale, bu, mange, ingoiato, bevuto",
);
export const POISON = words(
  "bleach, battery, batteries, magnet*, detergent, cleaner, drain cleaner, antifreeze, weedkiller, dishwasher tablet, mushroom*, knopfbatterie, batterie, batterien, putzmittel, reiniger, entkalker, lejia, pila, detergente, javel, pile, lessive, candeggina",
);
export const SICK = words(
  "being sick, vomit*, throwing up, thrown up, erbrech*, erbricht, uebergibt, vomita*, vomi*, confused, drowsy, sleepy, verwirrt, confundid*, confus*, somnolent*",
);
