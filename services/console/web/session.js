import { hideBanner, showBanner } from "./banners.js";
import { h } from "./dom.js";

const BACK = "suture-back";

/** Whether this page has been one of somebody who is logged in: what they typed is then worth keeping. */
let wasLoggedIn = false;

/** Led to the login and back to this place; or, with a page that may hold something typed, told so on it. */
export function sessionEnded() {
  if (location.pathname === "/login") return;
  if (!wasLoggedIn) {
    sessionStorage.setItem(BACK, location.hash);
    location.assign("/login");
    return;
  }
  showBanner(
    "session",
    h("strong", { text: "Your session has ended." }),
    " What you see is no longer kept up to date, and nothing you do is taken. ",
    h("a", { href: "/login", target: "_blank", rel: "noopener", text: "Log in again" }),
    " in a new tab: what you typed here stays, and you can go on with it.",
  );
}

/** Somebody is logged in. */
export function sessionIsBack() {
  wasLoggedIn = true;
  hideBanner("session");
}

/** Where the login leads to: the place that asked for it. */
export function takePlaceBefore() {
  const hash = sessionStorage.getItem(BACK) ?? "";
  sessionStorage.removeItem(BACK);
  return `/${hash}`;
}
