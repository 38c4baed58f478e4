import { createChain, CURRENT_RELEASE } from "../../team/chain.ts";

/** The team as the release that is at work has it. */
export default createChain(CURRENT_RELEASE);
