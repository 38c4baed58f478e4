// Must be loaded before ioredis.
import "../keep-strings-fast.ts";

export { BOARD_BOUNDS_DEFAULT } from "./board-store.ts";
export type { BoardBounds, BoardEntry, BoardView, BoardWritten } from "./board-store.ts";
