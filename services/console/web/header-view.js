import { hideBanner, showBanner } from "./banners.js";
import { at, fill, h } from "./dom.js";
import { clockAt } from "./when.js";

const SIGNS = [
  ["submitted", ""],
  ["completed", "="],
  ["failed", "+"],
  ["cancelled", "+"],
  ["expired", "+"],
  ["waiting", "+"],
];

/** submitted = completed + failed + … + waiting, and whether it holds. */
export function showEquation(equation) {
  const terms = SIGNS.flatMap(([name, sign]) => [
    sign === "" ? null : h("span", { class: "sign", text: sign, "aria-hidden": "true" }),
    h(
      "span",
      { class: "term", data: { term: name } },
      h("b", { text: equation[name] }),
      h("small", { text: name }),
    ),
  ]);
  const away = equation.shards_away;
  const verdict = equation.balanced
    ? away > 0
      ? `balanced without ${away} of the shards, which do not answer`
      : "balanced"
    : equation.lost > 0
      ? `NOT BALANCED: ${equation.lost} lost`
      : "NOT BALANCED";
  const state = equation.balanced && away === 0 ? "good" : "bad";
  fill(at("equation"), ...terms, h("span", { class: `verdict ${state}`, role: "status", text: verdict }));
}

export function showRehearsal(isRehearsal) {
  at("rehearsal").hidden = !isRehearsal;
}

/** Silence after which what is on the page may be old: it is told anew each second. */
const SILENCE_MS = 8000;

/** `atMs`: when the page was last told how things stand; null before the first time. */
const lastNews = { atMs: null, timer: 0, isConnected: false };

/** The page has just been told how things stand. */
export function noteNews() {
  lastNews.atMs = Date.now();
  lastNews.isConnected = true;
  showConnection("live");
  hideBanner("silence");
  awaitNews();
}

/** Says that there is no news if none comes in time. */
export function awaitNews() {
  clearTimeout(lastNews.timer);
  lastNews.timer = setTimeout(showSilence, SILENCE_MS);
}

/** Whether what is on the page is how things stand. */
export const isLive = () => at("connection").dataset.state === "live";

/** The console answers, or does not. That alone says nothing of the Redis behind it. */
export function showAnswering(isConnected) {
  lastNews.isConnected = isConnected;
  if (!isConnected) return showConnection("reconnecting");
  if (at("connection").dataset.state !== "reconnecting") return;
  showConnection("connecting");
  awaitNews();
}

function showConnection(state) {
  if (at("connection").dataset.state === state) return;
  at("connection").dataset.state = state;
  at("connection").textContent = state;
}

/** The console may be away, or the Redis behind it: then it holds the line and has nothing to tell. */
function showSilence() {
  const isAway = !lastNews.isConnected;
  showConnection(isAway ? "reconnecting" : "no news");
  showBanner(
    "silence",
    h("strong", { text: isAway ? "The console does not answer." : "The console has no news." }),
    ...(lastNews.atMs === null
      ? [" Nothing could be read yet"]
      : [" What you see is as it was at ", clockAt(lastNews.atMs)]),
    isAway
      ? ". Nothing is lost: the services work without it. The page connects again by itself; if it does not, look whether the console's process runs."
      : ". Most likely it cannot reach its Redis: look whether that runs. The page goes on by itself.",
  );
}
