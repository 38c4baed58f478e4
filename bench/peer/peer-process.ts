import { drive } from "./drive.ts";
import { openPeer } from "./open-peer.ts";
import type { ChainPeer } from "./peer.ts";
import type { AnswerMessage, CallMessage, CallName, Calls } from "./remote-peer.ts";

/** A peer in a process of its own: no peer inherits the other's compiled code, heap or timers. */

let opened: ChainPeer | undefined;

type Handlers = {
  readonly [Name in CallName]: (
    argument: Calls[Name][0],
    signal: AbortSignal,
  ) => Promise<Calls[Name][1]> | Calls[Name][1];
};

const HANDLERS: Handlers = {
  async open({ peer: name, ...options }) {
    opened = await openPeer(name, options);
  },
  work: () => peer().work(),
  async drive(request, signal) {
    const before = process.cpuUsage();
    const driven = await drive(peer(), { ...request, signal });
    const { user, system } = process.cpuUsage(before);
    return { ...driven, nodeCpuMs: (user + system) / 1000 };
  },
  close: () => opened?.close(),
};

function peer(): ChainPeer {
  if (opened === undefined) throw new Error("the peer was asked to work before it was opened");
  return opened;
}

async function answer(message: CallMessage): Promise<AnswerMessage> {
  const { id, call, argument, timeoutMs } = message;
  // `remote-peer.ts` alone sends calls, and pairs each with its own argument.
  const handler = HANDLERS[call] as (argument: unknown, signal: AbortSignal) => unknown;
  try {
    return { id, answer: await handler(argument, AbortSignal.timeout(timeoutMs)) };
  } catch (error) {
    return { id, problem: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

process.on("message", (message) => {
  // Sent by `remote-peer.ts` alone.
  const call = message as CallMessage;
  void answer(call).then((reply) =>
    process.send?.(reply, undefined, undefined, () => {
      if (call.call === "close") process.exit(0);
    }),
  );
});
// The process that started us is gone: nobody will ask or close us any more.
process.on("disconnect", () => process.exit(1));
