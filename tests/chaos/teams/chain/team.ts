import { CURRENT_RELEASE } from "../../team/contracts.ts";
import { createChain } from "../../team/create-chain.ts";

/** The team as the release that is at work has it. */
export default createChain(CURRENT_RELEASE);
