import { at, h } from "./dom.js";

/** What everybody has to know, above everything else. Said once; again only when it changes. */
export function showBanner(name, ...inside) {
  const banner = h("p", { class: "banner", role: "alert", data: { banner: name } }, ...inside);
  const present = find(name);
  if (present === null) at("banners")?.append(banner);
  else if (present.textContent !== banner.textContent) present.replaceWith(banner);
}

export function hideBanner(name) {
  find(name)?.remove();
}

function find(name) {
  return at("banners")?.querySelector(`[data-banner="${name}"]`) ?? null;
}
