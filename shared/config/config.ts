import type { ApiKey } from "./api-key.ts";
import type { BridgeConfig } from "./bridge.ts";
import type { RedisTls } from "./redis-tls.ts";
import type { Secret } from "./secret.ts";
import type { WebhookReceiver } from "./webhooks.ts";

/** Everything a process of Suture may be told from outside. Read once at start; frozen. Paths are absolute. */
export interface Config {
  /** null: a private child is started (`infra/redis`). May name several nodes. May hold a password. */
  readonly redisUrl: Secret | null;
  /** Redis data, blobs, generated keys, logs of children. */
  readonly dataDir: string;
  /** Folder with one sub-folder for each team. */
  readonly teamsDir: string;
  /** Folder whose sub-folders the coder team may read and copy. It changes nothing there. */
  readonly checkoutsDir: string;
  /** `require`: code and files that are not trusted are run and read in a sandbox or not at all; `off`: without. */
  readonly codeIsolation: "require" | "off";
  /** Folder of texts that the research team searches. */
  readonly sourcesDir: string;
  /** First part of every Redis key. */
  readonly prefix: string;
  /** `fast`: fsync each second; `durable`: fsync always; `replicated`: what is told onward is on replicas as well. */
  readonly redisDurability: "fast" | "durable" | "replicated";
  /** `together`: one script for an outcome and what it sets in motion, where one Redis holds everything. */
  readonly handover: "together" | "outbox";
  /**
   * `shared`: every process may write what its work needs, in one trust domain. `isolated`: an agent's process writes
   * its own slot of Redis alone, and a trusted relay does the rest.
   */
  readonly trust: "shared" | "isolated";
  /** File of passwords by user of Redis; null where none is named. Only the launcher asks. */
  readonly redisUsersFile: string | null;
  /** The most that one agent may say one handling of a message cost, in USD. Only relays ask. */
  readonly relayCostMax: number;
  /** The most tokens that one agent may say one handling of a message took. Only relays ask. */
  readonly relayTokensMax: number;
  /** Replicas that must have a write before it counts as confirmed. Only `replicated` asks. */
  readonly redisReplicasMin: number;
  /** How long one confirmation may take. Only `replicated` asks. */
  readonly redisWaitMs: number;
  /** How long the gateway waits for an answer of Redis before it answers 503. */
  readonly redisAnswerMs: number;
  /** Null: Node's defaults, or no TLS at all. */
  readonly redisTls: RedisTls | null;
  /** What the sentinels themselves ask for. */
  readonly redisSentinelPassword: Secret | null;

  readonly gatewayHost: string;
  /** 0 takes any free port, as with every port here. */
  readonly gatewayPort: number;
  readonly consoleHost: string;
  readonly consolePort: number;
  readonly healthHost: string;
  /** Where agents, surgeon and console serve health and metrics. null: nowhere. */
  readonly healthPort: number | null;
  /** null: generated at the first start and kept in the data folder. */
  readonly apiKeys: readonly ApiKey[] | null;
  /** Persons by the names of their further API keys; a key that is not here is a person of its own. */
  readonly people: ReadonlyMap<string, string>;
  /** File with the edge keys of this process; null: the one that was issued into the data folder. */
  readonly edgeKeysFile: string | null;
  /** How often that file is looked at, so that new keys are used without a restart. */
  readonly keysCheckMs: number;
  /** Open connections of the gateway; those without an accepted key take at most half. */
  readonly gatewayConnectionsMax: number;
  /** As above, of the console. */
  readonly consoleConnectionsMax: number;
  /** How often one person may reveal masked values in the console, in an hour. */
  readonly revealsPerHour: number;
  /** Open connections of one client address on which no key or session was accepted. */
  readonly anonymousPerAddressMax: number;
  /** How long such a connection stays open. */
  readonly anonymousMs: number;
  /** Failed authentications of one client address before they are answered with 429. */
  readonly failuresBurst: number;
  /** And this many a second from then on. */
  readonly failuresPerSecond: number;
  readonly bodyBytesMax: number;
  /** Whether the gateway's `/readyz` is 200 though no agent works for any team. */
  readonly isReadyWithoutAgents: boolean;
  /** Team of a task of the Agent Protocol that names none, where several are loaded. */
  readonly agentProtocolTeam: string;
  /** Hours until a task expires that waits unhandled, where neither it nor its team says otherwise. */
  readonly taskLifeHours: number;
  /** Waiting messages at which the gateway answers 429. */
  readonly queueLimit: number;
  /** The part of the open runs, and of the surgeon's money of an hour, of one tenant where there are several. */
  readonly tenantShare: number;
  /** Open cases at which the gateway answers 429. */
  readonly wardLimit: number;

  /** True when neither an API key nor a base URL of a model is set: the bundled stand-in server answers. */
  readonly isRehearsal: boolean;
  readonly openaiApiKey: Secret | null;
  readonly openaiBaseUrl: string | null;
  readonly modelRouter: string;
  readonly modelWorker: string;
  readonly modelSurgeon: string;
  /** USD per million tokens, laid over the default table. */
  readonly modelPrices: Readonly<Record<string, { readonly input: number; readonly output: number }>>;
  readonly modelTimeoutMs: number;
  /** When model calls wait because their endpoint fails, and how they go on. Times in ms. */
  readonly modelCircuit: {
    /** Failures in a row, over all processes. */
    readonly failuresMax: number;
    /** From opening to the first probe; doubled with each that fails. */
    readonly probeMs: number;
    /** Between two probes at most; between any two where the settings are wrong. */
    readonly probeMsMax: number;
    /** Calls in the first second after it closed; doubled every two seconds. */
    readonly drainPerSecond: number;
  };
  /** Address that the bundled model server and sandbox listen on. */
  readonly rehearsalHost: string;
  readonly rehearsalPort: number;
  /** Share of damaged answers, 0 to 1. */
  readonly rehearsalFaultRate: number;
  readonly rehearsalSeed: number;
  /** Where payments, tickets and CRM of the sample teams are. */
  readonly sandboxUrl: string;
  /** USD. */
  readonly surgeonCostPerCase: number;
  /** USD. */
  readonly surgeonCostPerHour: number;
  /** USD, over all cases with one fingerprint. */
  readonly surgeonCostPerGroup: number;
  /** Time before a letter whose agent alone had failed goes on as it stands, in ms; the second time ten times that. */
  readonly surgeonResendMs: number;
  /** Cases that one surgeon process has in hand at a time. */
  readonly surgeonConcurrency: number;
  /** Model calls at once for one group whose last repair gave no recipe. */
  readonly surgeonCallsPerGroup: number;
  /** Letters that a recipe heals with proof before it is trusted. */
  readonly recipeProofs: number;
  /** Producers whose repairs have to come to the same recipe before it is trusted. */
  readonly recipeProducers: number;

  /** Who is told what people should know of the ward and of producers. Empty: nobody. */
  readonly webhooks: readonly WebhookReceiver[];
  /** Letters of one group in one hour from which it counts as growing. */
  readonly groupLettersPerHour: number;
  /** Cases that wait for a person from which the quarantine counts as full. */
  readonly quarantineCasesMax: number;

  /** What joins this cluster to others. */
  readonly bridge: BridgeConfig;

  /** Variables beside Suture's own that the launcher hands to agents; `*` at the end stands for any rest. */
  readonly agentVariables: readonly string[];
  /** Messages that one agent process handles at a time. */
  readonly concurrency: number;
  /** Deliveries of a failing message, the first included, before it goes to the ward. */
  readonly deliveriesMax: number;
  readonly retryDelayMs: number;
  readonly retryDelayMsMax: number;
  readonly lockMs: number;
  readonly stalledIntervalMs: number;
  /** Work waits and nothing was fetched for this long: the consumer is silent and is started anew. */
  readonly silentMs: number;
  /** Restarts in a row that brought nothing, after which the process ends with an error. */
  readonly silentRestartsMax: number;
  /** How often this machine's clock is compared with that of Redis. */
  readonly clockCheckMs: number;
  /** Process deaths on one message before it is quarantined. */
  readonly crashesMax: number;
  readonly stopGraceMs: number;
  /** Finished jobs that each queue keeps, at most as long as the retention. */
  readonly finishedJobsMax: number;
  /** Entries of each queue's event stream. */
  readonly eventStreamLength: number;
  /** Log entries of one run. */
  readonly runLogLength: number;
  /** Pause between two looks at runs for messages that nothing holds, in ms. */
  readonly auditMs: number;
  /** Lines of the ward's audit. */
  readonly auditLength: number;
  /** Records of what people did; the oldest go for new ones. */
  readonly peopleAuditLength: number;
  /** Share of Redis' memory, 0 to 1, at which the gateway answers 503: of its `maxmemory`, else of its machine's. */
  readonly redisMemoryShare: number;
  /** Bytes of all stored blobs at which further ones are refused. */
  readonly blobsBytesMax: number;
  /** How long a blob is kept after it was last stored. */
  readonly blobHours: number;
  /** A service's log is set aside at this size, in place of the one before. */
  readonly logBytesMax: number;
  /** How long ended runs and closed cases are kept. */
  readonly retentionHours: number;
  /**
   * How long outcomes are kept after the end, against late duplicates. Never longer than the retention; each one at
   * least until its message expires.
   */
  readonly ledgerHours: number;

  readonly logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  /** For tests alone: where this process is struck, see `shared/crash-points`. null, and nothing else in production. */
  readonly crashPoint: string | null;
  /** The team whose `eval/variants.ts` is loaded beside the teams; null: none. */
  readonly variantsOf: string | null;
  /** null: tracing is off and costs nothing. */
  readonly otlpEndpoint: string | null;
  /** `SUTURE_…` variables that are set and mean nothing here: most likely misspelt. To be logged as a warning. */
  readonly unknownVariables: readonly string[];
}
