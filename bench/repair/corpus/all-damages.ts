import type { Damage, Source } from "./damage.ts";
import { HOPELESS_TEXTS } from "./damage/hopeless-texts.ts";
import { HOPELESS_VALUES } from "./damage/hopeless-values.ts";
import { LANGUAGES } from "./damage/languages.ts";
import { MARKUP } from "./damage/languages-markup.ts";
import { DRAFTS } from "./damage/models-drafts.ts";
import { FRAMES } from "./damage/models-frame.ts";
import { PLAIN } from "./damage/models-plain.ts";
import { SYNTAX } from "./damage/models-syntax.ts";
import { SHELLS } from "./damage/providers-shell.ts";
import { PROVIDER_MARKS } from "./damage/providers-text.ts";
import { NAMES } from "./damage/shape-names.ts";
import { NUMBERS } from "./damage/shape-numbers.ts";
import { SCALARS } from "./damage/shape-scalars.ts";
import { STRUCTURE } from "./damage/shape-structure.ts";
import { FRAMES_OF_DATA, SHEETS } from "./damage/spreadsheets.ts";
import { CARRIERS } from "./damage/transport-frame.ts";
import { ENCODINGS, TRANSPORT_STYLES } from "./damage/transport.ts";
import { TRUNCATION } from "./damage/truncation.ts";
import { UNDAMAGED } from "./damage/undamaged.ts";

/** Every kind of damage, by who does it. */
export const DAMAGES: readonly Damage[] = [
  ...UNDAMAGED.map((kind) => ({ source: "undamaged", layer: "whole", kind }) as const),
  ...SYNTAX.map((kind) => ({ source: "models", layer: "syntax", kind }) as const),
  ...FRAMES.map((kind) => ({ source: "models", layer: "frame", kind }) as const),
  ...PLAIN.map((kind) => ({ source: "models", layer: "style", kind }) as const),
  ...DRAFTS.map((kind) => ({ source: "models", layer: "whole", kind }) as const),
  ...SHELLS.map((kind) => ({ source: "providers", layer: "style", kind }) as const),
  ...PROVIDER_MARKS.map((kind) => ({ source: "providers", layer: "frame", kind }) as const),
  ...LANGUAGES.map((kind) => ({ source: "languages", layer: "style", kind }) as const),
  ...MARKUP.map((kind) => ({ source: "languages", layer: "style", kind }) as const),
  ...[...ENCODINGS, ...CARRIERS].map((kind) => ({ source: "transport", layer: "transport", kind }) as const),
  ...TRANSPORT_STYLES.map((kind) => ({ source: "transport", layer: "style", kind }) as const),
  ...SHEETS.map((kind) => ({ source: "spreadsheets", layer: "style", kind }) as const),
  ...FRAMES_OF_DATA.map((kind) => ({ source: "spreadsheets", layer: "shape", kind }) as const),
  ...NUMBERS.map((kind) => ({ source: "shape", layer: "shape", kind }) as const),
  ...SCALARS.map((kind) => ({ source: "shape", layer: "shape", kind }) as const),
  ...NAMES.map((kind) => ({ source: "shape", layer: "shape", kind }) as const),
  ...STRUCTURE.map((kind) => ({ source: "shape", layer: "shape", kind }) as const),
  ...TRUNCATION.map((kind) => ({ source: "truncation", layer: "whole", kind }) as const),
  ...HOPELESS_VALUES.map((kind) => ({ source: "hopeless", layer: "whole", kind }) as const),
  ...HOPELESS_TEXTS.map((kind) => ({ source: "hopeless", layer: "whole", kind }) as const),
];

export const SOURCES: readonly Source[] = [...new Set(DAMAGES.map(({ source }) => source))];
