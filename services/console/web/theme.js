const ORDER = ["auto", "light", "dark"];

/** Follows the system until somebody chooses; the choice stays in this browser. */
export function listenForTheme(button) {
  const show = (theme) => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.textContent = `Theme: ${theme}`;
  };
  const stored = () => ORDER.find((one) => one === localStorage.getItem("theme")) ?? "auto";
  show(stored());
  button.addEventListener("click", () => {
    const next = ORDER[(ORDER.indexOf(stored()) + 1) % ORDER.length];
    localStorage.setItem("theme", next);
    show(next);
  });
}
