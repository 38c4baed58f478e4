import type { StandIn } from "#shared/runtime";
import { foldText } from "../reading/fold-text.ts";
import { sentencesOf } from "../reading/sentences.ts";
import type { IdeaInput } from "../feature-requests/answer.ts";

/** The first that fits; more particular areas stand before wider ones. */
const AREAS: readonly (readonly [string, RegExp])[] = [
  ["integration", / (?:api|webhook|integrat|schnittstelle|plugin|export)/],
  ["delivery", / (?:deliver|shipping|liefer|livraison|entrega|consegna|dostaw|bezorg)/],
  [
    "account",
    / (?:account|login|address|adress|profile|konto|compte|cuenta|conta |logowan|direccion|indirizz)/,
  ],
  ["app", / (?:app|mobile|dark mode|watch|offline|screen|aplicacion|aplikacj|aplicativo|aplicacao)/],
  ["shop", / (?:shop|product|filter|search|catalog|list|favourite|produkt|produit|producto|prodott)/],
];

const GAIN =
  / (?:because|so that|useful|help|my eyes|weil|damit|parce que|porque|util|perche|bo |pois|ajud|omdat|saves|wasteful)/;

/** Notes a wish: its own sentence is the title, the sentence that speaks of a gain the benefit. */
export const noteIdea: StandIn = (input: IdeaInput) => {
  const sentences = sentencesOf(input.text);
  const folded = foldText(`${input.idea} ${input.text}`);
  const gain = sentences.find((sentence) => GAIN.test(foldText(sentence)));
  return {
    title: input.idea.slice(0, 120),
    benefit: (gain ?? input.idea).slice(0, 500),
    area: AREAS.find(([, pattern]) => pattern.test(folded))?.[0] ?? "other",
  };
};
