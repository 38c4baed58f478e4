import { Role, SendMessageRequest } from "@a2a-js/sdk";
import type { Part } from "@a2a-js/sdk";
import { A2AService } from "@a2a-js/sdk/server/grpc";
import { openPart, sealPart } from "#shared/a2a";
import { createMaster, deriveEdgeKey, Keyring } from "#shared/envelope/keys";
import { newTraceparent } from "#shared/telemetry";
import type { Table } from "./print-table.ts";
import { median } from "./quantile.ts";

/** A message to another cluster by one binding: bytes, and µs to write and read it. */
export interface CrossingFigure {
  readonly bytes: number;
  readonly us: number;
}

export interface CrossingRow {
  readonly message: string;
  readonly json_rpc: CrossingFigure;
  readonly grpc: CrossingFigure;
  /** gRPC by JSON-RPC. */
  readonly bytes_ratio: number;
  readonly time_ratio: number;
}

const SIZES = [
  ["2 kB", 12],
  ["100 kB", 600],
] as const;
const ID = "0197c1f2-0000-7000-8000-000000000001";

/** Measures a request as it crosses: what A2A's two bindings make of the same message, with and without a seal. */
export function measureCrossing({ isQuick }: { readonly isQuick: boolean }): CrossingRow[] {
  const rounds = isQuick ? 200 : 2000;
  const keys = new Keyring([
    deriveEdgeKey({ master: createMaster(), from: "far", to: "near", generation: 1 }),
  ]);
  const crossing = { keys, from: "far@1", to: "near@1", id: ID, contract: "bench.order@1" };
  return SIZES.flatMap(([size, lines]) => {
    const payload = orderOf(lines);
    const sealed = sealPart(payload, { ...crossing, traceparent: newTraceparent() });
    const open = (part: Part): unknown => openPart(part, { keys, to: "near", id: ID }).envelope;
    return [
      measure(`${size}, data`, dataPart(payload), { rounds }),
      measure(`${size}, sealed`, sealed, { rounds }),
      measure(`${size}, sealed and opened`, sealed, { rounds, open }),
    ];
  });
}

function measure(
  message: string,
  part: Part,
  { rounds, open = () => undefined }: { readonly rounds: number; readonly open?: (part: Part) => unknown },
): CrossingRow {
  const request = requestOf(part);
  const { requestSerialize, requestDeserialize } = A2AService.sendMessage;
  const read = ({ message: got }: SendMessageRequest): unknown => got?.parts.map(open);
  const byJson = (): number => {
    const params = SendMessageRequest.toJSON(request);
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendMessage", params }));
    const { params: got }: { readonly params: unknown } = JSON.parse(body.toString());
    read(SendMessageRequest.fromJSON(got));
    return body.length;
  };
  const byGrpc = (): number => {
    const body = requestSerialize(request);
    read(requestDeserialize(body));
    return body.length;
  };
  const [json_rpc, grpc] = inTurns([byJson, byGrpc], rounds);
  const [bytes_ratio, time_ratio] = [grpc.bytes / json_rpc.bytes, grpc.us / json_rpc.us];
  return { message, json_rpc, grpc, bytes_ratio, time_ratio };
}

/** Takes turns, so that what else the machine does falls on both. */
function inTurns(
  [one, other]: readonly [() => number, () => number],
  rounds: number,
): [CrossingFigure, CrossingFigure] {
  const times: [number[], number[]] = [[], []];
  const timed = (work: () => number, into: number[]): void => {
    const began = performance.now();
    work();
    into.push((performance.now() - began) * 1000);
  };
  for (let round = 0; round < rounds; round += 1) {
    timed(one, times[0]);
    timed(other, times[1]);
  }
  return [
    { bytes: one(), us: median(times[0]) },
    { bytes: other(), us: median(times[1]) },
  ];
}

export function tableCrossing(rows: readonly CrossingRow[]): Table[] {
  const heads = ["SendMessage", "JSON-RPC bytes", "gRPC bytes", "ratio", "JSON-RPC µs", "gRPC µs", "ratio"];
  const figures = rows.map(({ message, json_rpc, grpc, bytes_ratio, time_ratio }) => [
    message,
    `${json_rpc.bytes}`,
    `${grpc.bytes}`,
    bytes_ratio.toFixed(2),
    json_rpc.us.toFixed(0),
    grpc.us.toFixed(0),
    time_ratio.toFixed(2),
  ]);
  return [
    { title: "A message between clusters: written and read, gRPC by JSON-RPC", rows: [heads, ...figures] },
  ];
}

function orderOf(lines: number): object {
  const line = (n: number) => ({ sku: `KX-${n}`, text: "Ärmel, grün; 1.0 m", price: 9.5 + n, count: n % 7 });
  return { order: "AB-10023", note: "é 1.0 -0", lines: Array.from({ length: lines * 2 }, (_, n) => line(n)) };
}

function dataPart(value: unknown): Part {
  const content = { $case: "data", value } as const;
  return { content, metadata: undefined, filename: "", mediaType: "application/json" };
}

function requestOf(part: Part): SendMessageRequest {
  const message = {
    messageId: ID,
    contextId: ID,
    taskId: "",
    role: Role.ROLE_USER,
    parts: [part],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
  return { tenant: "near", message, configuration: undefined, metadata: undefined };
}
