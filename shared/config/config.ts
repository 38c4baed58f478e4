import type { ApiKey } from "./api-key.ts";
import type { AttachedQueueSetting } from "./attached-queues.ts";
import type { ModelPrices, ModelRoom, ModelStreams } from "./model-room.ts";
import type { OutsideConfig } from "./outside.ts";
import type { RedisTls } from "./redis-url.ts";
import type { Secret } from "./secret.ts";
import type { WebhookReceiver } from "./webhooks.ts";

/** The configuration of a process, read once at start. Frozen; paths are absolute. */
export interface Config {
  /**
   * Address of Redis. Unset: a private child process is started (`infra/redis`). May name several nodes
   * (Cluster, Sentinel) and hold a password; `@` and a path reads it from a file.
   */
  readonly redisUrl: Secret | null;
  /**
   * Addresses of several Redis, with spaces between them: runs are spread over them. The first one has what there is
   * once, such as people and API keys. Further ones are added at the end. `@` and a path reads them from a file.
   */
  readonly redisUrls: readonly Secret[];
  /** Number of shards on one Redis Cluster. It may only be raised. Not with `SUTURE_REDIS_URLS`. */
  readonly shards: number;
  /** Folder for Redis data, blobs, generated keys and logs of child processes. */
  readonly dataDir: string;
  /** Folder with one sub-folder for each team. */
  readonly teamsDir: string;
  /** Folder whose sub-folders the coder team may read and copy. Nothing in it is changed. */
  readonly checkoutsDir: string;
  /**
   * `require`: untrusted code and files run in a sandbox or not at all. `off`: with the rights of the agent's
   * process.
   */
  readonly codeIsolation: "require" | "off";
  /** Folder of texts that the research team searches, where no search service is set. */
  readonly sourcesDir: string;
  /** Address below which a search service answers `search`. Unset: none is asked. */
  readonly sourcesUrl: string | null;
  /** Bearer token of the search service; `@` and a path reads it from a file. Unset: none is sent. */
  readonly sourcesKey: Secret | null;
  /** Address of the documents team's reader, as `suture serve-agent` serves it. Unset: it is started when needed. */
  readonly readerUrl: string | null;
  /** What the reader asks to be shown; `@` and a path reads it from a file. */
  readonly readerToken: Secret | null;
  /** First part of every Redis key. */
  readonly prefix: string;
  /**
   * `fast`: fsync each second. `durable`: fsync on every write. `replicated`: replicas confirm a write before
   * something is told or done outside because of it.
   */
  readonly redisDurability: "fast" | "durable" | "replicated";
  /** File with a password for each role of Redis (ACL). Read by what starts services, and not by a service. */
  readonly redisUsersFile: string | null;
  /** Replicas that must have a write before it counts as confirmed. Used with `replicated` only. */
  readonly redisReplicasMin: number;
  /** Time limit of one confirmation by replicas, in ms. Used with `replicated` only. */
  readonly redisWaitMs: number;
  /** Time the gateway waits for Redis before it answers 503, in ms. */
  readonly redisAnswerMs: number;
  /** Null: Node's defaults, or no TLS at all. */
  readonly redisTls: RedisTls | null;
  /** Password of the sentinels themselves. */
  readonly redisSentinelPassword: Secret | null;

  /** Address that the gateway listens on. */
  readonly gatewayHost: string;
  /** Port of the gateway. 0 takes any free port. */
  readonly gatewayPort: number;
  /** Address that the console listens on. */
  readonly consoleHost: string;
  /** Port of the console. 0 takes any free port. */
  readonly consolePort: number;
  /**
   * BullMQ queues that run anyway and that the console shows beside the teams, with commas between them: `queue`,
   * `queue=schema.json` with a JSON Schema for the data of its jobs, or `queue=schema.json@/pointer` for a part of it.
   */
  readonly attachedQueues: readonly AttachedQueueSetting[];
  /** Address of the Redis of the attached queues; `@` and a path reads it from a file. Needed if there are some. */
  readonly attachedRedisUrl: Secret | null;
  /** BullMQ's prefix of the attached queues' keys. */
  readonly attachedPrefix: string;
  /** Address of the health port. */
  readonly healthHost: string;
  /** Port on which agents, surgeon and console serve `/healthz`, `/readyz` and `/metrics`. Unset: none. */
  readonly healthPort: number | null;
  /**
   * API keys: `name:scope:secret` or `tenant/name:scope:secret`, with commas between them. Unset: keys are
   * generated at the first start and kept in the data folder.
   */
  readonly apiKeys: readonly ApiKey[] | null;
  /**
   * Persons behind API keys, so that two keys of one person do not count as two people. A key that is not
   * listed is a person of its own.
   */
  readonly people: ReadonlyMap<string, string>;
  /** File with the edge keys of this process. Unset: the file that was issued into the data folder. */
  readonly edgeKeysFile: string | null;
  /** Interval at which the key file is checked for changes, in ms. New keys are used without a restart. */
  readonly keysCheckMs: number;
  /** Maximum open connections of the gateway. Connections without an accepted key take at most half. */
  readonly gatewayConnectionsMax: number;
  /** Rate limit: how often one person may reveal masked values in the console, per hour. */
  readonly revealsPerHour: number;
  /** Maximum open connections of one client address on which no key or session was accepted. */
  readonly anonymousPerAddressMax: number;
  /** Maximum size of a request's body, in bytes. */
  readonly bodyBytesMax: number;
  /** `true`: the gateway's `/readyz` answers 200 though no agent of any team is running. */
  readonly isReadyWithoutAgents: boolean;
  /** Team of an Agent Protocol task that names none, where several teams are loaded. */
  readonly agentProtocolTeam: string;
  /**
   * Hosts that webhooks of tasks may be sent to though they are in a private network or
   * without TLS: `host` or `host:port`, with commas between them. Unset: public addresses with https only.
   */
  readonly pushHosts: readonly string[];
  /**
   * Address by which clients reach the gateway, as A2A cards name it. Unset: the loopback address that a request names,
   * else the IP address and port that the request came to, without TLS.
   */
  readonly gatewayPublicUrl: string | null;
  /** Port of A2A's gRPC binding in the gateway, without TLS. Unset: off. */
  readonly a2aGrpcPort: number | null;
  /** Key file of sealed A2A messages between teams and `remoteAgent`s of other clusters. Unset: they are refused. */
  readonly a2aKeysFile: string | null;
  /** Default time to live (TTL) of a task, in hours. Its team (`ttlMs`) or the task (`ttl_ms`) may say otherwise. */
  readonly taskLifeHours: number;
  /** Number of waiting messages at which the gateway answers 429 (backpressure). */
  readonly queueLimit: number;
  /**
   * Maximum share of one tenant, 0 to 1, where there are several: of the open runs, of the surgeon's hourly budget, and
   * of what other tenants leave of connections, waiting requests, uploads, webhook calls and stored bytes.
   */
  readonly tenantShare: number;
  /** Number of open cases at which the gateway answers 429. */
  readonly wardLimit: number;

  /** True when neither an API key nor a base URL of a model is set: the bundled model server answers. */
  readonly isRehearsal: boolean;
  /**
   * API key of the model endpoint. Unset together with the base URL: a rehearsal, in which the bundled model
   * server answers.
   */
  readonly openaiApiKey: Secret | null;
  /** Base URL of an endpoint that speaks OpenAI's API. Unset: OpenAI's own. */
  readonly openaiBaseUrl: string | null;
  /** Model of the tier `router`. Default: `gpt-5-nano`; in a rehearsal `rehearsal-router`. */
  readonly modelRouter: string;
  /** Model of the tier `worker`. Default: `gpt-5-mini`; in a rehearsal `rehearsal-worker`. */
  readonly modelWorker: string;
  /** Model of the surgeon. Default: `gpt-5`; in a rehearsal `rehearsal-surgeon`. */
  readonly modelSurgeon: string;
  /** Room of answers in tokens, with reasoning. */
  readonly modelRoom: ModelRoom;
  /** Answers that are received as streams. */
  readonly modelStreams: ModelStreams;
  /** Models that a task's user may prefer (`user_chat_model`) to that of the tier `worker`. Default: none. */
  readonly userModels: readonly string[];
  /** USD per million tokens by model (`input`, `output`, `cached` input), merged over the built-in table. */
  readonly modelPrices: ModelPrices;
  /** Time limit of one model call, in ms. */
  readonly modelTimeoutMs: number;
  /** When model calls wait because their endpoint fails, and how they go on. Times in ms. */
  readonly modelCircuit: {
    /**
     * Time from the opening of the model circuit breaker to the first probe, in ms. It doubles with each probe
     * that fails.
     */
    readonly probeMs: number;
    /** Maximum time between two probes, in ms; between any two where the settings are wrong. */
    readonly probeMsMax: number;
    /** Model calls in the first second after the circuit breaker closed; doubled every two seconds. */
    readonly drainPerSecond: number;
  };
  /** Address that the bundled model server and sandbox listen on. */
  readonly rehearsalHost: string;
  /** Port of the bundled model server and sandbox. 0 takes any free port. */
  readonly rehearsalPort: number;
  /** Share of answers that a rehearsal damages on purpose, 0 to 1. */
  readonly rehearsalFaultRate: number;
  /** Seed of a rehearsal's random choices. */
  readonly rehearsalSeed: number;
  /**
   * Base URL of the sandbox with orders, payments, tickets and CRM for the sample teams. Unset: the bundled server at
   * `SUTURE_REHEARSAL_PORT`.
   */
  readonly sandboxUrl: string;
  /** Maximum model cost of one case, in USD. */
  readonly surgeonCostPerCase: number;
  /** Maximum model cost of the surgeon per hour, in USD. Cases wait when it is spent. */
  readonly surgeonCostPerHour: number;
  /** Maximum model cost of all cases with one fingerprint, in USD. */
  readonly surgeonCostPerGroup: number;
  /**
   * Delay before a message whose agent alone had failed is sent again unchanged (redrive), in ms. The second
   * time it is ten times as long.
   */
  readonly surgeonResendMs: number;
  /** Cases that one surgeon process handles at once. */
  readonly surgeonConcurrency: number;
  /** Messages that a recipe must heal with proof before it is trusted. */
  readonly recipeProofs: number;
  /** Producers whose repairs must give the same recipe before it is trusted. */
  readonly recipeProducers: number;

  /** Receivers of webhooks about the ward and about producers, as a JSON list. Unset: none. */
  readonly webhooks: readonly WebhookReceiver[];
  /** Dead messages of one group in one hour from which the group counts as growing, which sends a webhook. */
  readonly groupMessagesPerHour: number;
  /** Cases waiting for a person from which the quarantine counts as full, which sends a webhook. */
  readonly quarantineCasesMax: number;

  /** The systems that the support team acts on beyond its queues. */
  readonly outside: OutsideConfig;

  /**
   * Names of variables that the launcher passes on to agents beside Suture's own, with commas between them; `*`
   * at the end stands for any rest.
   */
  readonly agentVariables: readonly string[];
  /** Messages that one agent process handles at once. */
  readonly concurrency: number;
  /** Maximum deliveries of a failing message, the first included, before it goes to the ward (the DLQ). */
  readonly deliveriesMax: number;
  /** Upper bound of the first retry delay, in ms. It doubles with each delivery (exponential backoff, full jitter). */
  readonly retryDelayMs: number;
  /** Upper bound of any retry delay, in ms. At least `SUTURE_RETRY_DELAY_MS`. */
  readonly retryDelayMsMax: number;
  /** Time until another worker takes a job whose lock is not renewed, in ms (lease, visibility timeout). */
  readonly lockMs: number;
  /** Interval of the check for jobs whose lock ran out, in ms. */
  readonly stalledIntervalMs: number;
  /** Time without a fetch, while work waits, after which a consumer is restarted, in ms. */
  readonly silentMs: number;
  /** Consecutive restarts without a fetch, after which the process ends with an error. */
  readonly silentRestartsMax: number;
  /** Interval at which the machine's clock is compared with that of Redis, in ms. */
  readonly clockCheckMs: number;
  /** Process deaths on one message before it is quarantined as a poison message. */
  readonly crashesMax: number;
  /** Time that running work gets to end at shutdown, in ms. 0: it is aborted at once. */
  readonly stopGraceMs: number;
  /** Finished jobs that each queue keeps, at most as long as the retention. */
  readonly finishedJobsMax: number;
  /** Maximum records of what people did; the oldest are dropped first. */
  readonly peopleAuditLength: number;
  /** Share of Redis' memory (its `maxmemory`, else its machine's), 0 to 1, at which the gateway answers 503. */
  readonly redisMemoryShare: number;
  /** Maximum bytes of all stored blobs; further ones are refused. */
  readonly blobsBytesMax: number;
  /** Time a blob is kept after it was last stored, in hours. */
  readonly blobHours: number;
  /** Time that ended runs and closed cases are kept, in hours. */
  readonly retentionHours: number;
  /**
   * Time that outcomes are kept after the end, against late duplicates (deduplication window), in hours. At
   * most the retention; each one at least until its message expires.
   */
  readonly ledgerHours: number;

  /** Lowest level of log lines that are written. */
  readonly logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  /**
   * For tests only: where this process is killed or stopped, see `shared/crash-points`. Refused where NODE_ENV
   * is production.
   */
  readonly crashPoint: string | null;
  /** Team whose `eval/variants.ts` is loaded beside the teams. Set by `suture eval`. */
  readonly variantsOf: string | null;
  /** OTLP endpoint for traces. Unset, or with `OTEL_SDK_DISABLED=true`: tracing is off and costs nothing. */
  readonly otlpEndpoint: string | null;
  /**
   * True if spans of model calls hold instructions, input and answer, redacted: with `SPAN_ONLY`, or `true`. The forms
   * with events are refused, because no events are written. Default: no content.
   */
  readonly capturesContent: boolean;
  /** `SUTURE_…` variables that are set and unknown, most likely misspelt. Logged as a warning. */
  readonly unknownVariables: readonly string[];
}
