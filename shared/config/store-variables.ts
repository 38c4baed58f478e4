import { z } from "zod";
import { token } from "./outside-variables.ts";
import { parseRedisUrl } from "./redis-url.ts";
import { choice, integer, optionalHttpUrl, optionalText, secret, secretOf, text } from "./variable.ts";
import type { Variable } from "./variable.ts";

/** Address of a Redis. */
export const redisUrl = secretOf(
  z.string().check((context) => {
    const parsed = parseRedisUrl(context.value);
    if ("problem" in parsed) context.issues.push({ code: "custom", input: "", message: parsed.problem });
  }),
  "redis://127.0.0.1:6379",
);

/** Several addresses with spaces between them, because an address may hold commas. */
const redisUrls = secretOf(
  z.string().check((context) => {
    const urls = context.value.trim().split(/\s+/);
    for (const parsed of urls.map(parseRedisUrl))
      if ("problem" in parsed) context.issues.push({ code: "custom", input: "", message: parsed.problem });
    if (urls.length > 256)
      context.issues.push({ code: "custom", input: "", message: "must be at most 256 addresses" });
  }),
  "redis://10.0.0.1:6379 redis://10.0.0.2:6379",
);

const path = (fallback: string): Variable<string> =>
  text(/^[^\0]{1,1000}$/, "must be a path of at most 1000 characters", fallback);

const pemFile = (name: string): Variable<string | null> =>
  optionalText(/^@.{1,1000}$/, "must be @ and the path of a PEM file", `@tls/${name}`);

/** The variables of Redis, and of folders and sources that processes read. */
export const STORE_VARIABLES = {
  /**
   * Address of Redis. Unset: a private child process is started (`infra/redis`). May name several nodes (Cluster,
   * Sentinel) and hold a password; `@` and a path reads it from a file.
   */
  REDIS_URL: redisUrl,
  /**
   * Addresses of several Redis, with spaces between them: runs are spread over them. The first one has what there is
   * once, such as people and API keys. Further ones are added at the end. `@` and a path reads them from a file.
   */
  SUTURE_REDIS_URLS: redisUrls,
  /** Number of shards on one Redis Cluster. It may only be raised. Not with `SUTURE_REDIS_URLS`. */
  SUTURE_SHARDS: integer({ min: 1, max: 256, fallback: 1 }),
  /**
   * Address of a PostgreSQL to which ended runs and closed cases move from Redis; `@` and a path reads it from a file.
   * For the gateway, the console and the surgeon. Unset: they are deleted when their retention is over.
   */
  SUTURE_ARCHIVE_URL: secretOf(
    z
      .string()
      .refine(
        (url) => /^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url),
        "must be a postgresql:// address",
      ),
    "postgresql://suture:secret@db.internal:5432/suture",
  ),
  /** Hours after its end in which a run is still in Redis. Used with an archive only. */
  SUTURE_ARCHIVE_AFTER_HOURS: integer({ min: 1, max: 87_600, fallback: 1 }),
  /** Days after their end that the archive keeps runs and cases. 0: for ever. */
  SUTURE_ARCHIVE_DAYS: integer({ min: 0, max: 36_500, fallback: 0 }),
  /** Folder for Redis data, blobs, generated keys and logs of child processes. */
  SUTURE_DATA_DIR: path(".suture"),
  /** Folder with one sub-folder for each team. */
  SUTURE_TEAMS: path("services/agents"),
  /** `require`: untrusted code and files run in a sandbox or not at all. `off`: with the rights of the agent. */
  SUTURE_CODE_ISOLATION: choice(["require", "off"], "require"),
  /** Folder whose sub-folders the coder team may read and copy. Nothing in it is changed. */
  SUTURE_CHECKOUTS: path("services/agents/coder/samples/checkouts"),
  /** Folder of texts that the research team searches, where no search service is set. */
  SUTURE_SOURCES: path("services/agents/research/samples/sources"),
  /** Address below which a search service answers `search`. Unset: none is asked. */
  SUTURE_SOURCES_URL: optionalHttpUrl("https://search.example.org/v1"),
  /** Bearer token of the search service; `@` and a path reads it from a file. Unset: none is sent. */
  SUTURE_SOURCES_KEY: token,
  /** Address of the documents team's reader, as `suture serve-agent` serves it. Unset: it is started when needed. */
  SUTURE_READER_URL: optionalHttpUrl("http://reader:8090"),
  /** Bearer token for the reader; `@` and a path reads it from a file. */
  SUTURE_READER_TOKEN: token,
  /** First part of every Redis key. */
  SUTURE_PREFIX: text(
    /^[a-z0-9][a-z0-9_-]{0,31}$/,
    "must be 1 to 32 lower-case letters, digits, - or _",
    "suture",
  ),
  /** `fast`: fsync each second. `durable`: on every write. `replicated`: replicas confirm before anything is told. */
  SUTURE_REDIS_DURABILITY: choice(["fast", "durable", "replicated"], "fast"),
  /** File with a password for each role of Redis (ACL). Read by what starts services, and not by a service. */
  SUTURE_REDIS_USERS: optionalText(
    /^@.{1,1000}$/,
    "must be @ and the path of the passwords that `suture redis-acl` wrote",
    "@acl/passwords.json",
  ),
  /** Replicas that must have a write before it counts as confirmed. Used with `replicated` only. */
  SUTURE_REDIS_REPLICAS_MIN: integer({ min: 1, max: 16, fallback: 1 }),
  /** Time limit of one confirmation by replicas, in ms. Used with `replicated` only. */
  SUTURE_REDIS_WAIT_MS: integer({ min: 10, max: 4000, fallback: 1000 }),
  /** Time the gateway waits for Redis before it answers 503, in ms. */
  SUTURE_REDIS_ANSWER_MS: integer({ min: 50, max: 60_000, fallback: 1000 }),
  /** Certificate authority of Redis. Unset: the authorities that Node knows. */
  SUTURE_REDIS_TLS_CA: pemFile("ca.pem"),
  /** Client certificate. Unset: none. Needs its key. */
  SUTURE_REDIS_TLS_CERT: pemFile("client.pem"),
  /** Key of the client certificate. */
  SUTURE_REDIS_TLS_KEY: pemFile("client-key.pem"),
  /** Name that the server's certificate must have. Unset: the host of the address. */
  SUTURE_REDIS_TLS_SERVERNAME: optionalText(
    /^[A-Za-z0-9.:_-]{1,253}$/,
    "must be a host name",
    "redis.internal",
  ),
  /** Password of the sentinels themselves. */
  SUTURE_REDIS_SENTINEL_PASSWORD: secret(
    /^[^\0]{1,1000}$/,
    "must be at most 1000 characters",
    "a-long-random-secret",
  ),
};
