import {
  boolean,
  choice,
  constant,
  dateTime,
  integer,
  list,
  map,
  nullable,
  object,
  text,
  union,
} from "../contract.ts";
import type { CorpusContract } from "../contract.ts";
import * as natural from "../natural.ts";
import { PARAGRAPHS, SENTENCES, TOPICS } from "../words.ts";

const event: CorpusContract = {
  name: "issue-event",
  part: object(
    {
      action: choice(["opened", "edited", "closed", "reopened", "labeled"]),
      issue: object(
        {
          number: integer("", { minimum: 1 }),
          title: text(),
          body: nullable(text("Markdown")),
          labels: list(object({ name: text(), color: text("", { pattern: "^[0-9a-f]{6}$" }) })),
        },
        { isOpen: true },
      ),
      repository: object({ full_name: text("owner/name"), private: boolean() }, { isOpen: true }),
      sender: object({ login: text(), id: integer() }, { isOpen: true }),
    },
    { isOpen: true },
  ),
  make: (draw) => ({
    action: draw.pick(["opened", "edited", "closed", "reopened", "labeled"]),
    issue: {
      number: natural.between(draw, 1, 9000),
      title: natural.sentence(draw),
      body: natural.chance(draw, 0.7) ? natural.prose(draw) : null,
      labels: natural.times(draw, 0, 2, () => ({ name: draw.pick(TOPICS), color: natural.hex(draw, 6) })),
    },
    repository: {
      full_name: draw.pick(["octo/hello-world", "acme/web.app"]),
      private: natural.chance(draw, 0.5),
    },
    sender: { login: draw.pick(["octocat", "ann-lee", "bot[ci]"]), id: natural.between(draw, 1, 99_999_999) },
  }),
};

const LEVELS = ["debug", "info", "warning", "error"] as const;

const log: CorpusContract = {
  name: "log-record",
  part: object(
    {
      timestamp: dateTime(),
      level: choice(LEVELS, "Severity. 'warn' is warning, 'fatal' is error.", {
        synonyms: { warning: ["warn"], error: ["fatal"] },
      }),
      service: text(),
      message: text("The line as logged"),
      trace_id: text("", { pattern: "^[0-9a-f]{32}$" }),
      attributes: map(text(), "Anything else by name"),
    },
    { optional: ["trace_id"] },
  ),
  make: (draw) => ({
    timestamp: natural.isoDateTime(draw),
    level: draw.pick(LEVELS),
    service: draw.pick(["checkout", "auth-api", "mailer.worker"]),
    message: draw.pick(SENTENCES),
    ...natural.maybe(draw, "trace_id", () => natural.hex(draw, 32)),
    attributes: Object.fromEntries(
      natural
        .some(draw, ["http.status", "user_agent", "region", "retry", "queue name"], 1, 3)
        .map((name) => [
          name,
          draw.pick(["404", "Mozilla/5.0 (X11; Linux)", "eu-west-1", "true", "3 of 5", "a,b;c"]),
        ]),
    ),
  }),
};

const findings: CorpusContract = {
  name: "review-findings",
  part: {
    ...list(
      object(
        {
          file: text("Path from the root of the repository"),
          line: integer("Line number, from 1", { minimum: 1 }, { units: ["lines"] }),
          severity: choice(
            ["info", "minor", "major", "blocker"],
            "A showstopper is a blocker; a nitpick is info.",
            {
              synonyms: { blocker: ["showstopper"], info: ["nitpick"] },
            },
          ),
          comment: text("What is wrong and why"),
          suggestion: text("Code that replaces the line"),
        },
        { optional: ["suggestion"] },
      ),
      "Findings of a code review",
      { minItems: 1 },
    ),
  },
  make: (draw) =>
    natural.times(draw, 1, 3, () => ({
      file: draw.pick(["src/app/main.ts", "lib/util (old).py", "Makefile", "docs/índice.md"]),
      line: natural.between(draw, 1, 800),
      severity: draw.pick(["info", "minor", "major", "blocker"]),
      comment: natural.sentence(draw),
      ...natural.maybe(draw, "suggestion", () =>
        draw.pick(["return a + b;", 'const x = "y";', "if (!ok) { throw e; }", "items[0] = {}"]),
      ),
    })),
};

const step: CorpusContract = {
  name: "agent-step",
  part: union(
    object({
      type: constant("shell"),
      command: text("Command line for bash"),
      timeout_seconds: integer(
        "Time limit in seconds",
        { minimum: 1, maximum: 600 },
        { units: ["seconds", "s"], otherUnits: ["MB"] },
      ),
    }),
    object({ type: constant("edit"), path: text(), old_text: text(), new_text: text() }),
    object({ type: constant("finish"), summary: text(), is_success: boolean() }),
  ),
  make: (draw) =>
    draw.pick([
      () => ({
        type: "shell",
        command: draw.pick([
          `grep -rn "retry: no" src | head -5`,
          "npm test -- --run 'a b'",
          "echo $HOME && ls -la",
        ]),
        timeout_seconds: natural.between(draw, 1, 600),
      }),
      () => ({
        type: "edit",
        path: "src/a.ts",
        old_text: draw.pick(PARAGRAPHS),
        new_text: natural.sentence(draw),
      }),
      () => ({ type: "finish", summary: natural.sentence(draw), is_success: natural.chance(draw, 0.5) }),
    ])(),
};

const deployment: CorpusContract = {
  name: "create-deployment",
  part: object(
    {
      service: text("Name of the service", { pattern: "^[a-z][a-z0-9-]*$" }),
      image: text("Image with tag"),
      replicas: integer("Number of replicas", { minimum: 0, maximum: 50 }, { units: ["replicas"] }),
      memory_mb: integer(
        "Memory limit in MB",
        { minimum: 64 },
        { units: ["MB", "megabytes"], otherUnits: ["seconds", "°C"] },
      ),
      environment: choice(["development", "staging", "production"], "'prod' and 'live' mean production.", {
        synonyms: { production: ["prod", "live"] },
      }),
      dry_run: boolean("Only check, change nothing"),
      ports: list(integer("", { minimum: 1, maximum: 65535 }), "Ports to open"),
      variables: map(text(), "Environment variables"),
      rollback_to: nullable(text("Earlier image")),
    },
    { optional: ["variables", "ports"] },
  ),
  make: (draw) => ({
    service: draw.pick(["web", "billing-api", "mailer2"]),
    image: draw.pick(["registry.example.com/web:1.4.0", "api@sha256:00ffee", "worker:latest"]),
    replicas: natural.between(draw, 0, 12),
    memory_mb: draw.pick([64, 256, 512, 4096]),
    environment: draw.pick(["development", "staging", "production"]),
    dry_run: natural.chance(draw, 0.5),
    ...natural.maybe(draw, "ports", () => natural.some(draw, [80, 443, 8080, 9090], 1, 3)),
    ...natural.maybe(draw, "variables", () => ({
      LOG_LEVEL: "debug",
      DATABASE_URL: "postgres://app:pw@db:5432/app?ssl=true",
      FEATURE_X: draw.pick(["true", "0", "on,off"]),
    })),
    rollback_to: natural.chance(draw, 0.3) ? "web:1.3.9" : null,
  }),
};

export const DEVELOPING = [event, log, findings, step, deployment];
