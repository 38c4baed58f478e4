import { get, remove } from "./api.js";
import { showAgents, showModelsAway } from "./agents-view.js";
import { openApiKeys } from "./api-keys-view.js";
import { closeCase, openCase } from "./case-view.js";
import { showCost } from "./costs-view.js";
import { at, fill, h, notify } from "./dom.js";
import { openHandoffs } from "./handoffs-view.js";
import { groupIsBusy, openGroup } from "./group-view.js";
import { openGroups, showsAttached } from "./groups-view.js";
import { awaitNews, isLive, showAnswering, showEquation, showRehearsal, noteNews } from "./header-view.js";
import { openProducers } from "./producers-view.js";
import { openRecipe } from "./recipe-view.js";
import { openRun } from "./run-view.js";
import { openRecipes } from "./recipes-view.js";
import { failed } from "./states.js";
import { listenForTheme } from "./theme.js";
import { choose, chosenGroup, listedIds, listen, loadWard, markChosen, showCounts } from "./ward-view.js";
import { watch } from "./watch.js";
import { refreshAges } from "./when.js";

const AGES_EVERY_MS = 5000;
/** Lists of everything cost more to read than one case. */
const LISTS_EVERY_MS = 2000;
const BUSY_EVERY_MS = 1000;

let caller = { name: "", role: "viewer" };

/** What is shown at an address: `#<kind>/<id>`, `#<kind>`, or the ward. */
const PLACES = {
  case: { nav: "ward", open: (id) => openCase(id, caller) },
  group: { nav: "groups", open: (id) => openGroup(id, caller) },
  groups: { nav: "groups", isWide: true, open: () => openGroups(caller) },
  recipes: { nav: "recipes", isWide: true, open: () => openRecipes() },
  recipe: { nav: "recipes", isWide: true, open: (id) => openRecipe(id, caller) },
  producers: { nav: "producers", isWide: true, open: () => openProducers() },
  handoffs: { nav: "handoffs", isWide: true, open: () => openHandoffs() },
  run: { nav: "ward", isWide: true, open: (id) => openRun(id) },
  keys: { nav: "keys", isWide: true, open: () => openApiKeys() },
};

const WARD = { nav: "ward", open: showHint };

function place() {
  const [kind, id = ""] = location.hash.slice(1).split("/", 2);
  return { kind: Object.hasOwn(PLACES, kind) ? kind : "ward", id: decode(id) };
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

async function show() {
  const { kind, id } = place();
  const { nav, isWide = false, open } = PLACES[kind] ?? WARD;
  document.body.dataset.place = kind;
  document.body.dataset.wide = String(isWide);
  for (const link of at("pages").querySelectorAll("a"))
    link.toggleAttribute("aria-current", link.dataset.page === nav);
  markChosen(kind === "case" ? id : "");
  if (kind !== "case") closeCase();
  try {
    const group = kind === "group" ? id : kind === "case" ? chosenGroup() : "";
    if (!isWide && group !== chosenGroup()) await choose({ fingerprint: group });
    await open(id);
  } catch (problem) {
    showFailure(problem, kind);
  }
}

/** What is on the page, and perhaps typed there, stays: a server that is away comes back. A part may have failed. */
function showFailure(problem, kind) {
  const isOnPage =
    at("detail").dataset.shows === location.hash && at("detail").querySelector(":scope > .failed") === null;
  if (isOnPage && (problem.status === 0 || problem.status === 401 || problem.status >= 500))
    return notify(problem.message, "bad");
  const back = h("a", { href: "#", class: "back", text: "← Ward" });
  fill(at("detail"), kind === "ward" ? null : back, failed(problem, show));
}

async function showAndKnow() {
  const hash = location.hash;
  if (at("detail").dataset.shows !== hash) at("detail").dataset.shows = "";
  await show();
  if (location.hash === hash) at("detail").dataset.shows = hash;
}

async function showHint() {
  fill(
    at("detail"),
    h("p", {
      class: "quiet empty",
      text: "Choose a case or a group. Keys: j and k walk, / finds, g r p h lead to groups, recipes, producers and handoffs, Esc goes back.",
    }),
  );
}

function showOverview(overview) {
  noteNews();
  showRehearsal(overview.is_rehearsal);
  showEquation(overview.equation);
  showAgents(overview, caller.role !== "viewer");
  showCounts(overview.ward);
  showCost(overview);
  showModelsAway(overview.agents);
}

/** Many causes at once lead to one look. */
function later(work, delayMs) {
  let timer = null;
  return () => {
    timer ??= setTimeout(() => {
      timer = null;
      void work();
    }, delayMs);
  };
}

const refreshWard = later(async () => {
  const { kind } = place();
  if (document.body.dataset.wide !== "true") await loadWard();
  if (kind === "case" || kind === "group") await showAndKnow();
}, 400);

const refreshLists = later(async () => {
  if (document.body.dataset.wide === "true") await showAndKnow();
}, LISTS_EVERY_MS);

/** Work on a group is told by nothing but its own progress. */
const refreshBusy = later(async () => {
  if (place().kind === "group" && groupIsBusy()) await showAndKnow();
}, BUSY_EVERY_MS);

const refresh = () => {
  refreshWard();
  refreshLists();
};

/** What could not be loaded while there was no news is loaded now. */
async function catchUp() {
  if (document.body.dataset.wide !== "true") await loadWard();
  await showAndKnow();
}

function listenForNews() {
  showAnswering(true);
  awaitNews();
  watch({
    open: () => {
      showAnswering(true);
      // What was done while nobody listened is told by no event.
      refresh();
    },
    error: () => {
      showAnswering(false);
      // Who was logged out is told so; everybody else is connected again.
      void get("/v1/session").catch(() => undefined);
    },
    overview: (overview) => {
      const isBack = !isLive();
      showOverview(overview);
      if (isBack) void catchUp();
      refreshBusy();
      if (["producers", "handoffs"].includes(place().kind) || (place().kind === "groups" && showsAttached()))
        refreshLists();
    },
    activity: refresh,
  });
}

function walk(step) {
  const ids = listedIds();
  const index = ids.indexOf(place().id);
  const next = ids[Math.min(ids.length - 1, Math.max(0, index + step))];
  if (next !== undefined) location.hash = `case/${encodeURIComponent(next)}`;
}

const KEYS = {
  j: () => walk(1),
  k: () => walk(-1),
  g: () => (location.hash = "groups"),
  r: () => (location.hash = "recipes"),
  p: () => (location.hash = "producers"),
  h: () => (location.hash = "handoffs"),
};

function listenForKeys() {
  document.addEventListener("keydown", (/** @type {any} */ event) => {
    const isTyping = event.target.matches("input, textarea, select");
    if (event.key === "Escape") {
      if (isTyping) event.target.blur();
      else location.hash = "";
      return;
    }
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") {
      event.preventDefault();
      at("find").focus();
    } else if (Object.hasOwn(KEYS, event.key)) KEYS[event.key]();
  });
}

async function logOut() {
  await remove("/v1/session").catch((problem) => notify(problem.message, "bad"));
  location.assign("/login");
}

async function begin() {
  listenForTheme(at("theme"));
  caller = await findCaller();
  at("keys-link").hidden = caller.role !== "admin";
  at("caller").textContent = `${caller.name} (${caller.role})`;
  at("log-out").addEventListener("click", () => void logOut());
  listen();
  listenForKeys();
  addEventListener("hashchange", () => {
    void showAndKnow();
    // A page of its own leaves the ward's lists as they were.
    if (document.body.dataset.wide !== "true") refreshWard();
  });
  setInterval(refreshAges, AGES_EVERY_MS);
  listenForNews();
  await loadWard();
  await showAndKnow();
}

const FIRST_WAIT_MS = 500;
const WAIT_MS_MAX = 8000;

/** Who is logged in. A console that is away is asked again; who is not logged in is led to the login. */
async function findCaller() {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, WAIT_MS_MAX)) {
    try {
      return await get("/v1/session");
    } catch (problem) {
      if (problem.status !== 0 && problem.status < 500) throw problem;
      showAnswering(false);
      notify(problem.message, "bad");
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

begin().catch((problem) => notify(problem.message, "bad"));
