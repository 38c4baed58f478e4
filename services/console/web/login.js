import { post } from "./api.js";
import { at } from "./dom.js";
import { takePlaceBefore } from "./session.js";

async function enter(login) {
  try {
    await post("/v1/session", { body: login });
    location.replace(takePlaceBefore());
  } catch (problem) {
    at("notice").textContent = problem.message;
    at("notice").hidden = false;
  }
}

at("form").addEventListener("submit", (event) => {
  event.preventDefault();
  void enter({ api_key: at("key").value.trim() });
});

// Pressed before this script is there, it would send the form nowhere, and say nothing.
at("form").querySelector("button").disabled = false;

// The part after # is never sent to a server; it is taken out of the address before anything else happens.
const token = location.hash.slice(1);
if (token !== "") {
  history.replaceState(null, "", "/login");
  void enter({ token });
}
