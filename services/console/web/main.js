import { ask, get } from "./api.js";
import { showAgents } from "./agents-view.js";
import { closeCase, openCase } from "./case-view.js";
import { at, fill, h, notify } from "./dom.js";
import { openGroup } from "./group-view.js";
import { showConnection, showEquation, showRehearsal, showSurgery } from "./header-view.js";
import { listenForTheme } from "./theme.js";
import { choose, chosenGroup, listedIds, listen, loadWard, markChosen, showCounts } from "./ward-view.js";

let caller = { name: "", role: "viewer" };

/** `#case/<id>`, `#group/<fingerprint>`, or nothing. */
function place() {
  const [kind, id = ""] = location.hash.slice(1).split("/", 2);
  return { kind, id: decode(id) };
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
  document.body.dataset.place = kind === "case" || kind === "group" ? kind : "ward";
  markChosen(kind === "case" ? id : "");
  try {
    const group = kind === "group" ? id : kind === "case" ? chosenGroup() : "";
    if (group !== chosenGroup()) await choose({ fingerprint: group });
    if (kind === "case") return await openCase(id, caller);
    closeCase();
    if (kind === "group") return await openGroup(id, caller);
    fill(
      at("detail"),
      h("p", {
        class: "quiet empty",
        text: "Choose a case or a group. Keys: j and k walk, / finds, Esc goes back.",
      }),
    );
  } catch (problem) {
    fill(
      at("detail"),
      h("a", { href: "#", class: "back", text: "← Ward" }),
      h("p", { class: "bad", text: problem.message }),
    );
  }
}

function showOverview(overview) {
  showRehearsal(overview.is_rehearsal);
  showEquation(overview.equation);
  showAgents(overview, caller.role !== "viewer");
  showCounts(overview.ward);
  showSurgery(overview);
}

/** Many letters at once lead to one look at the list. */
function later(work, delayMs) {
  let timer = null;
  return () => {
    timer ??= setTimeout(() => {
      timer = null;
      void work();
    }, delayMs);
  };
}

function watch() {
  const events = new EventSource("/api/v1/events");
  const refresh = later(async () => {
    await loadWard();
    if (place().kind === "case" || place().kind === "group") await show();
  }, 400);
  events.addEventListener("open", () => {
    showConnection("live");
    refresh();
  });
  events.addEventListener("error", () => {
    showConnection("reconnecting");
    // Who was logged out is led to the login; everybody else is connected again by the browser.
    void get("/session").catch(() => undefined);
    if (events.readyState === EventSource.CLOSED) setTimeout(watch, 3000);
  });
  events.addEventListener("overview", (event) => showOverview(JSON.parse(event.data)));
  events.addEventListener("activity", refresh);
}

function walk(step) {
  const ids = listedIds();
  const index = ids.indexOf(place().id);
  const next = ids[Math.min(ids.length - 1, Math.max(0, index + step))];
  if (next !== undefined) location.hash = `case/${encodeURIComponent(next)}`;
}

function listenForKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      if (event.target.matches("input, textarea, select")) event.target.blur();
      else location.hash = "";
      return;
    }
    if (event.target.matches("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey)
      return;
    if (event.key === "j") walk(1);
    if (event.key === "k") walk(-1);
    if (event.key === "/") {
      event.preventDefault();
      at("find").focus();
    }
  });
}

async function logOut() {
  await ask("DELETE", "/session").catch((problem) => notify(problem.message, "bad"));
  location.assign("/login");
}

async function begin() {
  listenForTheme(at("theme"));
  caller = await get("/session");
  at("caller").textContent = `${caller.name} (${caller.role})`;
  at("log-out").addEventListener("click", () => void logOut());
  listen();
  listenForKeys();
  addEventListener("hashchange", () => void show());
  showOverview(await get("/overview"));
  await loadWard();
  await show();
  watch();
}

begin().catch((problem) => notify(problem.message, "bad"));
