import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { unlessFound } from "../finding.ts";
import type { Finding } from "../finding.ts";
import type { ServiceProcess } from "../service-processes.ts";
import type { Subject } from "../subject.ts";

/** State of a listening socket in `/proc/net/tcp`. */
const LISTENS = "0A";
/** Loopback addresses as the kernel writes them: the bytes of each word in the machine's order. */
const LOOPBACK = /^(?:[0-9A-F]{6}7F|0{24}01000000|0{16}FFFF0000[0-9A-F]{6}7F)$/;

/** Checks which addresses services listen on; beyond the loopback there is no TLS. */
export function checkListening({ processes }: Subject): readonly Finding[] {
  if (processes === null || processes.length === 0) return [];
  const exposed = processes.flatMap((one) =>
    listeningPorts(one)
      .filter(({ isLoopback }) => !isLoopback)
      .map(({ port }) => `${one.service} on port ${port}`),
  );
  return [
    unlessFound("listening", exposed, {
      none: "on the loopback alone",
      some: "beyond the loopback, without TLS: ",
      todo: "Publish it to the loopback, and put TLS in front",
      state: "open",
    }),
  ];
}

function listeningPorts({ pid }: ServiceProcess): { readonly port: number; readonly isLoopback: boolean }[] {
  const sockets = new Set(socketsOf(pid));
  return ["tcp", "tcp6"].flatMap((table) =>
    linesOf(`/proc/${pid}/net/${table}`).flatMap((line) => {
      const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
      if (state !== LISTENS || !sockets.has(inode)) return [];
      const [address = "", port = ""] = local.split(":");
      return [{ port: Number.parseInt(port, 16), isLoopback: LOOPBACK.test(address) }];
    }),
  );
}

function socketsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      const inode = /^socket:\[(\d+)\]$/.exec(readLink(`/proc/${pid}/fd/${fd}`))?.[1];
      return inode === undefined ? [] : [inode];
    });
  } catch {
    return [];
  }
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // Closed meanwhile.
    return "";
  }
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n").slice(1);
  } catch {
    return [];
  }
}
