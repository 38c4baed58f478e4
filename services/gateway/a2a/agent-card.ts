import type { AgentInterface } from "@a2a-js/sdk";
import { A2A_PROTOCOL_VERSION, AgentCard } from "@a2a-js/sdk";
import type { Team } from "#shared/runtime";
import { CONTRACT_EXTENSION, RUN_EXTENSION, SEALED_EXTENSION } from "#shared/a2a";

/** Prefix of all addresses of the protocol; the team's name follows. */
export const A2A_BASE = "/a2a";

const MODES = ["application/json", "text/plain"];
const SECURITY = "gateway";

/**
 * Describes a team as an A2A agent with one skill; its entry contract is an extension, as skills have no schema.
 * @param origin - Address for clients. @param grpcPort - Port of the gRPC binding; null where it is off.
 */
export function describeTeam(team: Team, origin: string, grpcPort: number | null): AgentCard {
  const { accepts } = team.entry;
  const description = team.options.description ?? `The team ${team.name}`;
  const requirement = { schemes: { [SECURITY]: { list: [] } } };
  return AgentCard.fromJSON({
    name: team.name,
    description,
    supportedInterfaces: [
      ...(grpcPort === null ? [] : [bindGrpc(team, origin, grpcPort)]),
      bindJson(team, origin),
    ],
    version: `${team.entry.version}`,
    capabilities: {
      streaming: true,
      pushNotifications: false,
      extendedAgentCard: false,
      extensions: [
        {
          uri: CONTRACT_EXTENSION,
          description: "The JSON Schema that the data part of a message has to match.",
          params: { skill: team.name, contract: accepts.id, schema: accepts.jsonSchema },
        },
        {
          uri: RUN_EXTENSION,
          description: "Metadata of tasks: status of the run, whom it waits for, and its cost.",
        },
        {
          uri: SEALED_EXTENSION,
          description:
            "Sealed messages: a part of raw bytes with their digest and signature as its metadata.",
        },
      ],
    },
    securitySchemes: {
      [SECURITY]: {
        httpAuthSecurityScheme: { description: "An API key of this gateway.", scheme: "Bearer" },
      },
    },
    securityRequirements: [requirement],
    defaultInputModes: MODES,
    defaultOutputModes: ["application/json"],
    skills: [
      {
        id: team.name,
        name: team.name,
        description,
        tags: [...new Set([...team.agents.values()].flatMap(({ options }) => options.capabilities ?? []))],
        inputModes: MODES,
        outputModes: ["application/json"],
        securityRequirements: [requirement],
      },
    ],
  });
}

function bindJson({ name }: Team, origin: string): AgentInterface {
  const url = `${origin}${A2A_BASE}/${encodeURIComponent(name)}`;
  return { url, protocolBinding: "JSONRPC", tenant: "", protocolVersion: A2A_PROTOCOL_VERSION };
}

/** All teams have one address: the field `tenant`, which clients repeat in each request, names the team. */
function bindGrpc({ name }: Team, origin: string, port: number): AgentInterface {
  const url = `${new URL(origin).hostname}:${port}`;
  return { url, protocolBinding: "GRPC", tenant: name, protocolVersion: A2A_PROTOCOL_VERSION };
}
