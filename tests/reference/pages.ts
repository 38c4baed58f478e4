import { commandsPage } from "./commands-page.ts";
import { dialectsPage } from "./dialects-page.ts";
import { errorsPage } from "./errors-page.ts";
import { failuresPage } from "./failures-page.ts";
import { metricsPage } from "./metrics-page.ts";
import { optionsPage } from "./options-page.ts";
import { repairsPage } from "./repairs-page.ts";
import { settingsPage } from "./settings-page.ts";

/** Folder of the generated pages. */
export const REFERENCE_FOLDER = "docs/reference";

/** Every generated page by its file name, each with what renders it. */
export const PAGES: Readonly<Record<string, () => string>> = {
  "settings.md": settingsPage,
  "options.md": optionsPage,
  "metrics.md": metricsPage,
  "failure-classes.md": failuresPage,
  "errors.md": errorsPage,
  "commands.md": commandsPage,
  "repairs.md": repairsPage,
  "dialects.md": dialectsPage,
};
