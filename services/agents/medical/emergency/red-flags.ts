// Size: a list, which is read and reviewed as a whole.
import {
  ACUTE,
  BABY,
  BLEEDING,
  BLIND,
  CHEST,
  CROOKED,
  FACE,
  FEVER,
  join,
  JUMBLED,
  LIFELESS,
  LIMB,
  LIMP,
  POISON,
  PREGNANT,
  PRESSING,
  SICK,
  SUDDEN,
  SWALLOWED,
  SWELLING,
  THROAT,
  WEEKS,
  words,
} from "./lay-words.ts";

export interface RedFlag {
  readonly sign: string;
  /** Words of each have to stand within three sentences. */
  readonly all: readonly RegExp[];
  /** Not being able to is the sign itself, so that only "never" and "without" deny it. */
  readonly isInability?: boolean;
  /** Words beside which it is no sign: said of what comes and goes. */
  readonly unless?: RegExp;
}

/** Sure enough that people are told of an emergency. Wide on purpose: an alarm too many costs a person's look. */
export const RED_FLAGS: readonly RedFlag[] = [
  { sign: "chest_pain_now", all: [CHEST, PRESSING, ACUTE] },
  { sign: "stroke", all: [FACE, CROOKED], isInability: true },
  { sign: "stroke", all: [LIMB, LIMP], isInability: true },
  { sign: "stroke", all: [JUMBLED], isInability: true },
  {
    sign: "stroke",
    all: [BLIND, join(SUDDEN, words("one eye, came down, auge, ojo, oeil"))],
    isInability: true,
  },
  { sign: "stroke", all: [join(FACE, LIMB), words("numb*, tingl*, taub*, dormid*, engourdi*"), SUDDEN] },
  {
    sign: "cannot_breathe",
    all: [
      words(
        "can't breathe, cannot breathe, couldn't breathe, can't get air, can't get any air, can't catch my breath, can't catch her breath, can't catch his breath, breathing but funny, breathing funny, gone purple, going purple, gone blue, going blue, struggling to breathe, struggles to breathe, fighting for breath, fighting for air, gasping, choking, lips are blue, lips have gone blue, lips turned blue, blue lips, one word at a time, under his ribs, under her ribs, out of puff just sitting, out of breath just sitting, short of breath at rest, keine luft, erstick*, blaue lippen, lippen sind blau, me ahogo, se ahoga, no puedo respirar, no puede respirar, no me entra el aire, n'arrive plus a respirer, peux plus respirer, peut plus respirer, etouff*, levres bleues, levres sont bleues, non riesco a respirare, soffoc*",
      ),
    ],
    isInability: true,
  },
  {
    sign: "lung_clot",
    all: [
      words("calf, leg, flight, wade, bein, flug, pantorrilla, pierna, mollet, jambe"),
      words("swollen, swell*, geschwollen, hinchad*, gonfle*"),
      words("breathe, breath, puff, atmen, atem*, luft, respirar, respirer, souffle"),
    ],
  },
  {
    sign: "unconscious",
    all: [
      words(
        "unconscious, unresponsive, won't wake, can't wake, not waking, hardly wake, barely wake, passed out, collapsed, out cold, bewusstlos, nicht ansprechbar, umgekippt, wacht nicht auf, inconsciente, desmayad*, desmayo, no despierta, inconscient*, evanoui*, perdu connaissance, ne se reveille pas, svenut*",
      ),
    ],
  },
  {
    sign: "heavy_bleeding",
    all: [
      words(
        "bleeding heavily, bleeding a lot, blood everywhere, blood that won't stop, bleeding that won't stop, won't stop bleeding, can't stop the bleeding, coughing blood, coughing up blood, coughed up blood, vomiting blood, vomited blood, throwing up blood, black as tar, tarry, blutet stark, starke blutung*, hoert nicht auf zu bluten, blut gehustet, blut erbrochen, teerstuhl, schwarzer stuhl, sangra mucho, sangrado abundante, vomita sangre, vomito sangre, heces negras, saigne beaucoup, n'arrete pas de saigner, hemorragi*, selles noires, crache du sang, vomi du sang",
      ),
    ],
  },
  {
    sign: "heavy_bleeding",
    all: [
      words("sick, vomit*, threw up, erbrochen, vomito, vomite*, vomi"),
      words("coffee grounds, kaffeesatz, posos de cafe, marc de cafe"),
    ],
  },
  {
    sign: "lung_clot",
    all: [
      words("cough*, hust*, toso, tose, tousse"),
      words("pink froth, pink foam, blood, blut, sangre, sang"),
    ],
  },
  { sign: "pregnancy", all: [PREGNANT, BLEEDING] },
  {
    sign: "pregnancy",
    all: [
      PREGNANT,
      words(
        "terrible pain, severe pain, awful pain, one side, fainted, nearly fainted, splitting headache, flashing lights, hands are like balloons, hasn't moved, not moved, stopped moving, waters broke, water broke, waters just went, waters have gone, waters went, convuls*, starke schmerzen, starke bauchschmerzen, bewegt sich nicht, fruchtwasser, dolor fuerte, mucho dolor, no se mueve, fortes douleurs, ne bouge plus, perdu les eaux",
      ),
    ],
  },
  {
    sign: "self_harm",
    all: [
      words(
        "goodbye letter, goodbye note, texted me goodbye, on the bridge, on the roof, on the ledge, auf der bruecke, auf dem dach, sur le pont, en el puente, not wake up tomorrow, nicht mehr aufwache, never wake up, kill myself, killing myself, suicid*, unalive, end my life, ending my life, end it all, ending it all, don't want to live, don't want to be alive, don't want to be here anymore, hurt myself, hurting myself, better off without me, no reason to live, no reason to go on, want it to be over, saved up my tablets, saved up my pills, umbringen, das leben nehmen, nicht mehr leben, suizid*, mir was antun, mir etwas antun, tabletten schon vor mir, quitarme la vida, no quiero vivir, no quiero seguir viviendo, matarme, plus envie de vivre, en finir, me tuer, mettre fin a mes jours, farla finita, uccidermi",
      ),
    ],
    isInability: true,
  },
  {
    sign: "harm_to_others",
    all: [
      words(
        "voices, stimmen, voces, voix, i have to, i want to, i will, ich muss, ich will, quiero, je vais",
      ),
      words(
        "kill him, kill her, kill them, hurt him, hurt her, hurt them, hurt my, kill my, umbringen, erstechen, matarlo, matarla, le tuer, la tuer",
      ),
    ],
  },
  {
    sign: "sudden_headache",
    all: [
      words(
        "worst headache, thunderclap, exploding headache, vernichtungskopfschmerz*, peor dolor de cabeza, pire mal de tete, coup de tonnerre",
      ),
    ],
  },
  {
    sign: "sudden_headache",
    all: [
      words("headache, kopfschmerz*, kopfweh, dolor de cabeza, mal de tete"),
      join(SUDDEN, words("like a blow")),
    ],
  },
  {
    sign: "seizure",
    all: [
      words("seizure, convuls*, fitting, krampfanfall, krampft, convulsion*, crise d'epilepsie"),
      words(
        "now, right now, lasting, still, minutes, won't stop, first, just had, is having, jetzt, gerade, minuten, immer noch, ahora, minutos, maintenant, encore",
      ),
    ],
  },
  {
    sign: "seizure",
    all: [words("jerking all over, shaking all over and, eyes have rolled back, eyes rolled back")],
  },
  { sign: "allergic_shock", all: [THROAT, SWELLING], isInability: true },
  {
    sign: "allergic_shock",
    all: [
      words(
        "wasp, bee, sting, stung, nut, nuts, peanut*, antibiotic, penicillin, wespe*, wespenstich, biene, nuss*, erdnuss*, avispa, abeja, cacahuete*, guepe, abeille, cacahuete*",
      ),
      words(
        "hives, lumps, rash all over, all over, cramps, going dark, dizzy, faint*, breath*, groesser, quaddeln, ronchas, urticaria, plaques",
      ),
    ],
  },
  {
    sign: "overdose",
    all: [
      words(
        "overdos*, took too many, taken too many, swallowed too many, took all my, taken all my, took all the, took a whole, taken a whole, ueberdosis, zu viele tabletten, alle tabletten, sobredosis, demasiadas pastillas, surdose, trop de comprimes, trop de medicaments, overdose",
      ),
    ],
  },
  {
    sign: "overdose",
    all: [
      words(
        "ten, twelve, fifteen, twenty, thirty, forty, fifty, 10, 12, 15, 16, 20, 24, 30, 32, 40, 50, packet of, packets of, bottle of, box of, zehn, zwanzig, dreissig, packung, veinte, treinta, vingt, trente, boite de",
      ),
      words(
        "paracetamol, ibuprofen, aspirin, codeine, tablets, pills, tabletten, pillen, pastillas, comprimes, cachets",
      ),
      words("had, took, taken, swallowed, genommen, geschluckt, tomado, tome, pris, avale"),
    ],
  },
  { sign: "poison", all: [SWALLOWED, POISON] },
  {
    sign: "chemical_in_the_eye",
    all: [POISON, words("eye, eyes, auge, augen, ojo, ojos, oeil, yeux, occhio, occhi")],
  },
  {
    sign: "choking",
    all: [
      words("stuck, choked, steckt, feststeckt, atragant*, coince, etouffe"),
      words("throat, windpipe, grape, nut, coin, hals, luftroehre, garganta, gorge"),
    ],
  },
  {
    sign: "burn",
    all: [
      words("burn*, burnt, scald*, boiling, kettle, verbrannt, verbrueht, quemad*, quemo, brule*"),
      words("blister*, whole, face, skin, chest, blasen, haut, ampollas, cloques, peau, piel"),
      join(
        SUDDEN,
        words(
          "baby, toddler, over herself, over himself, over myself, over me, front, back, just, gerade, acaba",
        ),
      ),
    ],
  },
  {
    sign: "drowning",
    all: [
      words("pool, water, bath, lake, sea, becken, piscina, piscine"),
      words("pulled, drown*, under, ertrunken, ahog*, noye*"),
      words("breath*, blue, cough*, atm*, respir*"),
    ],
  },
  {
    sign: "venom",
    all: [
      words("snake, viper, adder, scorpion, schlange, viper*, serpiente, vibora, serpent, vipere"),
      words("bit, bite, bitten, stung, gebissen, biss, mordio, mordedura, mordu, morsure"),
    ],
  },
  {
    sign: "meningitis",
    all: [
      FEVER,
      words(
        "stiff neck, neck is so stiff, neck is stiff, chin down, nackensteif*, steifer nacken, nacken ist steif, nuca rigida, cuello rigido, nuque raide",
      ),
    ],
  },
  {
    sign: "meningitis",
    all: [
      words("spots, rash, bruises, flecken, ausschlag, manchas, taches"),
      words(
        "don't fade, doesn't fade, won't fade, purple, glass, coming up everywhere, light, violett*, glas, licht, moradas, luz, violettes, lumiere",
      ),
      join(FEVER, words("hot, heiss, caliente, chaud")),
    ],
  },
  {
    sign: "sepsis",
    all: [
      join(FEVER, words("shiver*, shaking chills, schuettelfrost, escalofrio*, frissons")),
      words(
        "confus*, what day, don't know where, going like the clappers, mottled, verwirrt, rast, marmoriert, desorientad*, desoriente*",
      ),
    ],
  },
  { sign: "baby_fever", all: [BABY, WEEKS, FEVER] },
  { sign: "sick_baby", all: [BABY, LIFELESS], isInability: true },
  {
    sign: "tear_in_the_chest",
    all: [
      words("tore, torn, tearing, ripped, ripping, zerreiss*, zerriss*, gerissen, desgarr*, dechir*"),
      words("back, chest, shoulder blades, ruecken, brust, espalda, pecho, dos, poitrine"),
      join(SUDDEN, ACUTE),
    ],
  },
  {
    sign: "testicle",
    all: [
      words("testicle*, testis, balls, down there, hoden, testiculo*, testicule*, nuts"),
      words(
        "pain*, killing, hurt*, agony, swollen, hard, schmerz*, geschwollen, duele, dolor*, mal, douleur*",
      ),
    ],
  },
  {
    sign: "diabetes",
    all: [
      words("diabet*, insulin*, zuckerkrank"),
      join(
        SICK,
        words("deep and fast, pear drops, acetone, sweaty, won't drink, shaky, azeton*, unterzuck*"),
      ),
    ],
  },
  {
    sign: "head_injury",
    all: [
      words("head, kopf, cabeza, tete, testa"),
      words(
        "fell, fall, fallen, hit, banged, knocked, gestuerzt, gefallen, cayo, caido, tombe*, golpe*, caduto",
      ),
      join(SICK, words("out cold, unconscious, bewusstlos, perdu connaissance")),
    ],
  },
  {
    sign: "pinched_spinal_cord",
    all: [
      words("numb between, numb down below, between my legs, reithose*, entre las piernas, entre les jambes"),
      words("wee, pee, urinate, bladder, bowel*, wasserlassen, pinkeln, orinar, uriner"),
    ],
    isInability: true,
  },
  { sign: "gas", all: [words("carbon monoxide, kohlenmonoxid, monoxido de carbono, monoxyde de carbone")] },
  {
    sign: "gas",
    all: [
      words("stove, boiler, heater, barbecue, generator, ofen, grill, estufa, poele, chaudiere"),
      words(
        "headache, sick, dizzy, collapsed, kopfschmerz*, kopfweh, schwindlig, dolor de cabeza, mal de tete",
      ),
      words("family, all of us, everyone, everybody, wir alle, familie, todos, toute la famille"),
    ],
  },
];
