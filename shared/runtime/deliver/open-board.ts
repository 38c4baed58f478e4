import { createHash } from "node:crypto";
import { derivedId } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import { defineError } from "#shared/errors";
import { BOARD_BOUNDS_DEFAULT } from "#shared/store/boards";
import type { BoardBounds, BoardView } from "#shared/store/boards";
import type { Board } from "../define/handler-context.ts";
import type { Delivery, Message } from "./delivery.ts";
import { labelsOfDelivery } from "./delivery.ts";
import { toJsonText } from "./json-result.ts";

const NAME = /^[a-z][a-z0-9-]{0,62}$/;
const KEY_CHARS_MAX = 256;

/** Maximum attempts of one update. Twenty concurrent writers need a handful. */
const TRIES_MAX = 100;

/** Maximum length of a conversation id, in characters. */
const CONVERSATION_CHARS_MAX = 200;

/** Opens a board of a run, or of its user's conversation. @throws {BoardInvalidError} Malformed name or id. */
export function openBoard(
  delivery: Delivery & { readonly message: Message },
  asked: {
    readonly name: string;
    readonly bounds: Partial<BoardBounds>;
    readonly conversation: string | undefined;
    readonly signal: () => AbortSignal;
    readonly assertOpen: () => void;
  },
): Board {
  const { place, hold } = delivery;
  const { boards } = place.store;
  if (!NAME.test(asked.name)) throw new BoardInvalidError("name");
  const id = `${ownerOf(delivery, asked.conversation)}/${asked.name}`;
  const bounds = { ...BOARD_BOUNDS_DEFAULT, ...asked.bounds };

  const write: Board["write"] = async (step, { key, value, expects }) => {
    asked.assertOpen();
    if (key === "" || key.length > KEY_CHARS_MAX) throw new BoardInvalidError("key");
    // Refuses what is not JSON or exceeds any board's limit before it is sent.
    const text = toJsonText(value, { agent: place.agent.id, bytesMax: bounds.bytesMax });
    const writeId = derivedId(hold.messageId, asked.name, step);
    const made = {
      key,
      value: JSON.parse(text),
      expects,
      writeId,
      by: place.agent.id,
      labels: labelsOfDelivery(delivery),
    };
    const written = await boards.write(id, made, bounds);
    crashPoint("W22:after_board_write_before_commit");
    if (written.kind === "full") throw new BoardFullError(asked.name, written.of);
    return written;
  };
  const withLabels = (view: BoardView): BoardView => {
    for (const { labels = [] } of view.entries.values())
      for (const label of labels) delivery.received.add(label);
    return view;
  };
  const read: Board["read"] = async () => withLabels(await boards.read(id));
  return {
    read,
    write,
    async update(step, key, change) {
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const current = (await read()).entries.get(key) ?? null;
        const written = await write(step, { key, value: change(current), expects: current?.version ?? 0 });
        if (written.kind === "written") return written.version;
      }
      throw new BoardContendedError(asked.name);
    },
    waitForChange: async (wait) =>
      withLabels(await boards.waitForChange(id, { ...wait, signal: asked.signal() })),
  };
}

/**
 * Returns the owner of the board. A conversation belongs to the user whom the gateway sealed into the run, so the
 * same id of another user is another conversation. Hashed, because ids may hold personal data and any character.
 */
function ownerOf({ hold, message }: Delivery & { readonly message: Message }, conversation?: string): string {
  if (conversation === undefined) return hold.runId;
  if (conversation === "" || conversation.length > CONVERSATION_CHARS_MAX)
    throw new BoardInvalidError("conversation");
  const owner = JSON.stringify([message.envelope.user_context.user_id, conversation]);
  return `conversation/${createHash("sha256").update(owner).digest("hex")}`;
}

/** The name of a board or entry is malformed. */
class BoardInvalidError extends defineError((what: "name" | "key" | "conversation") => ({
  code: "BOARD_INVALID",
  failureClass: "handler_error",
  message: `A board's ${what} is malformed.`,
  remedy:
    "Names are lower-case letters, digits and hyphens; keys of entries have 1 to 256 characters, ids of conversations 1 to 200.",
})) {}

/** A write would exceed a limit of its board. */
class BoardFullError extends defineError((board: string, of: "bytes" | "entries" | "writes") => ({
  code: "BOARD_FULL",
  failureClass: "handler_error",
  message: `The board ${board} holds no more ${of}.`,
  remedy: "Write less, or file references; raise the board's limits only if that much is intended.",
  issues: [{ path: `/${of}`, code: "board_full", message: `no more ${of}` }],
})) {}

/** Too many conflicts on one entry. */
class BoardContendedError extends defineError((board: string) => ({
  code: "BOARD_CONTENDED",
  failureClass: "transient",
  message: `An entry of the board ${board} was changed by other writers at every attempt to write it.`,
  remedy: "No action needed: the message is retried. If it happens often, give each writer its own entries.",
})) {}
