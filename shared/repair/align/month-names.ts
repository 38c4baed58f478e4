import { folded } from "./match-words.ts";

const MONTHS: readonly (readonly string[])[] = [
  "january jan januar jänner janvier enero gennaio janeiro januari stycznia styczeń",
  "february feb februar février febrero febbraio fevereiro februari lutego luty",
  "march mar märz mars marzo março maart marca marzec",
  "april apr avril abril aprile kwietnia kwiecień",
  "may mai mayo maggio maio mei maja maj",
  "june jun juni juin junio giugno junho czerwca czerwiec",
  "july jul juli juillet julio luglio julho lipca lipiec",
  "august aug août agosto augustus sierpnia sierpień",
  "september sep sept septembre septiembre settembre setembro września wrzesień",
  "october oct oktober octobre octubre ottobre outubro października październik",
  "november nov novembre noviembre novembro listopada listopad",
  "december dec dezember décembre diciembre dicembre dezembro december grudnia grudzień",
].map((names) => names.split(" ").map(folded));

const DAYS: readonly (readonly string[])[] = [
  "sunday sun sonntag dimanche domingo domenica zondag niedziela",
  "monday mon montag lundi lunes lunedì segunda maandag poniedziałek",
  "tuesday tue tues dienstag mardi martes martedì terça dinsdag wtorek",
  "wednesday wed mittwoch mercredi miércoles mercoledì quarta woensdag środa",
  "thursday thu thur thurs donnerstag jeudi jueves giovedì quinta donderdag czwartek",
  "friday fri freitag vendredi viernes venerdì sexta vrijdag piątek",
  "saturday sat samstag sonnabend samedi sábado sabato zaterdag sobota",
].map((names) => names.split(" ").map(folded));

/** Returns the month, 1 to 12, of a month name in a known language. */
export function monthOf(name: string): number | undefined {
  const index = MONTHS.findIndex((names) => names.includes(folded(name)));
  return index === -1 ? undefined : index + 1;
}

/** Returns the weekday of a name, 0 for Sunday. */
export function weekdayOf(name: string): number | undefined {
  const index = DAYS.findIndex((names) => names.includes(folded(name)));
  return index === -1 ? undefined : index;
}

/** Returns the weekday of a Gregorian date, 0 for Sunday (Sakamoto's method). */
export function weekdayOfDate(date: string): number {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  const shifted = month < 3 ? year - 1 : year;
  const offset = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4][month - 1] ?? 0;
  return (
    (shifted +
      Math.floor(shifted / 4) -
      Math.floor(shifted / 100) +
      Math.floor(shifted / 400) +
      offset +
      day) %
    7
  );
}
