import type { Variant } from "#shared/runtime";
import { deskThatShows } from "./desk.ts";

const variants: readonly Variant[] = [
  {
    name: "packet",
    description: "The specialist is shown the packet of the conversation.",
    team: deskThatShows("packet"),
    judged: ["/status", "/specialty", "/asks_about"],
  },
  {
    name: "full-history",
    description: "The specialist is shown every turn.",
    team: deskThatShows("history"),
    judged: ["/status", "/specialty", "/asks_about"],
    against: "packet",
  },
];
export default variants;
