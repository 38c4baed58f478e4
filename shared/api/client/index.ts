// Written by `npm run client` from the declarations of this room. Do not edit.

export interface paths {
  "/v1/tasks": {
    /**
     * Submit a task to a team
     * @description Scopes: submit, operator, admin.
     */
    post: operations["submitTask"];
  };
  "/v1/runs": {
    /**
     * List runs, newest first
     * @description Scopes: viewer, submit, operator, admin.
     */
    get: operations["listRuns"];
  };
  "/v1/runs/{run_id}": {
    /**
     * Show a run, at once or when it has ended
     * @description Scopes: viewer, submit, operator, admin.
     */
    get: operations["showRun"];
  };
  "/v1/runs/{run_id}/events": {
    /**
     * Follow a run's events
     * @description Scopes: viewer, submit, operator, admin.
     */
    get: operations["streamRunEvents"];
  };
  "/v1/runs/{run_id}/cancel": {
    /**
     * Cancel a run
     * @description Scopes: operator, admin.
     */
    post: operations["cancelRun"];
  };
  "/v1/runs/{run_id}/replay": {
    /**
     * Run again from a recorded message
     * @description Scopes: operator, admin.
     */
    post: operations["replayRun"];
  };
  "/v1/handoffs": {
    /**
     * List the matrix of handoffs with their rates
     * @description Scopes: viewer, submit, operator, admin.
     */
    get: operations["listHandoffs"];
    /**
     * Send a payload to one agent that takes payloads from outside
     * @description Scopes: submit, operator, admin.
     */
    post: operations["sendHandoff"];
  };
  "/v1/blobs": {
    /**
     * Store content by its hash
     * @description Scopes: submit, operator, admin.
     */
    post: operations["storeBlob"];
  };
  "/v1/blobs/{id}": {
    /**
     * Read stored content
     * @description Scopes: viewer, submit, operator, admin.
     */
    get: operations["readBlob"];
  };
  "/v1/agents": {
    /**
     * List agents, declared and live
     * @description Scopes: viewer, submit, operator, admin.
     */
    get: operations["listAgents"];
  };
  "/v1/teams": {
    /**
     * List teams with their graphs
     * @description Scopes: viewer, submit, operator, admin.
     */
    get: operations["listTeams"];
  };
  "/v1/contracts/{contract}": {
    /**
     * Show a contract as JSON Schema
     * @description Scopes: viewer, submit, operator, admin.
     */
    get: operations["showContract"];
  };
  "/ap/v1/agent/tasks": {
    /**
     * Agent Protocol: list tasks, newest first
     * @description Scopes: viewer, submit, operator, admin.
     */
    get: operations["listAgentTasks"];
    /**
     * Agent Protocol: create a task
     * @description Scopes: submit, operator, admin.
     */
    post: operations["createAgentTask"];
  };
  "/ap/v1/agent/tasks/{task_id}": {
    /**
     * Agent Protocol: show a task
     * @description Scopes: viewer, submit, operator, admin.
     */
    get: operations["getAgentTask"];
  };
  "/ap/v1/agent/tasks/{task_id}/steps": {
    /**
     * Agent Protocol: list the steps of a task, done ones first
     * @description Scopes: viewer, submit, operator, admin.
     */
    get: operations["listAgentTaskSteps"];
    /**
     * Agent Protocol: wait for the next step
     * @description Scopes: submit, operator, admin.
     */
    post: operations["executeAgentTaskStep"];
  };
  "/ap/v1/agent/tasks/{task_id}/steps/{step_id}": {
    /**
     * Agent Protocol: show a step
     * @description Scopes: viewer, submit, operator, admin.
     */
    get: operations["getAgentTaskStep"];
  };
  "/ap/v1/agent/tasks/{task_id}/artifacts": {
    /**
     * Agent Protocol: list the artifacts of a task
     * @description Scopes: viewer, submit, operator, admin.
     */
    get: operations["listAgentTaskArtifacts"];
    /**
     * Agent Protocol: upload an artifact for a task
     * @description Scopes: submit, operator, admin.
     */
    post: operations["uploadAgentTaskArtifacts"];
  };
  "/ap/v1/agent/tasks/{task_id}/artifacts/{artifact_id}": {
    /**
     * Agent Protocol: download an artifact
     * @description Scopes: viewer, submit, operator, admin.
     */
    get: operations["downloadAgentTaskArtifact"];
  };
  "/ap/v1/agent/artifacts/{artifact_id}": {
    /**
     * Agent Protocol, draft: download an artifact by its id alone
     * @description Scopes: viewer, submit, operator, admin.
     */
    get: operations["downloadAgentArtifact"];
  };
  "/readyz": {
    /** Whether it takes tasks, and what work needs */
    get: operations["showReadiness"];
  };
  "/metrics": {
    /**
     * Metrics for Prometheus
     * @description Scopes: viewer, submit, operator, admin.
     */
    get: operations["showMetrics"];
  };
  "/v1/stats": {
    /**
     * Show the conservation equation and where everything waits
     * @description Scopes: viewer, submit, operator, admin.
     */
    get: operations["showStats"];
  };
  "/healthz": {
    /** Whether the process lives */
    get: operations["showLiveness"];
  };
  "/v1/session": {
    /**
     * Say who is asking, and what they may do
     * @description Scopes: viewer, operator, admin.
     */
    get: operations["showSession"];
    /** Open a session for a login link's token, or for an API key */
    post: operations["logIn"];
    /**
     * End the session it comes with
     * @description Scopes: viewer, operator, admin.
     */
    delete: operations["logOut"];
  };
  "/v1/overview": {
    /**
     * Show the conservation equation, queues, agents, and what surgery costs
     * @description Scopes: viewer, operator, admin.
     */
    get: operations["showOverview"];
  };
  "/v1/events": {
    /**
     * Follow the overview, new lines of the audit, and messages that come to the ward
     * @description Scopes: viewer, operator, admin.
     */
    get: operations["streamEvents"];
  };
  "/v1/ward/costs": {
    /**
     * Say what surgery costs, and what it may still cost, in USD
     * @description Scopes: viewer, operator, admin.
     */
    get: operations["showCosts"];
  };
  "/v1/queues": {
    /**
     * List queues with what waits in them
     * @description Scopes: viewer, operator, admin.
     */
    get: operations["listQueues"];
  };
  "/v1/queues/{agent}/pause": {
    /**
     * Stop giving out messages to an agent; what is in hand ends
     * @description Scopes: operator, admin.
     */
    post: operations["pauseQueue"];
  };
  "/v1/queues/{agent}/resume": {
    /**
     * Give out messages to an agent again
     * @description Scopes: operator, admin.
     */
    post: operations["resumeQueue"];
  };
  "/v1/producers": {
    /**
     * List producers by how much of what they make is malformed, the worst first
     * @description Scopes: viewer, operator, admin.
     */
    get: operations["listRates"];
  };
  "/v1/circuits": {
    /**
     * List the circuits of all agents
     * @description Scopes: viewer, operator, admin.
     */
    get: operations["listCircuits"];
  };
  "/v1/circuits/{agent}/open": {
    /**
     * Have an agent replaced or paused, as its team declares, until it is closed
     * @description Scopes: operator, admin.
     */
    post: operations["openCircuit"];
  };
  "/v1/circuits/{agent}/close": {
    /**
     * Have an agent work as usual again
     * @description Scopes: operator, admin.
     */
    post: operations["closeCircuit"];
  };
  "/v1/ward/groups": {
    /**
     * List groups of cases with one fingerprint
     * @description Scopes: viewer, operator, admin.
     */
    get: operations["listGroups"];
  };
  "/v1/ward/groups/{fingerprint}": {
    /**
     * Show a group with its recipes and its audit
     * @description Scopes: viewer, operator, admin.
     */
    get: operations["showGroup"];
  };
  "/v1/ward/groups/{fingerprint}/acknowledge": {
    /**
     * Say that somebody looks after a group
     * @description Scopes: operator, admin.
     */
    post: operations["acknowledgeGroup"];
  };
  "/v1/ward/groups/{fingerprint}/resolve": {
    /**
     * Say that the cause of a group is gone, with `since` from that version on
     * @description Scopes: operator, admin.
     */
    post: operations["resolveGroup"];
  };
  "/v1/ward/groups/{fingerprint}/reopen": {
    /**
     * Take back what was said about a group
     * @description Scopes: operator, admin.
     */
    post: operations["reopenGroup"];
  };
  "/v1/ward/groups/{fingerprint}/apply": {
    /**
     * Plan one decision for all cases of a group; it begins with a dry run
     * @description Scopes: operator, admin.
     */
    post: operations["applyToGroup"];
  };
  "/v1/ward/applies": {
    /**
     * List work on whole groups, the newest first
     * @description Scopes: viewer, operator, admin.
     */
    get: operations["listApplies"];
  };
  "/v1/ward/applies/{batch_id}": {
    /**
     * Show work on a whole group
     * @description Scopes: viewer, operator, admin.
     */
    get: operations["showApply"];
  };
  "/v1/ward/applies/{batch_id}/cases": {
    /**
     * List what became of each case, in the order of their decisions
     * @description Scopes: viewer, operator, admin.
     */
    get: operations["listApplyCases"];
  };
  "/v1/ward/applies/{batch_id}/start": {
    /**
     * Start what was planned, or go on after the canary
     * @description Scopes: operator, admin.
     */
    post: operations["startApply"];
  };
  "/v1/ward/applies/{batch_id}/stop": {
    /**
     * Stop work on a group: what was decided stands, nothing more is
     * @description Scopes: operator, admin.
     */
    post: operations["stopApply"];
  };
  "/v1/ward/applies/{batch_id}/undo": {
    /**
     * Undo a discard of a whole group
     * @description Scopes: operator, admin.
     */
    post: operations["undoApply"];
  };
  "/v1/ward/cases": {
    /**
     * List cases that meet every filter, newest first
     * @description Scopes: viewer, operator, admin.
     */
    get: operations["listCases"];
  };
  "/v1/ward/cases/{case_id}": {
    /**
     * Show a case with its message and operations
     * @description Scopes: viewer, operator, admin.
     */
    get: operations["showCase"];
  };
  "/v1/ward/cases/{case_id}/reveal": {
    /**
     * Show a case with the values that its contract marks as sensitive
     * @description Scopes: admin.
     */
    post: operations["revealCase"];
  };
  "/v1/ward/cases/{case_id}/check": {
    /**
     * Say what a release with this value would meet; changes nothing
     * @description Scopes: viewer, operator, admin.
     */
    post: operations["checkPayload"];
  };
  "/v1/ward/cases/{case_id}/release": {
    /**
     * Send a message on, as it is or with another value
     * @description Scopes: operator, admin.
     */
    post: operations["releaseCase"];
  };
  "/v1/ward/cases/{case_id}/approve": {
    /**
     * Stand for another person's change, as the second one
     * @description Scopes: operator, admin.
     */
    post: operations["approveCase"];
  };
  "/v1/ward/cases/{case_id}/approval": {
    /**
     * Approve or refuse the tool call that a case waits with
     * @description Scopes: operator, admin.
     */
    post: operations["decideApproval"];
  };
  "/v1/ward/cases/{case_id}/discard": {
    /**
     * End a case without its message going on
     * @description Scopes: operator, admin.
     */
    post: operations["discardCase"];
  };
  "/v1/ward/cases/{case_id}/restore": {
    /**
     * Undo a discard, while its run goes on
     * @description Scopes: operator, admin.
     */
    post: operations["restoreCase"];
  };
  "/v1/ward/cases/{case_id}/redirect": {
    /**
     * Send a message to another agent that takes its contract
     * @description Scopes: operator, admin.
     */
    post: operations["redirectCase"];
  };
  "/v1/ward/cases/{case_id}/operate": {
    /**
     * Have the ladder try again
     * @description Scopes: operator, admin.
     */
    post: operations["operateCase"];
  };
  "/v1/runs/{run_id}/reveal": {
    /**
     * Show what a run came to as its owner sees it
     * @description Scopes: admin.
     */
    post: operations["revealRun"];
  };
  "/v1/recipes": {
    /**
     * List recipes that meet every filter, the one that was changed last first
     * @description Scopes: viewer, operator, admin.
     */
    get: operations["listRecipes"];
  };
  "/v1/recipes/{recipe_id}": {
    /**
     * Show a recipe with its group and its audit
     * @description Scopes: viewer, operator, admin.
     */
    get: operations["showRecipe"];
  };
  "/v1/recipes/{recipe_id}/try": {
    /**
     * Try another recipe, dry, on the messages of its fingerprint that lie in the ward
     * @description Scopes: operator, admin.
     */
    post: operations["tryRecipe"];
  };
  "/v1/recipes/{recipe_id}/approve": {
    /**
     * Have the ladder apply a recipe from now on
     * @description Scopes: admin.
     */
    post: operations["approveRecipe"];
  };
  "/v1/recipes/{recipe_id}/edit": {
    /**
     * Put another text in a recipe's place, on trial
     * @description Scopes: admin.
     */
    post: operations["editRecipe"];
  };
  "/v1/recipes/{recipe_id}/retire": {
    /**
     * Keep a recipe for the record and never apply it
     * @description Scopes: admin.
     */
    post: operations["retireRecipe"];
  };
  "/v1/api-keys": {
    /**
     * List the keys that were made here, with what they use
     * @description Scopes: admin.
     */
    get: operations["listApiKeys"];
    /**
     * Make a key; the answer has its secret, which nobody is told again
     * @description Scopes: admin.
     */
    post: operations["createApiKey"];
  };
  "/v1/api-keys/{name}/revoke": {
    /**
     * Revoke a key by its full name; every service refuses it within a second
     * @description Scopes: admin.
     */
    post: operations["revokeApiKey"];
  };
  "/v1/audit": {
    /**
     * List who did what, when and why; newest first
     * @description Scopes: viewer, operator, admin.
     */
    get: operations["listAudit"];
  };
  "/v1/audit/people": {
    /**
     * List what people did, newest first, with what is not as it was written
     * @description Scopes: viewer, operator, admin.
     */
    get: operations["listPeopleAudit"];
  };
  "/v1/audit/people/records": {
    /**
     * Read the records as they are stored, oldest first, to hold them against each other
     * @description Scopes: viewer, operator, admin.
     */
    get: operations["exportPeopleAudit"];
  };
  "/v1/refusals": {
    /**
     * List attempts that the gateway and the console refused, newest first
     * @description Scopes: admin.
     */
    get: operations["listRefusals"];
  };
}

export type webhooks = Record<string, never>;

export interface components {
  schemas: {
    Problem: {
      /** @description urn:suture:problem:<code> */
      type: string;
      title: string;
      status: number;
      detail: string;
      /** @description Stable word; decide by it, not by texts. */
      code: string;
      errors: {
        /** @description JSON pointer */
        pointer: string;
        code: string;
        message: string;
      }[];
      trace_id: string | null;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}

export type $defs = Record<string, never>;

export type external = Record<string, never>;

export interface operations {
  /**
   * Submit a task to a team
   * @description Scopes: submit, operator, admin.
   */
  submitTask: {
    requestBody: {
      content: {
        "application/json": {
          team: string;
          /** @description What the contract of the team's first agent asks for. */
          input: unknown;
          /** @description Travels along the whole run unchanged. */
          user?: {
            user_id?: string | null;
            subscription_tier?: string | null;
            locale?: string;
            preferences?: {
              [key: string]: unknown;
            };
          };
          /** @enum {string} */
          priority?: "high" | "normal" | "low";
          constraints?: string[];
          /** @description At most the team's, which is the default. */
          budget?: {
            /** @description USD */
            cost_limit?: number;
            token_limit?: number;
          };
          /** @description Milliseconds until an unhandled message expires, at most 7 days and the team's own life; null: never, where the team declares no life. Default: the team's, else one day. */
          ttl_ms?: number | null;
          /** @description At most the team's, which is the default. */
          max_hops?: number;
          /** @description Not available yet: refused. */
          webhook?: unknown;
        };
      };
    };
    responses: {
      /** @description Accepted: nothing can lose it any more. */
      202: {
        content: {
          "application/json": {
            run_id: string;
            trace_id: string;
            message_id: string;
            status_url: string;
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, queue_full, store_full, ward_full, queue_damaged, quota_exceeded, idempotency_conflict, acceptance_unknown, acceptance_unconfirmed. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * List runs, newest first
   * @description Scopes: viewer, submit, operator, admin.
   */
  listRuns: {
    parameters: {
      query?: {
        status?:
          | "queued"
          | "running"
          | "in_ward"
          | "quarantined"
          | "completed"
          | "failed"
          | "cancelled"
          | "expired";
        team?: string;
        limit?: number;
        /** @description next_cursor of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            runs: {
              run_id: string;
              trace_id: string;
              team: string;
              /** @enum {string} */
              status:
                | "queued"
                | "running"
                | "in_ward"
                | "quarantined"
                | "completed"
                | "failed"
                | "cancelled"
                | "expired";
              created_at: string;
              ended_at: string | null;
              billing: {
                cost_so_far: number;
                tokens_consumed: number;
                currency: string;
              };
              waiting: {
                open: number;
                in_ward: number;
                quarantined: number;
              };
              /** @description Fields of the run's record that cannot be read. Absent: none. */
              unreadable?: string[];
            }[];
            /** @description Null at the end. A short page may still have a next one. */
            next_cursor: string | null;
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Show a run, at once or when it has ended
   * @description Scopes: viewer, submit, operator, admin.
   */
  showRun: {
    parameters: {
      query?: {
        /** @description Seconds to wait for the end. */
        wait?: number;
      };
      path: {
        run_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            run_id: string;
            trace_id: string;
            team: string;
            /** @enum {string} */
            status:
              | "queued"
              | "running"
              | "in_ward"
              | "quarantined"
              | "completed"
              | "failed"
              | "cancelled"
              | "expired";
            created_at: string;
            ended_at: string | null;
            billing: {
              cost_so_far: number;
              tokens_consumed: number;
              currency: string;
            };
            waiting: {
              open: number;
              in_ward: number;
              quarantined: number;
            };
            /** @description Fields of the run's record that cannot be read. Absent: none. */
            unreadable?: string[];
            /** @description `[sensitive]` where the key may not see it. */
            result: unknown;
            error: unknown;
            hops: {
              message_id: string;
              agent: string | null;
              hop: number | null;
              attempt: number;
              contract: string | null;
              sent_at: string | null;
              accepted_at: string | null;
              waited_ms: number | null;
              ended_at: string | null;
              ms: number;
              tokens: number;
              cost: number;
              model: string | null;
              outcome: string | null;
              failure: {
                class: string;
                code: string;
                paths: string[];
              } | null;
              next: {
                message_id: string;
                agent: string;
              }[];
            }[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found, too_many_waiters. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Follow a run's events
   * @description Scopes: viewer, submit, operator, admin.
   */
  streamRunEvents: {
    parameters: {
      path: {
        run_id: string;
      };
    };
    responses: {
      /** @description Content */
      200: {
        content: {
          "text/event-stream": unknown;
        };
      };
      /** @description Nothing */
      204: {
        content: never;
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found, too_many_waiters. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Cancel a run
   * @description Scopes: operator, admin.
   */
  cancelRun: {
    parameters: {
      path: {
        run_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            run_id: string;
            trace_id: string;
            team: string;
            /** @enum {string} */
            status:
              | "queued"
              | "running"
              | "in_ward"
              | "quarantined"
              | "completed"
              | "failed"
              | "cancelled"
              | "expired";
            created_at: string;
            ended_at: string | null;
            billing: {
              cost_so_far: number;
              tokens_consumed: number;
              currency: string;
            };
            waiting: {
              open: number;
              in_ward: number;
              quarantined: number;
            };
            /** @description Fields of the run's record that cannot be read. Absent: none. */
            unreadable?: string[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Run again from a recorded message
   * @description Scopes: operator, admin.
   */
  replayRun: {
    parameters: {
      path: {
        run_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description Default: the run's first message. */
          message_id?: string;
          /** @description Default: the recorded one. */
          data_payload?: unknown;
        };
      };
    };
    responses: {
      /** @description Accepted: nothing can lose it any more. */
      202: {
        content: {
          "application/json": {
            run_id: string;
            trace_id: string;
            message_id: string;
            status_url: string;
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found, message_not_verifiable, queue_full, store_full, ward_full, queue_damaged, quota_exceeded, idempotency_conflict, acceptance_unknown, acceptance_unconfirmed. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * List the matrix of handoffs with their rates
   * @description Scopes: viewer, submit, operator, admin.
   */
  listHandoffs: {
    parameters: {
      query?: {
        span?: "hour" | "two_days";
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            /** @enum {string} */
            span: "hour" | "two_days";
            teams: {
              team: string;
              entry: string;
              agents: string[];
            }[];
            handoffs: {
              /** @description Null: counted, and declared by no team loaded here. */
              team: string | null;
              from: string;
              to: string;
              handoff_type: string;
              contract: string;
              /** @description A run may go back along it. */
              loop: boolean;
              done: number;
              failed: number;
              /** @description 0 to 1; null where none has ended. */
              success_rate: number | null;
              is_declared: boolean;
            }[];
            /** @description What is declared, as Mermaid text. */
            mermaid: string;
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Send a payload to one agent that takes payloads from outside
   * @description Scopes: submit, operator, admin.
   */
  sendHandoff: {
    requestBody: {
      content: {
        "application/json": {
          /** @description Name, or name@version of an agent that is declared with `outside: true`; see GET /v1/agents. */
          target_agent: string;
          /** @description What data_payload claims to be. */
          contract: string;
          /** @description Any JSON; a string is the raw text of a producer that writes no JSON. */
          data_payload: unknown;
          /** @description One that the matrix has for this agent; see GET /v1/handoffs. Default: the usual one. */
          handoff_type?: string;
          /** @description Travels along the whole run unchanged. */
          user?: {
            user_id?: string | null;
            subscription_tier?: string | null;
            locale?: string;
            preferences?: {
              [key: string]: unknown;
            };
          };
          original_query?: string;
          /** @enum {string} */
          priority?: "high" | "normal" | "low";
          /** @description Milliseconds until an unhandled message expires, at most 7 days and the team's own life; null: never, where the team declares no life. Default: the team's, else one day. */
          ttl_ms?: number | null;
          /** @description At most the team's, which is the default. */
          budget?: {
            /** @description USD */
            cost_limit?: number;
            token_limit?: number;
          };
          /**
           * @description reject: 422 with pointers. ward: accepted as it is; the agent finds it invalid, the surgeon repairs it.
           * @default reject
           * @enum {string}
           */
          on_invalid?: "reject" | "ward";
        };
      };
    };
    responses: {
      /** @description Accepted: nothing can lose it any more. */
      202: {
        content: {
          "application/json": {
            run_id: string;
            trace_id: string;
            message_id: string;
            status_url: string;
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, queue_full, store_full, ward_full, queue_damaged, quota_exceeded, idempotency_conflict, acceptance_unknown, acceptance_unconfirmed. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Store content by its hash
   * @description Scopes: submit, operator, admin.
   */
  storeBlob: {
    requestBody?: {
      content: {
        "application/octet-stream": unknown;
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": {
            /** @description SHA-256, hex */
            id: string;
            /** @description For file_references: sha256:<id> */
            uri: string;
            mime_type: string;
            bytes: number;
            sha256: string;
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, blob_too_large, blob_store_full. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Read stored content
   * @description Scopes: viewer, submit, operator, admin.
   */
  readBlob: {
    parameters: {
      query?: {
        /** @description Whose content, for operators. Default: the key's own tenant. */
        tenant?: string;
      };
      path: {
        /** @description SHA-256 in hex, with or without `sha256:` */
        id: string;
      };
    };
    responses: {
      /** @description Content */
      200: {
        content: {
          "application/octet-stream": unknown;
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * List agents, declared and live
   * @description Scopes: viewer, submit, operator, admin.
   */
  listAgents: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            agents: {
              agent: string;
              /** @description name@version as declared here; of the newest live process where none is. */
              id: string;
              team: string;
              description: string;
              accepts: string;
              hands_to: string[];
              capabilities: string[];
              /** @description Whether POST /v1/handoffs reaches it. */
              outside: boolean;
              declared: boolean;
              live: {
                instance: string;
                version: number;
                pid: number;
                concurrency: number;
                /**
                 * @description held: takes no work, because its clock differs from that of Redis.
                 * @enum {string}
                 */
                state: "working" | "held";
                /** @description Consumers of its process that were silent and started anew. */
                restarts: number;
                /** @description Set while the circuit of its model is open: messages that need the model wait. Reason configuration: a setting has to be corrected. */
                waits_for_model: {
                  model: string;
                  reason: string;
                  since: string;
                } | null;
                started_at: string;
                seen_at: string;
              }[];
            }[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * List teams with their graphs
   * @description Scopes: viewer, submit, operator, admin.
   */
  listTeams: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            teams: {
              team: string;
              description: string;
              entry: string;
              entry_contract: string;
              agents: string[];
              edges: {
                from: string;
                to: string;
                contract: string;
                handoff_types: string[];
                loop: boolean;
                fallbacks: string[];
                acknowledge_within_ms: number | null;
              }[];
              contracts: string[];
              /** @description The graph as Mermaid text. */
              mermaid: string;
            }[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Show a contract as JSON Schema
   * @description Scopes: viewer, submit, operator, admin.
   */
  showContract: {
    parameters: {
      path: {
        /** @description name@version */
        contract: string;
      };
    };
    responses: {
      /** @description Content */
      200: {
        content: {
          "application/schema+json": unknown;
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Agent Protocol: list tasks, newest first
   * @description Scopes: viewer, submit, operator, admin.
   */
  listAgentTasks: {
    parameters: {
      query?: {
        current_page?: number;
        page_size?: number;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            tasks: {
              input: string | null;
              additional_input: {
                [key: string]: unknown;
              };
              /** @description The run's id: GET /v1/runs/{run_id} shows more. */
              task_id: string;
              artifacts: {
                artifact_id: string;
                agent_created: boolean;
                file_name: string;
                relative_path: string | null;
              }[];
            }[];
            pagination: {
              total_items: number;
              total_pages: number;
              current_page: number;
              page_size: number;
            };
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Agent Protocol: create a task
   * @description Scopes: submit, operator, admin.
   */
  createAgentTask: {
    requestBody?: {
      content: {
        "application/json": {
          /** @description What the task is, in words. The team says how it reads a text. */
          input?: string | null;
          /** @description `team` chooses the team; every other field is one of the input that its contract asks for. */
          additional_input?: {
            [key: string]: unknown;
          } | null;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            input: string | null;
            additional_input: {
              [key: string]: unknown;
            };
            /** @description The run's id: GET /v1/runs/{run_id} shows more. */
            task_id: string;
            artifacts: {
              artifact_id: string;
              agent_created: boolean;
              file_name: string;
              relative_path: string | null;
            }[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, queue_full, store_full, ward_full, queue_damaged, quota_exceeded, idempotency_conflict, acceptance_unknown, acceptance_unconfirmed. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Agent Protocol: show a task
   * @description Scopes: viewer, submit, operator, admin.
   */
  getAgentTask: {
    parameters: {
      path: {
        task_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            input: string | null;
            additional_input: {
              [key: string]: unknown;
            };
            /** @description The run's id: GET /v1/runs/{run_id} shows more. */
            task_id: string;
            artifacts: {
              artifact_id: string;
              agent_created: boolean;
              file_name: string;
              relative_path: string | null;
            }[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Agent Protocol: list the steps of a task, done ones first
   * @description Scopes: viewer, submit, operator, admin.
   */
  listAgentTaskSteps: {
    parameters: {
      query?: {
        current_page?: number;
        page_size?: number;
      };
      path: {
        task_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            steps: {
              input: string | null;
              additional_input: {
                [key: string]: unknown;
              };
              task_id: string;
              /** @description The id of the message that an agent works on. */
              step_id: string;
              /** @description The agent. */
              name: string | null;
              /** @enum {string} */
              status: "created" | "running" | "completed";
              output: string | null;
              /** @description The run's status, what the agent did, what it cost, whom the step waits for, and the error of a run that failed. */
              additional_output: {
                [key: string]: unknown;
              };
              artifacts: {
                artifact_id: string;
                agent_created: boolean;
                file_name: string;
                relative_path: string | null;
              }[];
              is_last: boolean;
            }[];
            pagination: {
              total_items: number;
              total_pages: number;
              current_page: number;
              page_size: number;
            };
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Agent Protocol: wait for the next step
   * @description Scopes: submit, operator, admin.
   */
  executeAgentTaskStep: {
    parameters: {
      path: {
        task_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          input?: string | null;
          additional_input?: {
            [key: string]: unknown;
          } | null;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            input: string | null;
            additional_input: {
              [key: string]: unknown;
            };
            task_id: string;
            /** @description The id of the message that an agent works on. */
            step_id: string;
            /** @description The agent. */
            name: string | null;
            /** @enum {string} */
            status: "created" | "running" | "completed";
            output: string | null;
            /** @description The run's status, what the agent did, what it cost, whom the step waits for, and the error of a run that failed. */
            additional_output: {
              [key: string]: unknown;
            };
            artifacts: {
              artifact_id: string;
              agent_created: boolean;
              file_name: string;
              relative_path: string | null;
            }[];
            is_last: boolean;
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found, too_many_waiters. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Agent Protocol: show a step
   * @description Scopes: viewer, submit, operator, admin.
   */
  getAgentTaskStep: {
    parameters: {
      path: {
        task_id: string;
        step_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            input: string | null;
            additional_input: {
              [key: string]: unknown;
            };
            task_id: string;
            /** @description The id of the message that an agent works on. */
            step_id: string;
            /** @description The agent. */
            name: string | null;
            /** @enum {string} */
            status: "created" | "running" | "completed";
            output: string | null;
            /** @description The run's status, what the agent did, what it cost, whom the step waits for, and the error of a run that failed. */
            additional_output: {
              [key: string]: unknown;
            };
            artifacts: {
              artifact_id: string;
              agent_created: boolean;
              file_name: string;
              relative_path: string | null;
            }[];
            is_last: boolean;
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Agent Protocol: list the artifacts of a task
   * @description Scopes: viewer, submit, operator, admin.
   */
  listAgentTaskArtifacts: {
    parameters: {
      query?: {
        current_page?: number;
        page_size?: number;
      };
      path: {
        task_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            artifacts: {
              artifact_id: string;
              agent_created: boolean;
              file_name: string;
              relative_path: string | null;
            }[];
            pagination: {
              total_items: number;
              total_pages: number;
              current_page: number;
              page_size: number;
            };
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Agent Protocol: upload an artifact for a task
   * @description Scopes: submit, operator, admin.
   */
  uploadAgentTaskArtifacts: {
    parameters: {
      path: {
        task_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/octet-stream": unknown;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            artifact_id: string;
            agent_created: boolean;
            file_name: string;
            relative_path: string | null;
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found, too_many_uploads, artifacts_full, not_an_upload. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Agent Protocol: download an artifact
   * @description Scopes: viewer, submit, operator, admin.
   */
  downloadAgentTaskArtifact: {
    parameters: {
      path: {
        task_id: string;
        artifact_id: string;
      };
    };
    responses: {
      /** @description Content */
      200: {
        content: {
          "application/octet-stream": unknown;
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Agent Protocol, draft: download an artifact by its id alone
   * @description Scopes: viewer, submit, operator, admin.
   */
  downloadAgentArtifact: {
    parameters: {
      path: {
        artifact_id: string;
      };
    };
    responses: {
      /** @description Content */
      200: {
        content: {
          "application/octet-stream": unknown;
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /** Whether it takes tasks, and what work needs */
  showReadiness: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            /** @enum {string} */
            status:
              | "ready"
              | "degraded"
              | "stopping"
              | "store_unreachable"
              | "replicas_missing"
              | "store_full"
              | "queues_full"
              | "ward_full"
              | "queue_damaged"
              | "agents_missing";
            parts: {
              part: string;
              /** @enum {string} */
              state: "ok" | "failed";
              detail: string;
            }[];
          };
        };
      };
      /** @description The answer */
      503: {
        content: {
          "application/json": {
            /** @enum {string} */
            status:
              | "ready"
              | "degraded"
              | "stopping"
              | "store_unreachable"
              | "replicas_missing"
              | "store_full"
              | "queues_full"
              | "ward_full"
              | "queue_damaged"
              | "agents_missing";
            parts: {
              part: string;
              /** @enum {string} */
              state: "ok" | "failed";
              detail: string;
            }[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Metrics for Prometheus
   * @description Scopes: viewer, submit, operator, admin.
   */
  showMetrics: {
    responses: {
      /** @description Content */
      200: {
        content: {
          "text/plain": unknown;
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Show the conservation equation and where everything waits
   * @description Scopes: viewer, submit, operator, admin.
   */
  showStats: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            /** @description Runs: submitted = completed + failed + cancelled + expired + waiting, at every instant. */
            equation: {
              submitted: number;
              completed: number;
              failed: number;
              cancelled: number;
              expired: number;
              waiting: number;
              /** @description Messages that runs wait for and nothing holds, as the audit counts. */
              lost: number;
              /** @description Both sides agree, and nothing is lost. */
              balanced: boolean;
            };
            /** @description What was counted independently of the counters: the end of the last complete pass, messages that nothing holds, statuses whose counter and list differ, and messages put back into their queues or ended as expired so far. */
            audit: {
              done_at: string | null;
              lost: {
                run_id: string;
                message_id: string;
                agent: string;
                since: string;
              }[];
              differs: {
                status: string;
                counted: number;
                listed: number;
              }[];
              relisted: number;
              expired: number;
            };
            /** @description queue, retry: messages in the agents' queues now. ward, quarantine: runs that only wait there. */
            waiting: {
              queue: number;
              retry: number;
              ward: number;
              quarantine: number;
            };
            /** @description Runs by status. */
            runs: {
              [key: string]: number;
            };
            queues: {
              agent: string;
              /** @enum {string} */
              lane: "fresh" | "retry";
              waiting: number;
              active: number;
              delayed: number;
              failed: number;
              /** @description Which keys of the queue are damaged; null for a sound one. */
              damage: string | null;
            }[];
            /** @description Committed and not yet delivered entries, by slot. */
            outbox: {
              [key: string]: number;
            };
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /** Whether the process lives */
  showLiveness: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            /** @constant */
            status: "ok";
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Say who is asking, and what they may do
   * @description Scopes: viewer, operator, admin.
   */
  showSession: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            name: string;
            /** @enum {string} */
            role: "viewer" | "operator" | "admin";
            /** @description The bundled stand-in answers for the models. */
            is_rehearsal: boolean;
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /** Open a session for a login link's token, or for an API key */
  logIn: {
    requestBody: {
      content: {
        "application/json":
          | {
              token: string;
            }
          | {
              api_key: string;
            };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            name: string;
            /** @enum {string} */
            role: "viewer" | "operator" | "admin";
            /** @description The bundled stand-in answers for the models. */
            is_rehearsal: boolean;
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, login_refused. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * End the session it comes with
   * @description Scopes: viewer, operator, admin.
   */
  logOut: {
    responses: {
      /** @description Nothing */
      204: {
        content: never;
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Show the conservation equation, queues, agents, and what surgery costs
   * @description Scopes: viewer, operator, admin.
   */
  showOverview: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            at: string;
            is_rehearsal: boolean;
            /** @description Runs: submitted = completed + failed + cancelled + expired + waiting, at every instant. */
            equation: {
              submitted: number;
              completed: number;
              failed: number;
              cancelled: number;
              expired: number;
              waiting: number;
              /** @description Messages that runs wait for and nothing holds, as the audit counts. */
              lost: number;
              /** @description Both sides agree, and nothing is lost. */
              balanced: boolean;
            };
            /** @description Runs by status. */
            runs: {
              [key: string]: number;
            };
            ward: {
              [key: string]: number;
            };
            queues: {
              agent: string;
              /** @enum {string} */
              lane: "fresh" | "retry" | "ward";
              waiting: number;
              active: number;
              delayed: number;
              failed: number;
              is_paused: boolean;
              /** @description Which keys of the queue are damaged; null for a sound one. */
              damage: string | null;
            }[];
            agents: {
              agent: string;
              /** @description name@version as declared here; of the newest live process where none is. */
              id: string;
              team: string;
              description: string;
              accepts: string;
              hands_to: string[];
              capabilities: string[];
              /** @description Whether POST /v1/handoffs reaches it. */
              outside: boolean;
              declared: boolean;
              live: {
                instance: string;
                version: number;
                pid: number;
                concurrency: number;
                /**
                 * @description held: takes no work, because its clock differs from that of Redis.
                 * @enum {string}
                 */
                state: "working" | "held";
                /** @description Consumers of its process that were silent and started anew. */
                restarts: number;
                /** @description Set while the circuit of its model is open: messages that need the model wait. Reason configuration: a setting has to be corrected. */
                waits_for_model: {
                  model: string;
                  reason: string;
                  since: string;
                } | null;
                started_at: string;
                seen_at: string;
              }[];
            }[];
            /** @description USD, spent or set aside. */
            surgery_cost_this_hour: number;
            surgery_limits: {
              cost_per_case: number;
              cost_per_hour: number;
              cost_per_group: number;
            };
            /** @description What the hour's limit holds back; null where it does not. */
            surgery_held: {
              since_ms: number;
              until_ms: number;
              refusals: number;
            } | null;
            /** @description Those that are not closed. */
            circuits: {
              agent: string;
              /** @enum {string} */
              state: "closed" | "open" | "half_open";
              generation: number;
              changed_ms: number;
              until_ms: number | null;
              held_by: string | null;
              outputs: number;
              malformed: number;
              reaction: string;
            }[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Follow the overview, new lines of the audit, and messages that come to the ward
   * @description Scopes: viewer, operator, admin.
   */
  streamEvents: {
    responses: {
      /** @description Content */
      200: {
        content: {
          "text/event-stream": unknown;
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, too_many_streams. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Say what surgery costs, and what it may still cost, in USD
   * @description Scopes: viewer, operator, admin.
   */
  showCosts: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            /** @description Of the last 24 hours, oldest first, the current one last. */
            hours: number[];
            this_hour: number;
            left_this_hour: number;
            limits: {
              cost_per_case: number;
              cost_per_hour: number;
              cost_per_group: number;
            };
            /** @description What the hour's limit holds back; null where it does not. */
            held: {
              since_ms: number;
              until_ms: number;
              refusals: number;
            } | null;
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * List queues with what waits in them
   * @description Scopes: viewer, operator, admin.
   */
  listQueues: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            queues: {
              agent: string;
              /** @enum {string} */
              lane: "fresh" | "retry" | "ward";
              waiting: number;
              active: number;
              delayed: number;
              failed: number;
              is_paused: boolean;
              /** @description Which keys of the queue are damaged; null for a sound one. */
              damage: string | null;
            }[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Stop giving out messages to an agent; what is in hand ends
   * @description Scopes: operator, admin.
   */
  pauseQueue: {
    parameters: {
      path: {
        agent: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @default */
          why?: string;
          version?: number;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            queues: {
              agent: string;
              /** @enum {string} */
              lane: "fresh" | "retry" | "ward";
              waiting: number;
              active: number;
              delayed: number;
              failed: number;
              is_paused: boolean;
              /** @description Which keys of the queue are damaged; null for a sound one. */
              damage: string | null;
            }[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Give out messages to an agent again
   * @description Scopes: operator, admin.
   */
  resumeQueue: {
    parameters: {
      path: {
        agent: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @default */
          why?: string;
          version?: number;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            queues: {
              agent: string;
              /** @enum {string} */
              lane: "fresh" | "retry" | "ward";
              waiting: number;
              active: number;
              delayed: number;
              failed: number;
              is_paused: boolean;
              /** @description Which keys of the queue are damaged; null for a sound one. */
              damage: string | null;
            }[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * List producers by how much of what they make is malformed, the worst first
   * @description Scopes: viewer, operator, admin.
   */
  listRates: {
    parameters: {
      query?: {
        span?: "hour" | "two_days";
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            /** @enum {string} */
            span: "hour" | "two_days";
            producers: {
              agent: string;
              contract: string;
              model: string | null;
              prompt_version: string | null;
              outputs: number;
              malformed: number;
              rate: number;
              trend: {
                outputs: number[];
                malformed: number[];
              };
            }[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * List the circuits of all agents
   * @description Scopes: viewer, operator, admin.
   */
  listCircuits: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            circuits: {
              agent: string;
              /** @enum {string} */
              state: "closed" | "open" | "half_open";
              generation: number;
              changed_ms: number;
              until_ms: number | null;
              held_by: string | null;
              outputs: number;
              malformed: number;
              reaction: string;
              /** @description What its team declares; null where no team that is loaded here has the agent. */
              declared: {
                threshold: number;
                outputs_min: number;
                window_ms: number;
                cooldown_ms: number;
                trial_share: number;
                trial_outputs: number;
              } | null;
              /** @description What it is judged by now. */
              counted: {
                outputs: number;
                malformed: number;
              };
            }[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Have an agent replaced or paused, as its team declares, until it is closed
   * @description Scopes: operator, admin.
   */
  openCircuit: {
    parameters: {
      path: {
        agent: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @default */
          why?: string;
          version?: number;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            agent: string;
            /** @enum {string} */
            state: "closed" | "open" | "half_open";
            generation: number;
            changed_ms: number;
            until_ms: number | null;
            held_by: string | null;
            outputs: number;
            malformed: number;
            reaction: string;
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found, changed_meanwhile. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Have an agent work as usual again
   * @description Scopes: operator, admin.
   */
  closeCircuit: {
    parameters: {
      path: {
        agent: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @default */
          why?: string;
          version?: number;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            agent: string;
            /** @enum {string} */
            state: "closed" | "open" | "half_open";
            generation: number;
            changed_ms: number;
            until_ms: number | null;
            held_by: string | null;
            outputs: number;
            malformed: number;
            reaction: string;
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found, changed_meanwhile. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * List groups of cases with one fingerprint
   * @description Scopes: viewer, operator, admin.
   */
  listGroups: {
    parameters: {
      query?: {
        attention?: "regressed" | "failing_again" | "waiting" | "looked_after" | "in_treatment" | "quiet";
        lifecycle?: "open" | "acknowledged" | "resolved" | "regressed";
        text?: string;
        sort?: "need" | "last_seen" | "first_seen" | "open" | "count" | "replays" | "cost";
        limit?: number;
        offset?: number;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            groups: {
              fingerprint: string;
              count: number;
              open: number;
              first_seen_ms: number;
              last_seen_ms: number;
              producer: string;
              /** @enum {string} */
              lifecycle: "open" | "acknowledged" | "resolved" | "regressed";
              version: number;
              marked_ms: number | null;
              resolution: {
                by: string;
                at_ms: number;
                since: {
                  name: string;
                  version: number;
                } | null;
              } | null;
              regression: {
                producer: string;
                at_ms: number;
              } | null;
              sent_on: number;
              replays: number;
              cost: number;
              /** @description Messages per hour, oldest first, the current hour last. */
              trend: number[];
              /** @description What its cases wait for before the next model call. */
              rest: {
                until_ms: number | null;
                why: string;
                waiting: number;
              };
              /** @description Cases of it that wait for a person. */
              quarantined: number;
              /** @enum {string} */
              attention:
                | "regressed"
                | "failing_again"
                | "waiting"
                | "looked_after"
                | "in_treatment"
                | "quiet";
              /** @description The recipe that serves it, or would if it were believed more. */
              recipe: {
                recipe_id: string;
                /** @enum {string} */
                state: "proposed" | "trial" | "trusted" | "retired";
              } | null;
            }[];
            total: number;
            /** @description There are more groups than were looked at. */
            is_cut: boolean;
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Show a group with its recipes and its audit
   * @description Scopes: viewer, operator, admin.
   */
  showGroup: {
    parameters: {
      path: {
        fingerprint: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            fingerprint: string;
            count: number;
            open: number;
            first_seen_ms: number;
            last_seen_ms: number;
            producer: string;
            /** @enum {string} */
            lifecycle: "open" | "acknowledged" | "resolved" | "regressed";
            version: number;
            marked_ms: number | null;
            resolution: {
              by: string;
              at_ms: number;
              since: {
                name: string;
                version: number;
              } | null;
            } | null;
            regression: {
              producer: string;
              at_ms: number;
            } | null;
            sent_on: number;
            replays: number;
            cost: number;
            /** @description Messages per hour, oldest first, the current hour last. */
            trend: number[];
            /** @description What its cases wait for before the next model call. */
            rest: {
              until_ms: number | null;
              why: string;
              waiting: number;
            };
            /** @description Cases of it that wait for a person. */
            quarantined: number;
            /** @enum {string} */
            attention: "regressed" | "failing_again" | "waiting" | "looked_after" | "in_treatment" | "quiet";
            /** @description The recipe that serves it, or would if it were believed more. */
            recipe: {
              recipe_id: string;
              /** @enum {string} */
              state: "proposed" | "trial" | "trusted" | "retired";
            } | null;
            recipes: {
              recipe_id: string;
              fingerprint: string;
              /** @enum {string} */
              state: "proposed" | "trial" | "trusted" | "retired";
              recipe: unknown;
              by: string;
              at: string;
              learned_from: string | null;
              proofs: string[];
              taught_by: string[];
              failures: number;
              failed_on: string[];
              failures_of: {
                [key: string]: number;
              };
              withheld_from: string[];
              changed_by: string;
              changed_at: string;
              why: string;
              version: number;
              seal?: {
                alg: string;
                key_id: string;
                value: string;
              };
              /** @description Messages that it healed. */
              healed: number;
            }[];
            audit: {
              seq?: number;
              case_id: string;
              at: string;
              by: string;
              action: string;
              why: string;
              detail: {
                [key: string]: unknown;
              };
            }[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Say that somebody looks after a group
   * @description Scopes: operator, admin.
   */
  acknowledgeGroup: {
    parameters: {
      path: {
        fingerprint: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @default */
          why?: string;
          version?: number;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            fingerprint: string;
            count: number;
            open: number;
            first_seen_ms: number;
            last_seen_ms: number;
            producer: string;
            /** @enum {string} */
            lifecycle: "open" | "acknowledged" | "resolved" | "regressed";
            version: number;
            marked_ms: number | null;
            resolution: {
              by: string;
              at_ms: number;
              since: {
                name: string;
                version: number;
              } | null;
            } | null;
            regression: {
              producer: string;
              at_ms: number;
            } | null;
            sent_on: number;
            replays: number;
            cost: number;
            /** @description Messages per hour, oldest first, the current hour last. */
            trend: number[];
            /** @description What its cases wait for before the next model call. */
            rest: {
              until_ms: number | null;
              why: string;
              waiting: number;
            };
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found, changed_meanwhile. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Say that the cause of a group is gone, with `since` from that version on
   * @description Scopes: operator, admin.
   */
  resolveGroup: {
    parameters: {
      path: {
        fingerprint: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          why: string;
          since?: string;
          version?: number;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            fingerprint: string;
            count: number;
            open: number;
            first_seen_ms: number;
            last_seen_ms: number;
            producer: string;
            /** @enum {string} */
            lifecycle: "open" | "acknowledged" | "resolved" | "regressed";
            version: number;
            marked_ms: number | null;
            resolution: {
              by: string;
              at_ms: number;
              since: {
                name: string;
                version: number;
              } | null;
            } | null;
            regression: {
              producer: string;
              at_ms: number;
            } | null;
            sent_on: number;
            replays: number;
            cost: number;
            /** @description Messages per hour, oldest first, the current hour last. */
            trend: number[];
            /** @description What its cases wait for before the next model call. */
            rest: {
              until_ms: number | null;
              why: string;
              waiting: number;
            };
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found, changed_meanwhile. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Take back what was said about a group
   * @description Scopes: operator, admin.
   */
  reopenGroup: {
    parameters: {
      path: {
        fingerprint: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @default */
          why?: string;
          version?: number;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            fingerprint: string;
            count: number;
            open: number;
            first_seen_ms: number;
            last_seen_ms: number;
            producer: string;
            /** @enum {string} */
            lifecycle: "open" | "acknowledged" | "resolved" | "regressed";
            version: number;
            marked_ms: number | null;
            resolution: {
              by: string;
              at_ms: number;
              since: {
                name: string;
                version: number;
              } | null;
            } | null;
            regression: {
              producer: string;
              at_ms: number;
            } | null;
            sent_on: number;
            replays: number;
            cost: number;
            /** @description Messages per hour, oldest first, the current hour last. */
            trend: number[];
            /** @description What its cases wait for before the next model call. */
            rest: {
              until_ms: number | null;
              why: string;
              waiting: number;
            };
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found, changed_meanwhile. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Plan one decision for all cases of a group; it begins with a dry run
   * @description Scopes: operator, admin.
   */
  applyToGroup: {
    parameters: {
      path: {
        fingerprint: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @enum {string} */
          decision: "operate" | "release" | "discard";
          why: string;
          canary?: number;
          rate_per_second?: number;
        };
      };
    };
    responses: {
      /** @description The answer */
      202: {
        content: {
          "application/json": {
            batch_id: string;
            fingerprint: string;
            /** @enum {string} */
            decision: "operate" | "release" | "discard" | "restore";
            by: string;
            why: string;
            /** @enum {string} */
            state: "dry_run" | "planned" | "canary" | "look" | "running" | "done" | "stopped";
            canary: number;
            rate_per_second: number;
            undoes: string | null;
            created_ms: number;
            changed_ms: number;
            total: number;
            checked: number;
            would_pass: number;
            decided: number;
            refused: number;
            went_on: number;
            died_again: number;
            under_way: number;
            left_behind: number;
            problem: string | null;
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found, ward_batch_state. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * List work on whole groups, the newest first
   * @description Scopes: viewer, operator, admin.
   */
  listApplies: {
    parameters: {
      query?: {
        fingerprint?: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            applies: {
              batch_id: string;
              fingerprint: string;
              /** @enum {string} */
              decision: "operate" | "release" | "discard" | "restore";
              by: string;
              why: string;
              /** @enum {string} */
              state: "dry_run" | "planned" | "canary" | "look" | "running" | "done" | "stopped";
              canary: number;
              rate_per_second: number;
              undoes: string | null;
              created_ms: number;
              changed_ms: number;
              total: number;
              checked: number;
              would_pass: number;
              decided: number;
              refused: number;
              went_on: number;
              died_again: number;
              under_way: number;
              left_behind: number;
              problem: string | null;
            }[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Show work on a whole group
   * @description Scopes: viewer, operator, admin.
   */
  showApply: {
    parameters: {
      path: {
        batch_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            batch_id: string;
            fingerprint: string;
            /** @enum {string} */
            decision: "operate" | "release" | "discard" | "restore";
            by: string;
            why: string;
            /** @enum {string} */
            state: "dry_run" | "planned" | "canary" | "look" | "running" | "done" | "stopped";
            canary: number;
            rate_per_second: number;
            undoes: string | null;
            created_ms: number;
            changed_ms: number;
            total: number;
            checked: number;
            would_pass: number;
            decided: number;
            refused: number;
            went_on: number;
            died_again: number;
            under_way: number;
            left_behind: number;
            problem: string | null;
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * List what became of each case, in the order of their decisions
   * @description Scopes: viewer, operator, admin.
   */
  listApplyCases: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
      };
      path: {
        batch_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            cases: {
              case_id: string;
              status:
                | ("admitted" | "in_surgery" | "quarantined" | "discharged" | "released" | "discarded")
                | null;
              agent: string;
              /** @enum {string} */
              result: "not_yet" | "refused" | "under_way" | "went_on" | "died_again" | "ended";
            }[];
            total: number;
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Start what was planned, or go on after the canary
   * @description Scopes: operator, admin.
   */
  startApply: {
    parameters: {
      path: {
        batch_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @default */
          why?: string;
          version?: number;
        };
      };
    };
    responses: {
      /** @description The answer */
      202: {
        content: {
          "application/json": {
            batch_id: string;
            fingerprint: string;
            /** @enum {string} */
            decision: "operate" | "release" | "discard" | "restore";
            by: string;
            why: string;
            /** @enum {string} */
            state: "dry_run" | "planned" | "canary" | "look" | "running" | "done" | "stopped";
            canary: number;
            rate_per_second: number;
            undoes: string | null;
            created_ms: number;
            changed_ms: number;
            total: number;
            checked: number;
            would_pass: number;
            decided: number;
            refused: number;
            went_on: number;
            died_again: number;
            under_way: number;
            left_behind: number;
            problem: string | null;
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found, ward_batch_state. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Stop work on a group: what was decided stands, nothing more is
   * @description Scopes: operator, admin.
   */
  stopApply: {
    parameters: {
      path: {
        batch_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @default */
          why?: string;
          version?: number;
        };
      };
    };
    responses: {
      /** @description The answer */
      202: {
        content: {
          "application/json": {
            batch_id: string;
            fingerprint: string;
            /** @enum {string} */
            decision: "operate" | "release" | "discard" | "restore";
            by: string;
            why: string;
            /** @enum {string} */
            state: "dry_run" | "planned" | "canary" | "look" | "running" | "done" | "stopped";
            canary: number;
            rate_per_second: number;
            undoes: string | null;
            created_ms: number;
            changed_ms: number;
            total: number;
            checked: number;
            would_pass: number;
            decided: number;
            refused: number;
            went_on: number;
            died_again: number;
            under_way: number;
            left_behind: number;
            problem: string | null;
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found, ward_batch_state. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Undo a discard of a whole group
   * @description Scopes: operator, admin.
   */
  undoApply: {
    parameters: {
      path: {
        batch_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          why: string;
          version?: number;
        };
      };
    };
    responses: {
      /** @description The answer */
      202: {
        content: {
          "application/json": {
            batch_id: string;
            fingerprint: string;
            /** @enum {string} */
            decision: "operate" | "release" | "discard" | "restore";
            by: string;
            why: string;
            /** @enum {string} */
            state: "dry_run" | "planned" | "canary" | "look" | "running" | "done" | "stopped";
            canary: number;
            rate_per_second: number;
            undoes: string | null;
            created_ms: number;
            changed_ms: number;
            total: number;
            checked: number;
            would_pass: number;
            decided: number;
            refused: number;
            went_on: number;
            died_again: number;
            under_way: number;
            left_behind: number;
            problem: string | null;
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found, ward_batch_state. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * List cases that meet every filter, newest first
   * @description Scopes: viewer, operator, admin.
   */
  listCases: {
    parameters: {
      query?: {
        status?: "admitted" | "in_surgery" | "quarantined" | "discharged" | "released" | "discarded";
        fingerprint?: string;
        agent?: string;
        run_id?: string;
        failure_class?:
          | "parse_error"
          | "validation_error"
          | "content_error"
          | "timeout"
          | "transient"
          | "unavailable"
          | "rate_limited"
          | "rejected"
          | "unsupported_version"
          | "handler_error"
          | "crash_loop"
          | "expired"
          | "hop_limit"
          | "loop_detected"
          | "budget_exceeded"
          | "cancelled"
          | "untrusted"
          | "unsafe";
        text?: string;
        cursor?: string;
        limit?: number;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            cases: {
              case_id: string;
              version: number;
              /** @enum {string} */
              status: "admitted" | "in_surgery" | "quarantined" | "discharged" | "released" | "discarded";
              fingerprint: string;
              /** @enum {string} */
              failure_class:
                | "parse_error"
                | "validation_error"
                | "content_error"
                | "timeout"
                | "transient"
                | "unavailable"
                | "rate_limited"
                | "rejected"
                | "unsupported_version"
                | "handler_error"
                | "crash_loop"
                | "expired"
                | "hop_limit"
                | "loop_detected"
                | "budget_exceeded"
                | "cancelled"
                | "untrusted"
                | "unsafe";
              admitted_ms: number;
              updated_ms: number;
              message_id: string;
              run_id: string;
              team: string;
              agent: string;
              addressed_to: string;
              contract: string;
              /** @enum {string} */
              disposition: "operate" | "quarantine" | "reroute";
              /** @enum {string} */
              subject: "payload" | "answer";
              producer: string;
              messages: number;
              operations: number;
              reroutes: number;
              taboo: string[];
              decision: {
                /** @enum {string} */
                kind: "operate" | "release" | "redirect" | "approve" | "discard" | "restore";
                by: string;
                person?: string | null;
                why: string;
                at: string;
                case_id?: string;
                version?: number;
                message_id?: string;
                payload?: string;
                to?: string;
                proposal?: string;
                batch_id?: string;
                seal?: {
                  alg: string;
                  key_id: string;
                  value: string;
                };
              } | null;
              proposal: {
                by: string;
                why: string;
                at: string;
                payload: string;
                paths: string[];
                decision?: {
                  /** @enum {string} */
                  kind: "operate" | "release" | "redirect" | "approve" | "discard" | "restore";
                  by: string;
                  person?: string | null;
                  why: string;
                  at: string;
                  case_id?: string;
                  version?: number;
                  message_id?: string;
                  payload?: string;
                  to?: string;
                  proposal?: string;
                  batch_id?: string;
                  seal?: {
                    alg: string;
                    key_id: string;
                    value: string;
                  };
                };
              } | null;
              diagnosis: string | null;
              waits: {
                why: string;
                until_ms: number;
              } | null;
              discharged_as: string | null;
              job_id: string | null;
              restarts: number;
              cost: number;
              closed_ms: number | null;
              unreadable: string[];
            }[];
            cursor: string | null;
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Show a case with its message and operations
   * @description Scopes: viewer, operator, admin.
   */
  showCase: {
    parameters: {
      path: {
        case_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            case: {
              case_id: string;
              version: number;
              /** @enum {string} */
              status: "admitted" | "in_surgery" | "quarantined" | "discharged" | "released" | "discarded";
              fingerprint: string;
              /** @enum {string} */
              failure_class:
                | "parse_error"
                | "validation_error"
                | "content_error"
                | "timeout"
                | "transient"
                | "unavailable"
                | "rate_limited"
                | "rejected"
                | "unsupported_version"
                | "handler_error"
                | "crash_loop"
                | "expired"
                | "hop_limit"
                | "loop_detected"
                | "budget_exceeded"
                | "cancelled"
                | "untrusted"
                | "unsafe";
              admitted_ms: number;
              updated_ms: number;
              message_id: string;
              run_id: string;
              team: string;
              agent: string;
              addressed_to: string;
              contract: string;
              /** @enum {string} */
              disposition: "operate" | "quarantine" | "reroute";
              /** @enum {string} */
              subject: "payload" | "answer";
              producer: string;
              messages: number;
              operations: number;
              reroutes: number;
              taboo: string[];
              decision: {
                /** @enum {string} */
                kind: "operate" | "release" | "redirect" | "approve" | "discard" | "restore";
                by: string;
                person?: string | null;
                why: string;
                at: string;
                case_id?: string;
                version?: number;
                message_id?: string;
                payload?: string;
                to?: string;
                proposal?: string;
                batch_id?: string;
                seal?: {
                  alg: string;
                  key_id: string;
                  value: string;
                };
              } | null;
              proposal: {
                by: string;
                why: string;
                at: string;
                payload: string;
                paths: string[];
                decision?: {
                  /** @enum {string} */
                  kind: "operate" | "release" | "redirect" | "approve" | "discard" | "restore";
                  by: string;
                  person?: string | null;
                  why: string;
                  at: string;
                  case_id?: string;
                  version?: number;
                  message_id?: string;
                  payload?: string;
                  to?: string;
                  proposal?: string;
                  batch_id?: string;
                  seal?: {
                    alg: string;
                    key_id: string;
                    value: string;
                  };
                };
              } | null;
              diagnosis: string | null;
              waits: {
                why: string;
                until_ms: number;
              } | null;
              discharged_as: string | null;
              job_id: string | null;
              restarts: number;
              cost: number;
              closed_ms: number | null;
              unreadable: string[];
            };
            /** @description Null where not even the admission can be read. */
            message: {
              failures: {
                /** @enum {string} */
                failure_class:
                  | "parse_error"
                  | "validation_error"
                  | "content_error"
                  | "timeout"
                  | "transient"
                  | "unavailable"
                  | "rate_limited"
                  | "rejected"
                  | "unsupported_version"
                  | "handler_error"
                  | "crash_loop"
                  | "expired"
                  | "hop_limit"
                  | "loop_detected"
                  | "budget_exceeded"
                  | "cancelled"
                  | "untrusted"
                  | "unsafe";
                code: string;
                message: string;
                remedy: string;
                /** @enum {string} */
                severity: "warning" | "recoverable" | "fatal";
                /** @enum {string} */
                direction: "in" | "out" | "run";
                agent: string;
                contract: string | null;
                issues: {
                  /** @description JSON pointer; empty: the whole. */
                  path: string;
                  code: string;
                  message: string;
                }[];
                step: string | null;
                model: string | null;
                prompt_version: string | null;
                at: string;
              }[];
              producer: {
                agent: string;
                contract: string;
                model: string | null;
                prompt_version: string | null;
              };
              subject:
                | {
                    /** @constant */
                    kind: "payload";
                  }
                | {
                    /** @constant */
                    kind: "answer";
                    step: string;
                    text: string;
                  };
              stored: string;
              time_left_ms: number;
              admitted_by: string;
              at: string;
              contract: string;
            } | null;
            /** @description Null for a message that never verified: nobody has read it. */
            original: {
              text: string;
              is_json: boolean;
            } | null;
            contract: {
              id: string;
              schema: unknown;
            } | null;
            original_query: string | null;
            /** @description The tool call that waits for a person's word. */
            approval: {
              call_id: string;
              tool: string;
              arguments: unknown;
            } | null;
            repair: {
              value: unknown;
              /** @enum {string} */
              procedure: "triage" | "recipe" | "first_aid" | "strong_model" | "person";
              /** @enum {string} */
              outcome: "healed" | "refused" | "objected";
              reason: string;
              said?: string;
              diff: {
                op: string;
                path: string;
                from?: string;
                value?: unknown;
              }[];
              provenance: {
                path: string;
                kind: string;
                detail: string;
              }[];
              objections: {
                /** @description JSON pointer; empty: the whole. */
                path: string;
                code: string;
                message: string;
                value?: unknown;
              }[];
            } | null;
            marks: {
              /** @description JSON pointer; empty: the whole. */
              path: string;
              code: string;
              message: string;
              /** @enum {string} */
              from: "failure" | "objection";
            }[];
            history: {
              number: number;
              message_id: string;
              attempts: {
                /** @enum {string} */
                procedure: "triage" | "recipe" | "first_aid" | "strong_model" | "person";
                /** @enum {string} */
                outcome: "healed" | "refused" | "objected";
                reason: string;
                said?: string;
                diff: {
                  op: string;
                  path: string;
                  from?: string;
                  value?: unknown;
                }[];
                provenance: {
                  path: string;
                  kind: string;
                  detail: string;
                }[];
                objections: {
                  /** @description JSON pointer; empty: the whole. */
                  path: string;
                  code: string;
                  message: string;
                  value?: unknown;
                }[];
                model: string | null;
                tokens: number;
                cost: number;
                duration_ms: number;
                recipe_id?: string;
                examples?: string[];
                on_trial?: boolean;
              }[];
              by: string;
              at: string;
              trimmed: boolean;
            }[];
            audit: {
              seq?: number;
              case_id: string;
              at: string;
              by: string;
              action: string;
              why: string;
              detail: {
                [key: string]: unknown;
              };
            }[];
            run: {
              run_id: string;
              team: string;
              /** @enum {string} */
              status:
                | "queued"
                | "running"
                | "in_ward"
                | "quarantined"
                | "completed"
                | "failed"
                | "cancelled"
                | "expired";
              cost: number;
              tokens: number;
              messages: {
                open: number;
                in_ward: number;
                quarantined: number;
              };
              created_ms: number;
              ended_ms: number | null;
            } | null;
            timeline: {
              id: string;
              run_id: string;
              type: string;
              at: string;
              message_id: string | null;
              agent: string | null;
              detail: {
                [key: string]: unknown;
              };
            }[];
            /** @description What may be decided now, if the key's scope allows. */
            actions: ("operate" | "release" | "redirect" | "approve" | "discard" | "restore")[];
            /** @description Agents that a redirect may lead to. */
            redirects: string[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Show a case with the values that its contract marks as sensitive
   * @description Scopes: admin.
   */
  revealCase: {
    parameters: {
      path: {
        case_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          why: string;
          /** @description JSON pointer into the message's payload. Default: everything. */
          path?: string;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            case: {
              case_id: string;
              version: number;
              /** @enum {string} */
              status: "admitted" | "in_surgery" | "quarantined" | "discharged" | "released" | "discarded";
              fingerprint: string;
              /** @enum {string} */
              failure_class:
                | "parse_error"
                | "validation_error"
                | "content_error"
                | "timeout"
                | "transient"
                | "unavailable"
                | "rate_limited"
                | "rejected"
                | "unsupported_version"
                | "handler_error"
                | "crash_loop"
                | "expired"
                | "hop_limit"
                | "loop_detected"
                | "budget_exceeded"
                | "cancelled"
                | "untrusted"
                | "unsafe";
              admitted_ms: number;
              updated_ms: number;
              message_id: string;
              run_id: string;
              team: string;
              agent: string;
              addressed_to: string;
              contract: string;
              /** @enum {string} */
              disposition: "operate" | "quarantine" | "reroute";
              /** @enum {string} */
              subject: "payload" | "answer";
              producer: string;
              messages: number;
              operations: number;
              reroutes: number;
              taboo: string[];
              decision: {
                /** @enum {string} */
                kind: "operate" | "release" | "redirect" | "approve" | "discard" | "restore";
                by: string;
                person?: string | null;
                why: string;
                at: string;
                case_id?: string;
                version?: number;
                message_id?: string;
                payload?: string;
                to?: string;
                proposal?: string;
                batch_id?: string;
                seal?: {
                  alg: string;
                  key_id: string;
                  value: string;
                };
              } | null;
              proposal: {
                by: string;
                why: string;
                at: string;
                payload: string;
                paths: string[];
                decision?: {
                  /** @enum {string} */
                  kind: "operate" | "release" | "redirect" | "approve" | "discard" | "restore";
                  by: string;
                  person?: string | null;
                  why: string;
                  at: string;
                  case_id?: string;
                  version?: number;
                  message_id?: string;
                  payload?: string;
                  to?: string;
                  proposal?: string;
                  batch_id?: string;
                  seal?: {
                    alg: string;
                    key_id: string;
                    value: string;
                  };
                };
              } | null;
              diagnosis: string | null;
              waits: {
                why: string;
                until_ms: number;
              } | null;
              discharged_as: string | null;
              job_id: string | null;
              restarts: number;
              cost: number;
              closed_ms: number | null;
              unreadable: string[];
            };
            /** @description Null where not even the admission can be read. */
            message: {
              failures: {
                /** @enum {string} */
                failure_class:
                  | "parse_error"
                  | "validation_error"
                  | "content_error"
                  | "timeout"
                  | "transient"
                  | "unavailable"
                  | "rate_limited"
                  | "rejected"
                  | "unsupported_version"
                  | "handler_error"
                  | "crash_loop"
                  | "expired"
                  | "hop_limit"
                  | "loop_detected"
                  | "budget_exceeded"
                  | "cancelled"
                  | "untrusted"
                  | "unsafe";
                code: string;
                message: string;
                remedy: string;
                /** @enum {string} */
                severity: "warning" | "recoverable" | "fatal";
                /** @enum {string} */
                direction: "in" | "out" | "run";
                agent: string;
                contract: string | null;
                issues: {
                  /** @description JSON pointer; empty: the whole. */
                  path: string;
                  code: string;
                  message: string;
                }[];
                step: string | null;
                model: string | null;
                prompt_version: string | null;
                at: string;
              }[];
              producer: {
                agent: string;
                contract: string;
                model: string | null;
                prompt_version: string | null;
              };
              subject:
                | {
                    /** @constant */
                    kind: "payload";
                  }
                | {
                    /** @constant */
                    kind: "answer";
                    step: string;
                    text: string;
                  };
              stored: string;
              time_left_ms: number;
              admitted_by: string;
              at: string;
              contract: string;
            } | null;
            /** @description Null for a message that never verified: nobody has read it. */
            original: {
              text: string;
              is_json: boolean;
            } | null;
            contract: {
              id: string;
              schema: unknown;
            } | null;
            original_query: string | null;
            /** @description The tool call that waits for a person's word. */
            approval: {
              call_id: string;
              tool: string;
              arguments: unknown;
            } | null;
            repair: {
              value: unknown;
              /** @enum {string} */
              procedure: "triage" | "recipe" | "first_aid" | "strong_model" | "person";
              /** @enum {string} */
              outcome: "healed" | "refused" | "objected";
              reason: string;
              said?: string;
              diff: {
                op: string;
                path: string;
                from?: string;
                value?: unknown;
              }[];
              provenance: {
                path: string;
                kind: string;
                detail: string;
              }[];
              objections: {
                /** @description JSON pointer; empty: the whole. */
                path: string;
                code: string;
                message: string;
                value?: unknown;
              }[];
            } | null;
            marks: {
              /** @description JSON pointer; empty: the whole. */
              path: string;
              code: string;
              message: string;
              /** @enum {string} */
              from: "failure" | "objection";
            }[];
            history: {
              number: number;
              message_id: string;
              attempts: {
                /** @enum {string} */
                procedure: "triage" | "recipe" | "first_aid" | "strong_model" | "person";
                /** @enum {string} */
                outcome: "healed" | "refused" | "objected";
                reason: string;
                said?: string;
                diff: {
                  op: string;
                  path: string;
                  from?: string;
                  value?: unknown;
                }[];
                provenance: {
                  path: string;
                  kind: string;
                  detail: string;
                }[];
                objections: {
                  /** @description JSON pointer; empty: the whole. */
                  path: string;
                  code: string;
                  message: string;
                  value?: unknown;
                }[];
                model: string | null;
                tokens: number;
                cost: number;
                duration_ms: number;
                recipe_id?: string;
                examples?: string[];
                on_trial?: boolean;
              }[];
              by: string;
              at: string;
              trimmed: boolean;
            }[];
            audit: {
              seq?: number;
              case_id: string;
              at: string;
              by: string;
              action: string;
              why: string;
              detail: {
                [key: string]: unknown;
              };
            }[];
            run: {
              run_id: string;
              team: string;
              /** @enum {string} */
              status:
                | "queued"
                | "running"
                | "in_ward"
                | "quarantined"
                | "completed"
                | "failed"
                | "cancelled"
                | "expired";
              cost: number;
              tokens: number;
              messages: {
                open: number;
                in_ward: number;
                quarantined: number;
              };
              created_ms: number;
              ended_ms: number | null;
            } | null;
            timeline: {
              id: string;
              run_id: string;
              type: string;
              at: string;
              message_id: string | null;
              agent: string | null;
              detail: {
                [key: string]: unknown;
              };
            }[];
            /** @description What may be decided now, if the key's scope allows. */
            actions: ("operate" | "release" | "redirect" | "approve" | "discard" | "restore")[];
            /** @description Agents that a redirect may lead to. */
            redirects: string[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Say what a release with this value would meet; changes nothing
   * @description Scopes: viewer, operator, admin.
   */
  checkPayload: {
    parameters: {
      path: {
        case_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          payload?: unknown;
          payload_text?: string;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            /** @description It could be released, if need be with a second person. */
            acceptable: boolean;
            issues: {
              /** @description JSON pointer; empty: the whole. */
              path: string;
              code: string;
              message: string;
            }[];
            /** @description JSON pointers of changes that a second person has to approve. */
            second_person: string[];
            diff: {
              op: string;
              path: string;
              from?: string;
              value?: unknown;
            }[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found, message_unreadable. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Send a message on, as it is or with another value
   * @description Scopes: operator, admin.
   */
  releaseCase: {
    parameters: {
      path: {
        case_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          payload?: unknown;
          payload_text?: string;
          why: string;
          version?: number;
        };
      };
    };
    responses: {
      /** @description The answer */
      202: {
        content: {
          "application/json": {
            case_id: string;
            version: number;
            /** @enum {string} */
            status: "admitted" | "in_surgery" | "quarantined" | "discharged" | "released" | "discarded";
            fingerprint: string;
            /** @enum {string} */
            failure_class:
              | "parse_error"
              | "validation_error"
              | "content_error"
              | "timeout"
              | "transient"
              | "unavailable"
              | "rate_limited"
              | "rejected"
              | "unsupported_version"
              | "handler_error"
              | "crash_loop"
              | "expired"
              | "hop_limit"
              | "loop_detected"
              | "budget_exceeded"
              | "cancelled"
              | "untrusted"
              | "unsafe";
            admitted_ms: number;
            updated_ms: number;
            message_id: string;
            run_id: string;
            team: string;
            agent: string;
            addressed_to: string;
            contract: string;
            /** @enum {string} */
            disposition: "operate" | "quarantine" | "reroute";
            /** @enum {string} */
            subject: "payload" | "answer";
            producer: string;
            messages: number;
            operations: number;
            reroutes: number;
            taboo: string[];
            decision: {
              /** @enum {string} */
              kind: "operate" | "release" | "redirect" | "approve" | "discard" | "restore";
              by: string;
              person?: string | null;
              why: string;
              at: string;
              case_id?: string;
              version?: number;
              message_id?: string;
              payload?: string;
              to?: string;
              proposal?: string;
              batch_id?: string;
              seal?: {
                alg: string;
                key_id: string;
                value: string;
              };
            } | null;
            proposal: {
              by: string;
              why: string;
              at: string;
              payload: string;
              paths: string[];
              decision?: {
                /** @enum {string} */
                kind: "operate" | "release" | "redirect" | "approve" | "discard" | "restore";
                by: string;
                person?: string | null;
                why: string;
                at: string;
                case_id?: string;
                version?: number;
                message_id?: string;
                payload?: string;
                to?: string;
                proposal?: string;
                batch_id?: string;
                seal?: {
                  alg: string;
                  key_id: string;
                  value: string;
                };
              };
            } | null;
            diagnosis: string | null;
            waits: {
              why: string;
              until_ms: number;
            } | null;
            discharged_as: string | null;
            job_id: string | null;
            restarts: number;
            cost: number;
            closed_ms: number | null;
            unreadable: string[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, message_unreadable, not_found, ward_case_changed, ward_decision_refused. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Stand for another person's change, as the second one
   * @description Scopes: operator, admin.
   */
  approveCase: {
    parameters: {
      path: {
        case_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          why: string;
          version?: number;
          proposal?: string;
        };
      };
    };
    responses: {
      /** @description The answer */
      202: {
        content: {
          "application/json": {
            case_id: string;
            version: number;
            /** @enum {string} */
            status: "admitted" | "in_surgery" | "quarantined" | "discharged" | "released" | "discarded";
            fingerprint: string;
            /** @enum {string} */
            failure_class:
              | "parse_error"
              | "validation_error"
              | "content_error"
              | "timeout"
              | "transient"
              | "unavailable"
              | "rate_limited"
              | "rejected"
              | "unsupported_version"
              | "handler_error"
              | "crash_loop"
              | "expired"
              | "hop_limit"
              | "loop_detected"
              | "budget_exceeded"
              | "cancelled"
              | "untrusted"
              | "unsafe";
            admitted_ms: number;
            updated_ms: number;
            message_id: string;
            run_id: string;
            team: string;
            agent: string;
            addressed_to: string;
            contract: string;
            /** @enum {string} */
            disposition: "operate" | "quarantine" | "reroute";
            /** @enum {string} */
            subject: "payload" | "answer";
            producer: string;
            messages: number;
            operations: number;
            reroutes: number;
            taboo: string[];
            decision: {
              /** @enum {string} */
              kind: "operate" | "release" | "redirect" | "approve" | "discard" | "restore";
              by: string;
              person?: string | null;
              why: string;
              at: string;
              case_id?: string;
              version?: number;
              message_id?: string;
              payload?: string;
              to?: string;
              proposal?: string;
              batch_id?: string;
              seal?: {
                alg: string;
                key_id: string;
                value: string;
              };
            } | null;
            proposal: {
              by: string;
              why: string;
              at: string;
              payload: string;
              paths: string[];
              decision?: {
                /** @enum {string} */
                kind: "operate" | "release" | "redirect" | "approve" | "discard" | "restore";
                by: string;
                person?: string | null;
                why: string;
                at: string;
                case_id?: string;
                version?: number;
                message_id?: string;
                payload?: string;
                to?: string;
                proposal?: string;
                batch_id?: string;
                seal?: {
                  alg: string;
                  key_id: string;
                  value: string;
                };
              };
            } | null;
            diagnosis: string | null;
            waits: {
              why: string;
              until_ms: number;
            } | null;
            discharged_as: string | null;
            job_id: string | null;
            restarts: number;
            cost: number;
            closed_ms: number | null;
            unreadable: string[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found, ward_case_changed, ward_decision_refused. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Approve or refuse the tool call that a case waits with
   * @description Scopes: operator, admin.
   */
  decideApproval: {
    parameters: {
      path: {
        case_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          approved: boolean;
          why: string;
          version?: number;
        };
      };
    };
    responses: {
      /** @description The answer */
      202: {
        content: {
          "application/json": {
            case_id: string;
            version: number;
            /** @enum {string} */
            status: "admitted" | "in_surgery" | "quarantined" | "discharged" | "released" | "discarded";
            fingerprint: string;
            /** @enum {string} */
            failure_class:
              | "parse_error"
              | "validation_error"
              | "content_error"
              | "timeout"
              | "transient"
              | "unavailable"
              | "rate_limited"
              | "rejected"
              | "unsupported_version"
              | "handler_error"
              | "crash_loop"
              | "expired"
              | "hop_limit"
              | "loop_detected"
              | "budget_exceeded"
              | "cancelled"
              | "untrusted"
              | "unsafe";
            admitted_ms: number;
            updated_ms: number;
            message_id: string;
            run_id: string;
            team: string;
            agent: string;
            addressed_to: string;
            contract: string;
            /** @enum {string} */
            disposition: "operate" | "quarantine" | "reroute";
            /** @enum {string} */
            subject: "payload" | "answer";
            producer: string;
            messages: number;
            operations: number;
            reroutes: number;
            taboo: string[];
            decision: {
              /** @enum {string} */
              kind: "operate" | "release" | "redirect" | "approve" | "discard" | "restore";
              by: string;
              person?: string | null;
              why: string;
              at: string;
              case_id?: string;
              version?: number;
              message_id?: string;
              payload?: string;
              to?: string;
              proposal?: string;
              batch_id?: string;
              seal?: {
                alg: string;
                key_id: string;
                value: string;
              };
            } | null;
            proposal: {
              by: string;
              why: string;
              at: string;
              payload: string;
              paths: string[];
              decision?: {
                /** @enum {string} */
                kind: "operate" | "release" | "redirect" | "approve" | "discard" | "restore";
                by: string;
                person?: string | null;
                why: string;
                at: string;
                case_id?: string;
                version?: number;
                message_id?: string;
                payload?: string;
                to?: string;
                proposal?: string;
                batch_id?: string;
                seal?: {
                  alg: string;
                  key_id: string;
                  value: string;
                };
              };
            } | null;
            diagnosis: string | null;
            waits: {
              why: string;
              until_ms: number;
            } | null;
            discharged_as: string | null;
            job_id: string | null;
            restarts: number;
            cost: number;
            closed_ms: number | null;
            unreadable: string[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, no_approval_waits, not_found, ward_case_changed, ward_decision_refused. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * End a case without its message going on
   * @description Scopes: operator, admin.
   */
  discardCase: {
    parameters: {
      path: {
        case_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          why: string;
          version?: number;
        };
      };
    };
    responses: {
      /** @description The answer */
      202: {
        content: {
          "application/json": {
            case_id: string;
            version: number;
            /** @enum {string} */
            status: "admitted" | "in_surgery" | "quarantined" | "discharged" | "released" | "discarded";
            fingerprint: string;
            /** @enum {string} */
            failure_class:
              | "parse_error"
              | "validation_error"
              | "content_error"
              | "timeout"
              | "transient"
              | "unavailable"
              | "rate_limited"
              | "rejected"
              | "unsupported_version"
              | "handler_error"
              | "crash_loop"
              | "expired"
              | "hop_limit"
              | "loop_detected"
              | "budget_exceeded"
              | "cancelled"
              | "untrusted"
              | "unsafe";
            admitted_ms: number;
            updated_ms: number;
            message_id: string;
            run_id: string;
            team: string;
            agent: string;
            addressed_to: string;
            contract: string;
            /** @enum {string} */
            disposition: "operate" | "quarantine" | "reroute";
            /** @enum {string} */
            subject: "payload" | "answer";
            producer: string;
            messages: number;
            operations: number;
            reroutes: number;
            taboo: string[];
            decision: {
              /** @enum {string} */
              kind: "operate" | "release" | "redirect" | "approve" | "discard" | "restore";
              by: string;
              person?: string | null;
              why: string;
              at: string;
              case_id?: string;
              version?: number;
              message_id?: string;
              payload?: string;
              to?: string;
              proposal?: string;
              batch_id?: string;
              seal?: {
                alg: string;
                key_id: string;
                value: string;
              };
            } | null;
            proposal: {
              by: string;
              why: string;
              at: string;
              payload: string;
              paths: string[];
              decision?: {
                /** @enum {string} */
                kind: "operate" | "release" | "redirect" | "approve" | "discard" | "restore";
                by: string;
                person?: string | null;
                why: string;
                at: string;
                case_id?: string;
                version?: number;
                message_id?: string;
                payload?: string;
                to?: string;
                proposal?: string;
                batch_id?: string;
                seal?: {
                  alg: string;
                  key_id: string;
                  value: string;
                };
              };
            } | null;
            diagnosis: string | null;
            waits: {
              why: string;
              until_ms: number;
            } | null;
            discharged_as: string | null;
            job_id: string | null;
            restarts: number;
            cost: number;
            closed_ms: number | null;
            unreadable: string[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found, ward_case_changed, ward_decision_refused. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Undo a discard, while its run goes on
   * @description Scopes: operator, admin.
   */
  restoreCase: {
    parameters: {
      path: {
        case_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @default */
          why?: string;
          version?: number;
        };
      };
    };
    responses: {
      /** @description The answer */
      202: {
        content: {
          "application/json": {
            case_id: string;
            version: number;
            /** @enum {string} */
            status: "admitted" | "in_surgery" | "quarantined" | "discharged" | "released" | "discarded";
            fingerprint: string;
            /** @enum {string} */
            failure_class:
              | "parse_error"
              | "validation_error"
              | "content_error"
              | "timeout"
              | "transient"
              | "unavailable"
              | "rate_limited"
              | "rejected"
              | "unsupported_version"
              | "handler_error"
              | "crash_loop"
              | "expired"
              | "hop_limit"
              | "loop_detected"
              | "budget_exceeded"
              | "cancelled"
              | "untrusted"
              | "unsafe";
            admitted_ms: number;
            updated_ms: number;
            message_id: string;
            run_id: string;
            team: string;
            agent: string;
            addressed_to: string;
            contract: string;
            /** @enum {string} */
            disposition: "operate" | "quarantine" | "reroute";
            /** @enum {string} */
            subject: "payload" | "answer";
            producer: string;
            messages: number;
            operations: number;
            reroutes: number;
            taboo: string[];
            decision: {
              /** @enum {string} */
              kind: "operate" | "release" | "redirect" | "approve" | "discard" | "restore";
              by: string;
              person?: string | null;
              why: string;
              at: string;
              case_id?: string;
              version?: number;
              message_id?: string;
              payload?: string;
              to?: string;
              proposal?: string;
              batch_id?: string;
              seal?: {
                alg: string;
                key_id: string;
                value: string;
              };
            } | null;
            proposal: {
              by: string;
              why: string;
              at: string;
              payload: string;
              paths: string[];
              decision?: {
                /** @enum {string} */
                kind: "operate" | "release" | "redirect" | "approve" | "discard" | "restore";
                by: string;
                person?: string | null;
                why: string;
                at: string;
                case_id?: string;
                version?: number;
                message_id?: string;
                payload?: string;
                to?: string;
                proposal?: string;
                batch_id?: string;
                seal?: {
                  alg: string;
                  key_id: string;
                  value: string;
                };
              };
            } | null;
            diagnosis: string | null;
            waits: {
              why: string;
              until_ms: number;
            } | null;
            discharged_as: string | null;
            job_id: string | null;
            restarts: number;
            cost: number;
            closed_ms: number | null;
            unreadable: string[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found, ward_case_changed, ward_decision_refused. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Send a message to another agent that takes its contract
   * @description Scopes: operator, admin.
   */
  redirectCase: {
    parameters: {
      path: {
        case_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          why: string;
          version?: number;
          agent: string;
        };
      };
    };
    responses: {
      /** @description The answer */
      202: {
        content: {
          "application/json": {
            case_id: string;
            version: number;
            /** @enum {string} */
            status: "admitted" | "in_surgery" | "quarantined" | "discharged" | "released" | "discarded";
            fingerprint: string;
            /** @enum {string} */
            failure_class:
              | "parse_error"
              | "validation_error"
              | "content_error"
              | "timeout"
              | "transient"
              | "unavailable"
              | "rate_limited"
              | "rejected"
              | "unsupported_version"
              | "handler_error"
              | "crash_loop"
              | "expired"
              | "hop_limit"
              | "loop_detected"
              | "budget_exceeded"
              | "cancelled"
              | "untrusted"
              | "unsafe";
            admitted_ms: number;
            updated_ms: number;
            message_id: string;
            run_id: string;
            team: string;
            agent: string;
            addressed_to: string;
            contract: string;
            /** @enum {string} */
            disposition: "operate" | "quarantine" | "reroute";
            /** @enum {string} */
            subject: "payload" | "answer";
            producer: string;
            messages: number;
            operations: number;
            reroutes: number;
            taboo: string[];
            decision: {
              /** @enum {string} */
              kind: "operate" | "release" | "redirect" | "approve" | "discard" | "restore";
              by: string;
              person?: string | null;
              why: string;
              at: string;
              case_id?: string;
              version?: number;
              message_id?: string;
              payload?: string;
              to?: string;
              proposal?: string;
              batch_id?: string;
              seal?: {
                alg: string;
                key_id: string;
                value: string;
              };
            } | null;
            proposal: {
              by: string;
              why: string;
              at: string;
              payload: string;
              paths: string[];
              decision?: {
                /** @enum {string} */
                kind: "operate" | "release" | "redirect" | "approve" | "discard" | "restore";
                by: string;
                person?: string | null;
                why: string;
                at: string;
                case_id?: string;
                version?: number;
                message_id?: string;
                payload?: string;
                to?: string;
                proposal?: string;
                batch_id?: string;
                seal?: {
                  alg: string;
                  key_id: string;
                  value: string;
                };
              };
            } | null;
            diagnosis: string | null;
            waits: {
              why: string;
              until_ms: number;
            } | null;
            discharged_as: string | null;
            job_id: string | null;
            restarts: number;
            cost: number;
            closed_ms: number | null;
            unreadable: string[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, message_unreadable, not_found, ward_case_changed, ward_decision_refused. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Have the ladder try again
   * @description Scopes: operator, admin.
   */
  operateCase: {
    parameters: {
      path: {
        case_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @default */
          why?: string;
          version?: number;
        };
      };
    };
    responses: {
      /** @description The answer */
      202: {
        content: {
          "application/json": {
            case_id: string;
            version: number;
            /** @enum {string} */
            status: "admitted" | "in_surgery" | "quarantined" | "discharged" | "released" | "discarded";
            fingerprint: string;
            /** @enum {string} */
            failure_class:
              | "parse_error"
              | "validation_error"
              | "content_error"
              | "timeout"
              | "transient"
              | "unavailable"
              | "rate_limited"
              | "rejected"
              | "unsupported_version"
              | "handler_error"
              | "crash_loop"
              | "expired"
              | "hop_limit"
              | "loop_detected"
              | "budget_exceeded"
              | "cancelled"
              | "untrusted"
              | "unsafe";
            admitted_ms: number;
            updated_ms: number;
            message_id: string;
            run_id: string;
            team: string;
            agent: string;
            addressed_to: string;
            contract: string;
            /** @enum {string} */
            disposition: "operate" | "quarantine" | "reroute";
            /** @enum {string} */
            subject: "payload" | "answer";
            producer: string;
            messages: number;
            operations: number;
            reroutes: number;
            taboo: string[];
            decision: {
              /** @enum {string} */
              kind: "operate" | "release" | "redirect" | "approve" | "discard" | "restore";
              by: string;
              person?: string | null;
              why: string;
              at: string;
              case_id?: string;
              version?: number;
              message_id?: string;
              payload?: string;
              to?: string;
              proposal?: string;
              batch_id?: string;
              seal?: {
                alg: string;
                key_id: string;
                value: string;
              };
            } | null;
            proposal: {
              by: string;
              why: string;
              at: string;
              payload: string;
              paths: string[];
              decision?: {
                /** @enum {string} */
                kind: "operate" | "release" | "redirect" | "approve" | "discard" | "restore";
                by: string;
                person?: string | null;
                why: string;
                at: string;
                case_id?: string;
                version?: number;
                message_id?: string;
                payload?: string;
                to?: string;
                proposal?: string;
                batch_id?: string;
                seal?: {
                  alg: string;
                  key_id: string;
                  value: string;
                };
              };
            } | null;
            diagnosis: string | null;
            waits: {
              why: string;
              until_ms: number;
            } | null;
            discharged_as: string | null;
            job_id: string | null;
            restarts: number;
            cost: number;
            closed_ms: number | null;
            unreadable: string[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found, ward_case_changed, ward_decision_refused. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Show what a run came to as its owner sees it
   * @description Scopes: admin.
   */
  revealRun: {
    parameters: {
      path: {
        run_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          why: string;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            run_id: string;
            team: string;
            /** @enum {string} */
            status:
              | "queued"
              | "running"
              | "in_ward"
              | "quarantined"
              | "completed"
              | "failed"
              | "cancelled"
              | "expired";
            result: unknown;
            error: unknown;
            events: {
              id: string;
              run_id: string;
              type: string;
              at: string;
              message_id: string | null;
              agent: string | null;
              detail: {
                [key: string]: unknown;
              };
            }[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * List recipes that meet every filter, the one that was changed last first
   * @description Scopes: viewer, operator, admin.
   */
  listRecipes: {
    parameters: {
      query?: {
        state?: "proposed" | "trial" | "trusted" | "retired";
        fingerprint?: string;
        text?: string;
        /** @description Default: all. */
        limit?: number;
        offset?: number;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            recipes: {
              recipe_id: string;
              fingerprint: string;
              /** @enum {string} */
              state: "proposed" | "trial" | "trusted" | "retired";
              recipe: unknown;
              by: string;
              at: string;
              learned_from: string | null;
              proofs: string[];
              taught_by: string[];
              failures: number;
              failed_on: string[];
              failures_of: {
                [key: string]: number;
              };
              withheld_from: string[];
              changed_by: string;
              changed_at: string;
              why: string;
              version: number;
              seal?: {
                alg: string;
                key_id: string;
                value: string;
              };
              /** @description Messages that it healed. */
              healed: number;
            }[];
            total: number;
            /** @description By state, of those that meet all filters but the state. */
            counts: {
              [key: string]: number;
            };
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Show a recipe with its group and its audit
   * @description Scopes: viewer, operator, admin.
   */
  showRecipe: {
    parameters: {
      path: {
        recipe_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            recipe_id: string;
            fingerprint: string;
            /** @enum {string} */
            state: "proposed" | "trial" | "trusted" | "retired";
            recipe: unknown;
            by: string;
            at: string;
            learned_from: string | null;
            proofs: string[];
            taught_by: string[];
            failures: number;
            failed_on: string[];
            failures_of: {
              [key: string]: number;
            };
            withheld_from: string[];
            changed_by: string;
            changed_at: string;
            why: string;
            version: number;
            seal?: {
              alg: string;
              key_id: string;
              value: string;
            };
            /** @description Messages that it healed. */
            healed: number;
            group: {
              fingerprint: string;
              count: number;
              open: number;
              first_seen_ms: number;
              last_seen_ms: number;
              producer: string;
              /** @enum {string} */
              lifecycle: "open" | "acknowledged" | "resolved" | "regressed";
              version: number;
              marked_ms: number | null;
              resolution: {
                by: string;
                at_ms: number;
                since: {
                  name: string;
                  version: number;
                } | null;
              } | null;
              regression: {
                producer: string;
                at_ms: number;
              } | null;
              sent_on: number;
              replays: number;
              cost: number;
              /** @description Messages per hour, oldest first, the current hour last. */
              trend: number[];
              /** @description What its cases wait for before the next model call. */
              rest: {
                until_ms: number | null;
                why: string;
                waiting: number;
              };
              /** @description Cases of it that wait for a person. */
              quarantined: number;
              /** @enum {string} */
              attention:
                | "regressed"
                | "failing_again"
                | "waiting"
                | "looked_after"
                | "in_treatment"
                | "quiet";
              /** @description The recipe that serves it, or would if it were believed more. */
              recipe: {
                recipe_id: string;
                /** @enum {string} */
                state: "proposed" | "trial" | "trusted" | "retired";
              } | null;
            } | null;
            audit: {
              seq?: number;
              case_id: string;
              at: string;
              by: string;
              action: string;
              why: string;
              detail: {
                [key: string]: unknown;
              };
            }[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Try another recipe, dry, on the messages of its fingerprint that lie in the ward
   * @description Scopes: operator, admin.
   */
  tryRecipe: {
    parameters: {
      path: {
        recipe_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          recipe: {
            /** @constant */
            version: 1;
            operations: (
              | {
                  /** @constant */
                  op: "rename";
                  path: string;
                  to: string;
                }
              | {
                  /** @constant */
                  op: "move";
                  from: string;
                  path: string;
                }
              | {
                  /** @constant */
                  op: "wrap";
                  path: string;
                  in:
                    | "array"
                    | {
                        key: string;
                      };
                }
              | {
                  /** @constant */
                  op: "unwrap";
                  path: string;
                  key?: string;
                }
              | {
                  /** @constant */
                  op: "coerce";
                  path: string;
                  /** @enum {string} */
                  to: "string" | "number" | "integer" | "boolean";
                }
              | {
                  /** @constant */
                  op: "map_value";
                  path: string;
                  map: {
                    from: string | number | boolean | null;
                    to: string | number | boolean | null;
                  }[];
                }
              | {
                  /** @constant */
                  op: "set_default";
                  path: string;
                  value: unknown;
                }
              | {
                  /** @constant */
                  op: "delete";
                  path: string;
                }
              | {
                  /** @constant */
                  op: "parse_json";
                  path: string;
                }
              | {
                  /** @constant */
                  op: "split";
                  path: string;
                  by: string;
                }
              | {
                  /** @constant */
                  op: "join";
                  path: string;
                  by: string;
                }
            )[];
          };
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            proved: number;
            failed: number;
            idle: number;
            /** @description What is said against it first, then what speaks for it. */
            messages: {
              case_id: string;
              /** @enum {string} */
              result: "proved" | "failed" | "idle";
              objections: {
                /** @description JSON pointer; empty: the whole. */
                path: string;
                code: string;
                message: string;
              }[];
            }[];
            /** @description There are more messages than were looked at. */
            is_cut: boolean;
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Have the ladder apply a recipe from now on
   * @description Scopes: admin.
   */
  approveRecipe: {
    parameters: {
      path: {
        recipe_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @default */
          why?: string;
          version?: number;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            recipe_id: string;
            fingerprint: string;
            /** @enum {string} */
            state: "proposed" | "trial" | "trusted" | "retired";
            recipe: unknown;
            by: string;
            at: string;
            learned_from: string | null;
            proofs: string[];
            taught_by: string[];
            failures: number;
            failed_on: string[];
            failures_of: {
              [key: string]: number;
            };
            withheld_from: string[];
            changed_by: string;
            changed_at: string;
            why: string;
            version: number;
            seal?: {
              alg: string;
              key_id: string;
              value: string;
            };
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found, changed_meanwhile. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Put another text in a recipe's place, on trial
   * @description Scopes: admin.
   */
  editRecipe: {
    parameters: {
      path: {
        recipe_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          recipe: {
            /** @constant */
            version: 1;
            operations: (
              | {
                  /** @constant */
                  op: "rename";
                  path: string;
                  to: string;
                }
              | {
                  /** @constant */
                  op: "move";
                  from: string;
                  path: string;
                }
              | {
                  /** @constant */
                  op: "wrap";
                  path: string;
                  in:
                    | "array"
                    | {
                        key: string;
                      };
                }
              | {
                  /** @constant */
                  op: "unwrap";
                  path: string;
                  key?: string;
                }
              | {
                  /** @constant */
                  op: "coerce";
                  path: string;
                  /** @enum {string} */
                  to: "string" | "number" | "integer" | "boolean";
                }
              | {
                  /** @constant */
                  op: "map_value";
                  path: string;
                  map: {
                    from: string | number | boolean | null;
                    to: string | number | boolean | null;
                  }[];
                }
              | {
                  /** @constant */
                  op: "set_default";
                  path: string;
                  value: unknown;
                }
              | {
                  /** @constant */
                  op: "delete";
                  path: string;
                }
              | {
                  /** @constant */
                  op: "parse_json";
                  path: string;
                }
              | {
                  /** @constant */
                  op: "split";
                  path: string;
                  by: string;
                }
              | {
                  /** @constant */
                  op: "join";
                  path: string;
                  by: string;
                }
            )[];
          };
          why: string;
          version?: number;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            recipe_id: string;
            fingerprint: string;
            /** @enum {string} */
            state: "proposed" | "trial" | "trusted" | "retired";
            recipe: unknown;
            by: string;
            at: string;
            learned_from: string | null;
            proofs: string[];
            taught_by: string[];
            failures: number;
            failed_on: string[];
            failures_of: {
              [key: string]: number;
            };
            withheld_from: string[];
            changed_by: string;
            changed_at: string;
            why: string;
            version: number;
            seal?: {
              alg: string;
              key_id: string;
              value: string;
            };
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found, changed_meanwhile. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Keep a recipe for the record and never apply it
   * @description Scopes: admin.
   */
  retireRecipe: {
    parameters: {
      path: {
        recipe_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @default */
          why?: string;
          version?: number;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            recipe_id: string;
            fingerprint: string;
            /** @enum {string} */
            state: "proposed" | "trial" | "trusted" | "retired";
            recipe: unknown;
            by: string;
            at: string;
            learned_from: string | null;
            proofs: string[];
            taught_by: string[];
            failures: number;
            failed_on: string[];
            failures_of: {
              [key: string]: number;
            };
            withheld_from: string[];
            changed_by: string;
            changed_at: string;
            why: string;
            version: number;
            seal?: {
              alg: string;
              key_id: string;
              value: string;
            };
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found, changed_meanwhile. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * List the keys that were made here, with what they use
   * @description Scopes: admin.
   */
  listApiKeys: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            keys: {
              name: string;
              tenant: string;
              /** @enum {string} */
              scope: "viewer" | "submit" | "operator" | "admin";
              teams: string[] | null;
              /** @description Absent: no limit of its own. */
              quotas: {
                /** @description Over all gateways, by the minute of the clock. */
                requests_per_minute?: number;
                /** @description Runs that have not ended, waiting ones included. */
                running_runs?: number;
                /** @description Runs that no agent has begun. */
                waiting_runs?: number;
                /** @description USD, by the day of UTC; runs under way go on when it is reached. */
                cost_per_day?: number;
              };
              created_by: string;
              created_at: string;
              expires_at: string | null;
              is_expired: boolean;
              /** @description Null where no quota of runs or money counts anything. */
              use: {
                running_runs: number;
                waiting_runs: number;
                cost_today: number;
              } | null;
            }[];
            teams: string[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Make a key; the answer has its secret, which nobody is told again
   * @description Scopes: admin.
   */
  createApiKey: {
    requestBody: {
      content: {
        "application/json": {
          /** @description Unique in its tenant. */
          name: string;
          /**
           * @description Owns what the key makes.
           * @default local
           */
          tenant?: string;
          /** @enum {string} */
          scope: "viewer" | "submit" | "operator" | "admin";
          /**
           * @description The teams it may use and see; null: all.
           * @default null
           */
          teams?: string[] | null;
          /**
           * @description Absent: no limit of its own.
           * @default {}
           */
          quotas?: {
            /** @description Over all gateways, by the minute of the clock. */
            requests_per_minute?: number;
            /** @description Runs that have not ended, waiting ones included. */
            running_runs?: number;
            /** @description Runs that no agent has begun. */
            waiting_runs?: number;
            /** @description USD, by the day of UTC; runs under way go on when it is reached. */
            cost_per_day?: number;
          };
          /**
           * @description UTC; null: never.
           * @default null
           */
          expires_at?: string | null;
          /** @default */
          why?: string;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": {
            name: string;
            tenant: string;
            /** @enum {string} */
            scope: "viewer" | "submit" | "operator" | "admin";
            teams: string[] | null;
            /** @description Absent: no limit of its own. */
            quotas: {
              /** @description Over all gateways, by the minute of the clock. */
              requests_per_minute?: number;
              /** @description Runs that have not ended, waiting ones included. */
              running_runs?: number;
              /** @description Runs that no agent has begun. */
              waiting_runs?: number;
              /** @description USD, by the day of UTC; runs under way go on when it is reached. */
              cost_per_day?: number;
            };
            created_by: string;
            created_at: string;
            expires_at: string | null;
            is_expired: boolean;
            secret: string;
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, api_keys_full. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Revoke a key by its full name; every service refuses it within a second
   * @description Scopes: admin.
   */
  revokeApiKey: {
    parameters: {
      path: {
        name: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @default */
          why?: string;
          version?: number;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            revoked: string;
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error, not_found. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * List who did what, when and why; newest first
   * @description Scopes: viewer, operator, admin.
   */
  listAudit: {
    parameters: {
      query?: {
        limit?: number;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            audit: {
              seq?: number;
              case_id: string;
              at: string;
              by: string;
              action: string;
              why: string;
              detail: {
                [key: string]: unknown;
              };
            }[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * List what people did, newest first, with what is not as it was written
   * @description Scopes: viewer, operator, admin.
   */
  listPeopleAudit: {
    parameters: {
      query?: {
        limit?: number;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            records: {
              /** @description Null where it cannot be believed. */
              record: {
                number: number;
                previous: string;
                at: string;
                by: string;
                person: string | null;
                action: string;
                why: string;
                detail: {
                  [key: string]: unknown;
                };
              } | null;
              fault: {
                number: number;
                problem: string;
              } | null;
            }[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * Read the records as they are stored, oldest first, to hold them against each other
   * @description Scopes: viewer, operator, admin.
   */
  exportPeopleAudit: {
    parameters: {
      query?: {
        offset?: number;
        limit?: number;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            /** @description JSON texts, as they were signed. */
            records: string[];
            head: string | null;
            remembered: {
              count: number;
              digest: string;
            } | null;
            /** @description A key file with the public halves of the signing keys. */
            keys: string;
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  /**
   * List attempts that the gateway and the console refused, newest first
   * @description Scopes: admin.
   */
  listRefusals: {
    parameters: {
      query?: {
        limit?: number;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            refusals: {
              at: string;
              /** @enum {string} */
              service: "gateway" | "console";
              by: string | null;
              address: string;
              method: string;
              route: string;
              status: number;
              code: string;
              unrecorded: number;
            }[];
          };
        };
      };
      /** @description A problem. Codes: request_invalid, unauthorised, key_expired, forbidden, rate_limited, store_unavailable, internal_error. */
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
}
