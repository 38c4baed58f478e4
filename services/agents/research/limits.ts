/** How long the next message of a conversation waits for the one before it, in ms; then that one is given up. */
export const TURN_MS_DEFAULT = 30_000;
/** Until a message that has to wait is looked at again, in ms. */
export const AGAIN_MS = 250;
/** Turns of a conversation that are remembered, and those that a prompt is shown: the newest. */
export const TURNS_MAX = 30;
export const TURNS_SHOWN = 6;
/** From the last message until a conversation is forgotten, in ms. */
export const CONVERSATION_LIFE_MS = 30 * 24 * 3_600_000;
/** Characters of what was said and answered that a conversation's record keeps of each turn. */
export const REMEMBERED_CHARACTERS_MAX = 800;

/** Questions that one investigation may have: the claims of a document, and some of its own. */
export const QUESTIONS_MAX = 10;
/** Questions of one message that are answered at once, one by one; more are investigated. */
export const LOOKUP_PARTS_MAX = 3;
/** Claims of a user's document that are held against the sources. */
export const CLAIMS_MAX = 8;
/** Passages that are read for one question, and findings that may come of them. */
export const PASSAGES_MAX = 8;
export const FINDINGS_MAX = 6;
/** What sources say for or against one claim. */
export const STANCES_MAX = 8;

/** Searches that a researcher's model may ask for beside the first, passages that each gives, and answers that ask. */
export const FURTHER_SEARCHES_MAX = 3;
export const FURTHER_HITS_MAX = 5;
export const TOOL_ROUNDS_MAX = 5;

/** Turns of a writer and an editor each at the report's board. */
export const REPORT_ROUNDS_MAX = 3;

/** Until a researcher that has not come back counts as failed, in ms. */
export const ROUND_MS_DEFAULT = 90_000;

/** Nominal budget of one prompt, in tokens. */
export const PROMPT_TOKENS_MAX = 40_000;
