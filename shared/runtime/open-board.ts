import { derivedId } from "#shared/clock";
import { BOARD_BOUNDS_DEFAULT } from "#shared/store";
import type { BoardBounds } from "#shared/store";
import type { Board } from "./board.ts";
import { BoardContendedError, BoardFullError, BoardInvalidError } from "./board-errors.ts";
import type { Delivery } from "./delivery.ts";
import { toJsonText } from "./json-result.ts";

const NAME = /^[a-z][a-z0-9-]{0,62}$/;
const KEY_CHARS_MAX = 256;

/** Tries of one update. With twenty writers at once one needs a handful. */
const TRIES_MAX = 100;

/** The board of this name in the run of a delivery. @throws {BoardInvalidError} The name is malformed. */
export function openBoard(
  delivery: Delivery,
  asked: {
    readonly name: string;
    readonly bounds: Partial<BoardBounds>;
    readonly signal: () => AbortSignal;
    readonly assertOpen: () => void;
  },
): Board {
  const { place, hold } = delivery;
  const { boards } = place.store;
  if (!NAME.test(asked.name)) throw new BoardInvalidError("name");
  const board = `${hold.runId}/${asked.name}`;
  const bounds = { ...BOARD_BOUNDS_DEFAULT, ...asked.bounds };

  const write: Board["write"] = async (step, { key, value, expects }) => {
    asked.assertOpen();
    if (key === "" || key.length > KEY_CHARS_MAX) throw new BoardInvalidError("key");
    // What cannot be JSON, or is more than any board holds, is refused before it is sent.
    const text = toJsonText(value, { agent: place.agent.id, bytesMax: bounds.bytesMax });
    const writeId = derivedId(hold.messageId, asked.name, step);
    const made = { key, value: JSON.parse(text), expects, writeId, by: place.agent.id };
    const written = await boards.write(board, made, bounds);
    if (written.kind === "full") throw new BoardFullError(asked.name, written.of);
    return written;
  };
  return {
    read: () => boards.read(board),
    write,
    async update(step, key, change) {
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const current = (await boards.read(board)).entries.get(key) ?? null;
        const written = await write(step, { key, value: change(current), expects: current?.version ?? 0 });
        if (written.kind === "written") return written.version;
      }
      throw new BoardContendedError(asked.name);
    },
    waitForChange: (wait) => boards.waitForChange(board, { ...wait, signal: asked.signal() }),
  };
}
