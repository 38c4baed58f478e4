import type { Language } from "../contract-fields.ts";

/** What an issue is about, as far as the advice differs. */
export type Trouble = "login" | "connection" | "power" | "crash";

/** The stand-in's advice. `restart` and `report` fit any trouble. */
export const ADVICE: Readonly<
  Record<Exclude<Language, "other">, Readonly<Record<Trouble | "restart" | "report", string>>>
> = {
  en: {
    login: "Ask for a new password link and open it in a private browser window.",
    connection:
      "Check that the device is on the right network, then remove the connection and set it up again.",
    power:
      "Leave the device on another power outlet and cable for an hour, then hold its button for 15 seconds.",
    crash: "Install the newest version, then open it once with all other programs closed.",
    restart: "Switch everything off for a minute and on again.",
    report: "If it stays, send us the exact message you see, the version and the time it happened.",
  },
  de: {
    login: "Fordern Sie einen neuen Link für das Passwort an und öffnen Sie ihn in einem privaten Fenster.",
    connection: "Prüfen Sie, ob das Gerät im richtigen Netz ist, und richten Sie die Verbindung neu ein.",
    power:
      "Lassen Sie das Gerät eine Stunde an einer anderen Steckdose und halten Sie die Taste 15 Sekunden gedrückt.",
    crash:
      "Installieren Sie die neueste Version und öffnen Sie sie, während alle anderen Programme geschlossen sind.",
    restart: "Schalten Sie alles für eine Minute aus und wieder ein.",
    report: "Bleibt der Fehler, senden Sie uns bitte die genaue Meldung, die Version und die Uhrzeit.",
  },
  fr: {
    login: "Demandez un nouveau lien de mot de passe et ouvrez-le dans une fenêtre privée.",
    connection: "Vérifiez que l'appareil est sur le bon réseau, puis recréez la connexion.",
    power: "Laissez l'appareil une heure sur une autre prise, puis maintenez le bouton 15 secondes.",
    crash: "Installez la dernière version et ouvrez-la après avoir fermé les autres programmes.",
    restart: "Éteignez tout pendant une minute, puis rallumez.",
    report: "Si cela persiste, envoyez-nous le message exact, la version et l'heure.",
  },
  es: {
    login: "Solicite un nuevo enlace de contraseña y ábralo en una ventana privada.",
    connection: "Compruebe que el aparato está en la red correcta y vuelva a configurar la conexión.",
    power: "Deje el aparato una hora en otro enchufe y mantenga pulsado el botón 15 segundos.",
    crash: "Instale la última versión y ábrala con los demás programas cerrados.",
    restart: "Apáguelo todo durante un minuto y vuelva a encenderlo.",
    report: "Si continúa, envíenos el mensaje exacto, la versión y la hora.",
  },
  it: {
    login: "Richieda un nuovo link per la password e lo apra in una finestra privata.",
    connection: "Verifichi che il dispositivo sia nella rete giusta e configuri di nuovo la connessione.",
    power: "Lasci il dispositivo un'ora su un'altra presa e tenga premuto il tasto per 15 secondi.",
    crash: "Installi l'ultima versione e la apra con gli altri programmi chiusi.",
    restart: "Spenga tutto per un minuto e riaccenda.",
    report: "Se il problema resta, ci mandi il messaggio esatto, la versione e l'ora.",
  },
  pl: {
    login: "Proszę zamówić nowy link do hasła i otworzyć go w oknie prywatnym.",
    connection: "Proszę sprawdzić, czy urządzenie jest we właściwej sieci, i ponownie ustawić połączenie.",
    power: "Proszę zostawić urządzenie na godzinę w innym gniazdku i przytrzymać przycisk 15 sekund.",
    crash: "Proszę zainstalować najnowszą wersję i otworzyć ją po zamknięciu innych programów.",
    restart: "Proszę wyłączyć wszystko na minutę i włączyć ponownie.",
    report: "Jeśli błąd pozostanie, prosimy o dokładny komunikat, wersję i godzinę.",
  },
  pt: {
    login: "Peça um novo link de senha e abra-o numa janela privada.",
    connection: "Verifique se o aparelho está na rede certa e configure a ligação de novo.",
    power: "Deixe o aparelho uma hora noutra tomada e mantenha o botão premido 15 segundos.",
    crash: "Instale a versão mais recente e abra-a com os outros programas fechados.",
    restart: "Desligue tudo durante um minuto e volte a ligar.",
    report: "Se continuar, envie-nos a mensagem exata, a versão e a hora.",
  },
  nl: {
    login: "Vraag een nieuwe wachtwoordlink aan en open die in een privévenster.",
    connection: "Controleer of het apparaat in het juiste netwerk zit en stel de verbinding opnieuw in.",
    power: "Laat het apparaat een uur op een ander stopcontact en houd de knop 15 seconden ingedrukt.",
    crash: "Installeer de nieuwste versie en open die terwijl andere programma's gesloten zijn.",
    restart: "Zet alles een minuut uit en weer aan.",
    report: "Blijft het, stuur ons dan de precieze melding, de versie en het tijdstip.",
  },
};
