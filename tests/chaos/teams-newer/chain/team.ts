import { createChain, NEXT_RELEASE } from "../../team/chain.ts";

/** The team as the next release has it: other contracts, which lift what the release before it wrote. */
export default createChain(NEXT_RELEASE);
