/**
 * The types of a client of the API, written by `npm run client`. Size: every operation, with all its forms.
 */

export interface paths {
  "/v1/tasks": {
    post: operations["submitTask"];
  };
  "/v1/runs": {
    get: operations["listRuns"];
  };
  "/v1/runs/{run_id}": {
    get: operations["showRun"];
  };
  "/v1/runs/{run_id}/events": {
    get: operations["streamRunEvents"];
  };
  "/v1/runs/{run_id}/cancel": {
    post: operations["cancelRun"];
  };
  "/v1/runs/{run_id}/replay": {
    post: operations["replayRun"];
  };
  "/v1/runs/{run_id}/steps": {
    get: operations["listRunSteps"];
  };
  "/v1/runs/{run_id}/steps/{step_id}": {
    get: operations["showRunStep"];
  };
  "/v1/handoffs": {
    get: operations["listHandoffs"];
    post: operations["sendHandoff"];
  };
  "/v1/blobs": {
    post: operations["storeBlob"];
  };
  "/v1/blobs/{id}": {
    get: operations["readBlob"];
  };
  "/v1/agents": {
    get: operations["listAgents"];
  };
  "/v1/teams": {
    get: operations["listTeams"];
  };
  "/v1/openapi.json": {
    get: operations["showApi"];
  };
  "/v1/contracts/{contract}": {
    get: operations["showContract"];
  };
  "/ap/v1/agent/tasks": {
    get: operations["listAgentTasks"];
    post: operations["createAgentTask"];
  };
  "/ap/v1/agent/tasks/{task_id}": {
    get: operations["getAgentTask"];
  };
  "/ap/v1/agent/tasks/{task_id}/steps": {
    get: operations["listAgentTaskSteps"];
    post: operations["executeAgentTaskStep"];
  };
  "/ap/v1/agent/tasks/{task_id}/steps/{step_id}": {
    get: operations["getAgentTaskStep"];
  };
  "/ap/v1/agent/tasks/{task_id}/artifacts": {
    get: operations["listAgentTaskArtifacts"];
    post: operations["uploadAgentTaskArtifacts"];
  };
  "/ap/v1/agent/tasks/{task_id}/artifacts/{artifact_id}": {
    get: operations["downloadAgentTaskArtifact"];
  };
  "/ap/v1/agent/artifacts/{artifact_id}": {
    get: operations["downloadAgentArtifact"];
  };
  "/readyz": {
    get: operations["showReadiness"];
  };
  "/metrics": {
    get: operations["showMetrics"];
  };
  "/v1/stats": {
    get: operations["showStats"];
  };
  "/healthz": {
    get: operations["showLiveness"];
  };
  "/v1/session": {
    get: operations["showSession"];
    post: operations["logIn"];
    delete: operations["logOut"];
  };
  "/v1/overview": {
    get: operations["showOverview"];
  };
  "/v1/events": {
    get: operations["streamEvents"];
  };
  "/v1/ward/costs": {
    get: operations["showCosts"];
  };
  "/v1/queues": {
    get: operations["listQueues"];
  };
  "/v1/queues/{agent}/pause": {
    post: operations["pauseQueue"];
  };
  "/v1/queues/{agent}/resume": {
    post: operations["resumeQueue"];
  };
  "/v1/producers": {
    get: operations["listRates"];
  };
  "/v1/circuits": {
    get: operations["listCircuits"];
  };
  "/v1/circuits/{agent}/open": {
    post: operations["openCircuit"];
  };
  "/v1/circuits/{agent}/close": {
    post: operations["closeCircuit"];
  };
  "/v1/ward/groups": {
    get: operations["listGroups"];
  };
  "/v1/ward/groups/{fingerprint}": {
    get: operations["showGroup"];
  };
  "/v1/ward/groups/{fingerprint}/acknowledge": {
    post: operations["acknowledgeGroup"];
  };
  "/v1/ward/groups/{fingerprint}/resolve": {
    post: operations["resolveGroup"];
  };
  "/v1/ward/groups/{fingerprint}/reopen": {
    post: operations["reopenGroup"];
  };
  "/v1/ward/groups/{fingerprint}/apply": {
    post: operations["applyToGroup"];
  };
  "/v1/ward/applies": {
    get: operations["listApplies"];
  };
  "/v1/ward/applies/{batch_id}": {
    get: operations["showApply"];
  };
  "/v1/ward/applies/{batch_id}/cases": {
    get: operations["listApplyCases"];
  };
  "/v1/ward/applies/{batch_id}/start": {
    post: operations["startApply"];
  };
  "/v1/ward/applies/{batch_id}/stop": {
    post: operations["stopApply"];
  };
  "/v1/ward/applies/{batch_id}/undo": {
    post: operations["undoApply"];
  };
  "/v1/ward/cases": {
    get: operations["listCases"];
  };
  "/v1/ward/cases/{case_id}": {
    get: operations["showCase"];
  };
  "/v1/ward/cases/{case_id}/reveal": {
    post: operations["revealCase"];
  };
  "/v1/ward/cases/{case_id}/check": {
    post: operations["checkPayload"];
  };
  "/v1/ward/cases/{case_id}/release": {
    post: operations["releaseCase"];
  };
  "/v1/ward/cases/{case_id}/approve": {
    post: operations["approveCase"];
  };
  "/v1/ward/cases/{case_id}/approval": {
    post: operations["decideApproval"];
  };
  "/v1/ward/cases/{case_id}/discard": {
    post: operations["discardCase"];
  };
  "/v1/ward/cases/{case_id}/restore": {
    post: operations["restoreCase"];
  };
  "/v1/ward/cases/{case_id}/redirect": {
    post: operations["redirectCase"];
  };
  "/v1/ward/cases/{case_id}/operate": {
    post: operations["operateCase"];
  };
  "/v1/runs/{run_id}/reveal": {
    post: operations["revealRun"];
  };
  "/v1/recipes": {
    get: operations["listRecipes"];
  };
  "/v1/recipes/{recipe_id}": {
    get: operations["showRecipe"];
  };
  "/v1/recipes/{recipe_id}/try": {
    post: operations["tryRecipe"];
  };
  "/v1/recipes/{recipe_id}/approve": {
    post: operations["approveRecipe"];
  };
  "/v1/recipes/{recipe_id}/edit": {
    post: operations["editRecipe"];
  };
  "/v1/recipes/{recipe_id}/retire": {
    post: operations["retireRecipe"];
  };
  "/v1/attached": {
    get: operations["listAttached"];
  };
  "/v1/attached/{queue}/cases": {
    get: operations["listAttachedCases"];
  };
  "/v1/attached/{queue}/check": {
    post: operations["checkAttachedData"];
  };
  "/v1/attached/{queue}/edit": {
    post: operations["editAttachedJob"];
  };
  "/v1/attached/{queue}/redrive": {
    post: operations["redriveAttachedJob"];
  };
  "/v1/attached/{queue}/apply": {
    post: operations["applyToAttachedGroup"];
  };
  "/v1/attached/{queue}/stop": {
    post: operations["stopAttachedApply"];
  };
  "/v1/attached/{queue}/undo": {
    post: operations["undoAttachedEdit"];
  };
  "/v1/attached/{queue}/undo-batch": {
    post: operations["undoAttachedBatch"];
  };
  "/v1/attached/{queue}/audit": {
    get: operations["listAttachedAudit"];
  };
  "/v1/api-keys": {
    get: operations["listApiKeys"];
    post: operations["createApiKey"];
  };
  "/v1/api-keys/{name}/revoke": {
    post: operations["revokeApiKey"];
  };
  "/v1/audit": {
    get: operations["listAudit"];
  };
  "/v1/audit/people": {
    get: operations["listPeopleAudit"];
  };
  "/v1/audit/people/records": {
    get: operations["exportPeopleAudit"];
  };
  "/v1/refusals": {
    get: operations["listRefusals"];
  };
}


export interface components {
  schemas: {
    Problem: {
      type: string;
      title: string;
      status: number;
      detail: string;
      code: string;
      failure_class: "parse_error"
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
      remedy: string;
      errors: {
          pointer: string;
          code: string;
          message: string;
        }[];
      trace_id: string | null;
    };
    RunEvent: ({
      type: "end";
      run_id: string;
      status: ("queued"
          | "running"
          | "in_ward"
          | "quarantined"
          | "completed"
          | "failed"
          | "cancelled"
          | "expired")
          | null;
    }) | ({
      type: "submitted";
      id: string;
      run_id: string;
      at: string;
      message_id: string | null;
      agent: string | null;
      detail: {
        team?: string;
        trace_id?: string;
        [key: string]: unknown;
      };
    }) | ({
      type: "unreadable";
      id: string;
      run_id: string;
      at: string;
      message_id: string | null;
      agent: string | null;
      detail: {
        [key: string]: unknown;
      };
    }) | ({
      type: "cancel_requested";
      id: string;
      run_id: string;
      at: string;
      message_id: string | null;
      agent: string | null;
      detail: {
        by?: string;
        [key: string]: unknown;
      };
    }) | ({
      type: "artifact_added";
      id: string;
      run_id: string;
      at: string;
      message_id: string | null;
      agent: string | null;
      detail: {
        mime_type?: string;
        bytes?: number;
        sha256?: string;
        [key: string]: unknown;
      };
    }) | ({
      type: "accepted";
      id: string;
      run_id: string;
      at: string;
      message_id: string | null;
      agent: string | null;
      detail: {
        [key: string]: unknown;
      };
    }) | ({
      type: "rejected";
      id: string;
      run_id: string;
      at: string;
      message_id: string | null;
      agent: string | null;
      detail: {
        hop?: number | null;
        attempt?: number;
        contract?: string | null;
        model?: string | null;
        ms?: number;
        cost?: number;
        tokens?: number;
        class?: string;
        code?: string;
        [key: string]: unknown;
      };
    }) | ({
      type: "completed";
      id: string;
      run_id: string;
      at: string;
      message_id: string | null;
      agent: string | null;
      detail: {
        hop?: number | null;
        attempt?: number;
        contract?: string | null;
        model?: string | null;
        ms?: number;
        cost?: number;
        tokens?: number;
        [key: string]: unknown;
      };
    }) | ({
      type: "handed_off";
      id: string;
      run_id: string;
      at: string;
      message_id: string | null;
      agent: string | null;
      detail: {
        hop?: number | null;
        attempt?: number;
        contract?: string | null;
        model?: string | null;
        ms?: number;
        cost?: number;
        tokens?: number;
        next?: {
            message_id: string;
            agent: string;
            [key: string]: unknown;
          }[];
        [key: string]: unknown;
      };
    }) | ({
      type: "retry";
      id: string;
      run_id: string;
      at: string;
      message_id: string | null;
      agent: string | null;
      detail: {
        hop?: number | null;
        attempt?: number;
        contract?: string | null;
        model?: string | null;
        ms?: number;
        cost?: number;
        tokens?: number;
        class?: string;
        code?: string;
        delay_ms?: number;
        [key: string]: unknown;
      };
    }) | ({
      type: "postponed";
      id: string;
      run_id: string;
      at: string;
      message_id: string | null;
      agent: string | null;
      detail: {
        hop?: number | null;
        attempt?: number;
        contract?: string | null;
        model?: string | null;
        ms?: number;
        cost?: number;
        tokens?: number;
        class?: string;
        code?: string;
        delay_ms?: number;
        [key: string]: unknown;
      };
    }) | ({
      type: "in_ward";
      id: string;
      run_id: string;
      at: string;
      message_id: string | null;
      agent: string | null;
      detail: {
        hop?: number | null;
        attempt?: number;
        contract?: string | null;
        model?: string | null;
        ms?: number;
        cost?: number;
        tokens?: number;
        class?: string;
        code?: string;
        case_id?: string;
        [key: string]: unknown;
      };
    }) | ({
      type: "operation";
      id: string;
      run_id: string;
      at: string;
      message_id: string | null;
      agent: string | null;
      detail: {
        case_id?: string;
        cost?: number;
        tokens?: number;
        [key: string]: unknown;
      };
    }) | ({
      type: "discharged";
      id: string;
      run_id: string;
      at: string;
      message_id: string | null;
      agent: string | null;
      detail: {
        case_id?: string;
        to?: string;
        as?: string;
        [key: string]: unknown;
      };
    }) | ({
      type: "quarantined";
      id: string;
      run_id: string;
      at: string;
      message_id: string | null;
      agent: string | null;
      detail: {
        hop?: number | null;
        attempt?: number;
        contract?: string | null;
        model?: string | null;
        ms?: number;
        cost?: number;
        tokens?: number;
        class?: string;
        code?: string;
        case_id?: string;
        [key: string]: unknown;
      };
    }) | ({
      type: "released";
      id: string;
      run_id: string;
      at: string;
      message_id: string | null;
      agent: string | null;
      detail: {
        case_id?: string;
        to?: string;
        as?: string;
        [key: string]: unknown;
      };
    }) | ({
      type: "discarded";
      id: string;
      run_id: string;
      at: string;
      message_id: string | null;
      agent: string | null;
      detail: {
        case_id?: string;
        [key: string]: unknown;
      };
    }) | ({
      type: "rerouted";
      id: string;
      run_id: string;
      at: string;
      message_id: string | null;
      agent: string | null;
      detail: {
        case_id?: string;
        to?: string;
        as?: string;
        [key: string]: unknown;
      };
    }) | ({
      type: "carried";
      id: string;
      run_id: string;
      at: string;
      message_id: string | null;
      agent: string | null;
      detail: {
        cluster?: string;
        [key: string]: unknown;
      };
    }) | ({
      type: "arrived";
      id: string;
      run_id: string;
      at: string;
      message_id: string | null;
      agent: string | null;
      detail: {
        cluster?: string;
        [key: string]: unknown;
      };
    }) | ({
      type: "ended";
      id: string;
      run_id: string;
      at: string;
      message_id: string | null;
      agent: string | null;
      detail: {
        hop?: number | null;
        attempt?: number;
        contract?: string | null;
        model?: string | null;
        ms?: number;
        cost?: number;
        tokens?: number;
        class?: string;
        code?: string;
        end?: string;
        [key: string]: unknown;
      };
    });
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}



export interface operations {

  submitTask: {
    requestBody: {
      content: {
        "application/json": {
          team: string;
          input: unknown;
          user?: {
            user_id?: string | null;
            subscription_tier?: string | null;
            locale?: string;
            preferences?: {
              [key: string]: unknown;
            };
          };
          conversation?: {
            history?: ({
                role: "user" | "assistant" | "tool";
                content: string;
                name?: string;
                tool_call_id?: string;
              })[];
            tool_state?: {
              active_calls?: {
                  call_id: string;
                  tool: string;
                  arguments: {
                    [key: string]: unknown;
                  };
                }[];
              pending_approvals?: {
                  call_id: string;
                  tool: string;
                  arguments: {
                    [key: string]: unknown;
                  };
                }[];
            };
          };
          priority?: "high" | "normal" | "low";
          constraints?: string[] | {
            [key: string]: unknown;
          };
          budget?: {
            cost_limit?: number;
            token_limit?: number;
          };
          ttl_ms?: number | null;
          max_hops?: number;
          webhook?: {
            url: string;
            secret?: string;
          };
        };
      };
    };
    responses: {
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
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listRuns: {
    parameters: {
      query?: {
        status?: "queued"
          | "running"
          | "in_ward"
          | "quarantined"
          | "completed"
          | "failed"
          | "cancelled"
          | "expired";
        team?: string;
        limit?: number;
        cursor?: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            runs: ({
                run_id: string;
                trace_id: string;
                team: string;
                status: "queued"
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
                unreadable?: string[];
              })[];
            next_cursor: string | null;
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  showRun: {
    parameters: {
      query?: {
        wait?: number;
      };
      path: {
        run_id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            run_id: string;
            trace_id: string;
            team: string;
            status: "queued"
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
            unreadable?: string[];
            result: unknown;
            error: unknown;
            rehearsed: boolean;
            hops: ({
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
              })[];
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  streamRunEvents: {
    parameters: {
      query?: {
        format?: "plain" | "cloudevents";
      };
      path: {
        run_id: string;
      };
    };
    responses: {
      200: {
        content: {
          "text/event-stream": components["schemas"]["RunEvent"];
        };
      };
      204: {
        content: never;
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  cancelRun: {
    parameters: {
      path: {
        run_id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            run_id: string;
            trace_id: string;
            team: string;
            status: "queued"
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
            unreadable?: string[];
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  replayRun: {
    parameters: {
      path: {
        run_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          message_id?: string;
          data_payload?: unknown;
        };
      };
    };
    responses: {
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
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listRunSteps: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
      };
      path: {
        run_id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            run_id: string;
            steps: ({
                step_id: string;
                kind: "delivery" | "model" | "tool" | "step" | "effect" | "handoff" | "replacement";
                name: string | null;
                agent: string | null;
                message_id: string;
                hop: number | null;
                attempt: number | null;
                started_at: string | null;
                ended_at: string | null;
                ms: number | null;
                tokens: number | null;
                cost: number | null;
                model: string | null;
                round: string | null;
                outcome: string | null;
                failure: {
                  class: string;
                  code: string;
                  paths: string[];
                } | null;
                to: {
                  message_id: string;
                  agent: string;
                } | null;
                instructions: {
                  state: "whole"
          | "cut"
          | "partly_kept"
          | "none"
          | "not_recorded"
          | "gone"
          | "unverified"
          | "unreadable"
          | "withheld";
                  chars: number | null;
                  value: unknown;
                  text: string | null;
                  contract: string | null;
                };
                problems: string | null;
                input: {
                  state: "whole"
          | "cut"
          | "partly_kept"
          | "none"
          | "not_recorded"
          | "gone"
          | "unverified"
          | "unreadable"
          | "withheld";
                  chars: number | null;
                  value: unknown;
                  text: string | null;
                  contract: string | null;
                };
                output: {
                  state: "whole"
          | "cut"
          | "partly_kept"
          | "none"
          | "not_recorded"
          | "gone"
          | "unverified"
          | "unreadable"
          | "withheld";
                  chars: number | null;
                  value: unknown;
                  text: string | null;
                  contract: string | null;
                };
                diff: ({
                  used: ({
                      path: string;
                      how: "whole" | "part";
                      in: string[];
                      chars_sent: number;
                      chars_used: number;
                    })[];
                  unused: string[];
                  added: string[];
                  chars_sent: number;
                  chars_used: number;
                  is_partial: boolean;
                }) | null;
                conversation: {
                  turns_sent: number;
                  turns_used: number;
                  chars_sent: number;
                  chars_used: number;
                } | null;
              })[];
            is_masked: boolean;
            next_cursor: string | null;
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  showRunStep: {
    parameters: {
      path: {
        run_id: string;
        step_id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            step_id: string;
            kind: "delivery" | "model" | "tool" | "step" | "effect" | "handoff" | "replacement";
            name: string | null;
            agent: string | null;
            message_id: string;
            hop: number | null;
            attempt: number | null;
            started_at: string | null;
            ended_at: string | null;
            ms: number | null;
            tokens: number | null;
            cost: number | null;
            model: string | null;
            round: string | null;
            outcome: string | null;
            failure: {
              class: string;
              code: string;
              paths: string[];
            } | null;
            to: {
              message_id: string;
              agent: string;
            } | null;
            instructions: {
              state: "whole"
          | "cut"
          | "partly_kept"
          | "none"
          | "not_recorded"
          | "gone"
          | "unverified"
          | "unreadable"
          | "withheld";
              chars: number | null;
              value: unknown;
              text: string | null;
              contract: string | null;
            };
            problems: string | null;
            input: {
              state: "whole"
          | "cut"
          | "partly_kept"
          | "none"
          | "not_recorded"
          | "gone"
          | "unverified"
          | "unreadable"
          | "withheld";
              chars: number | null;
              value: unknown;
              text: string | null;
              contract: string | null;
            };
            output: {
              state: "whole"
          | "cut"
          | "partly_kept"
          | "none"
          | "not_recorded"
          | "gone"
          | "unverified"
          | "unreadable"
          | "withheld";
              chars: number | null;
              value: unknown;
              text: string | null;
              contract: string | null;
            };
            diff: ({
              used: ({
                  path: string;
                  how: "whole" | "part";
                  in: string[];
                  chars_sent: number;
                  chars_used: number;
                })[];
              unused: string[];
              added: string[];
              chars_sent: number;
              chars_used: number;
              is_partial: boolean;
            }) | null;
            conversation: {
              turns_sent: number;
              turns_used: number;
              chars_sent: number;
              chars_used: number;
            } | null;
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listHandoffs: {
    parameters: {
      query?: {
        span?: "hour" | "two_days";
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            span: "hour" | "two_days";
            teams: {
                team: string;
                entry: string;
                agents: string[];
              }[];
            handoffs: ({
                team: string | null;
                from: string;
                to: string;
                handoff_type: string;
                contract: string;
                loop: boolean;
                done: number;
                failed: number;
                success_rate: number | null;
                is_declared: boolean;
              })[];
            mermaid: string;
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  sendHandoff: {
    requestBody: {
      content: {
        "application/json": {
          target_agent: string;
          contract: string;
          data_payload: unknown;
          handoff_type?: string;
          user?: {
            user_id?: string | null;
            subscription_tier?: string | null;
            locale?: string;
            preferences?: {
              [key: string]: unknown;
            };
          };
          original_query?: string;
          priority?: "high" | "normal" | "low";
          ttl_ms?: number | null;
          budget?: {
            cost_limit?: number;
            token_limit?: number;
          };
          on_invalid?: "reject" | "ward";
        };
      };
    };
    responses: {
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
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  storeBlob: {
    requestBody?: {
      content: {
        "application/octet-stream": unknown;
      };
    };
    responses: {
      201: {
        content: {
          "application/json": {
            id: string;
            uri: string;
            mime_type: string;
            bytes: number;
            sha256: string;
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  readBlob: {
    parameters: {
      query?: {
        tenant?: string;
      };
      path: {
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/octet-stream": unknown;
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listAgents: {
    responses: {
      200: {
        content: {
          "application/json": {
            agents: ({
                agent: string;
                id: string;
                team: string;
                description: string;
                accepts: string;
                hands_to: string[];
                capabilities: string[];
                outside: boolean;
                declared: boolean;
                live: ({
                    instance: string;
                    version: number;
                    pid: number;
                    concurrency: number;
                    state: "working" | "held";
                    restarts: number;
                    waits_for_model: {
                      model: string;
                      reason: string;
                      since: string;
                    } | null;
                    started_at: string;
                    seen_at: string;
                  })[];
              })[];
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listTeams: {
    responses: {
      200: {
        content: {
          "application/json": {
            teams: ({
                team: string;
                description: string;
                entry: string;
                entry_contract: string;
                agents: string[];
                edges: ({
                    from: string;
                    to: string;
                    contract: string;
                    handoff_types: string[];
                    loop: boolean;
                    fallbacks: string[];
                    acknowledge_within_ms: number | null;
                  })[];
                contracts: string[];
                preferences: {
                  [key: string]: unknown;
                };
                constraints: {
                  [key: string]: unknown;
                };
                mermaid: string;
              })[];
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  showApi: {
    responses: {
      200: {
        content: {
          "application/json": unknown;
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  showContract: {
    parameters: {
      path: {
        contract: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/schema+json": unknown;
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listAgentTasks: {
    parameters: {
      query?: {
        current_page?: number;
        page_size?: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            tasks: ({
                input: string | null;
                additional_input: {
                  [key: string]: unknown;
                };
                task_id: string;
                artifacts: ({
                    artifact_id: string;
                    agent_created: boolean;
                    file_name: string;
                    relative_path: string | null;
                  })[];
              })[];
            pagination: {
              total_items: number;
              total_pages: number;
              current_page: number;
              page_size: number;
            };
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  createAgentTask: {
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
      200: {
        content: {
          "application/json": {
            input: string | null;
            additional_input: {
              [key: string]: unknown;
            };
            task_id: string;
            artifacts: ({
                artifact_id: string;
                agent_created: boolean;
                file_name: string;
                relative_path: string | null;
              })[];
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getAgentTask: {
    parameters: {
      path: {
        task_id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            input: string | null;
            additional_input: {
              [key: string]: unknown;
            };
            task_id: string;
            artifacts: ({
                artifact_id: string;
                agent_created: boolean;
                file_name: string;
                relative_path: string | null;
              })[];
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
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
      200: {
        content: {
          "application/json": {
            steps: ({
                input: string | null;
                additional_input: {
                  [key: string]: unknown;
                };
                task_id: string;
                step_id: string;
                name: string | null;
                status: "created" | "running" | "completed";
                output: string | null;
                additional_output: {
                  [key: string]: unknown;
                };
                artifacts: ({
                    artifact_id: string;
                    agent_created: boolean;
                    file_name: string;
                    relative_path: string | null;
                  })[];
                is_last: boolean;
              })[];
            pagination: {
              total_items: number;
              total_pages: number;
              current_page: number;
              page_size: number;
            };
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
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
      200: {
        content: {
          "application/json": {
            input: string | null;
            additional_input: {
              [key: string]: unknown;
            };
            task_id: string;
            step_id: string;
            name: string | null;
            status: "created" | "running" | "completed";
            output: string | null;
            additional_output: {
              [key: string]: unknown;
            };
            artifacts: ({
                artifact_id: string;
                agent_created: boolean;
                file_name: string;
                relative_path: string | null;
              })[];
            is_last: boolean;
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getAgentTaskStep: {
    parameters: {
      path: {
        task_id: string;
        step_id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            input: string | null;
            additional_input: {
              [key: string]: unknown;
            };
            task_id: string;
            step_id: string;
            name: string | null;
            status: "created" | "running" | "completed";
            output: string | null;
            additional_output: {
              [key: string]: unknown;
            };
            artifacts: ({
                artifact_id: string;
                agent_created: boolean;
                file_name: string;
                relative_path: string | null;
              })[];
            is_last: boolean;
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
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
      200: {
        content: {
          "application/json": {
            artifacts: ({
                artifact_id: string;
                agent_created: boolean;
                file_name: string;
                relative_path: string | null;
              })[];
            pagination: {
              total_items: number;
              total_pages: number;
              current_page: number;
              page_size: number;
            };
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
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
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  downloadAgentTaskArtifact: {
    parameters: {
      path: {
        task_id: string;
        artifact_id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/octet-stream": unknown;
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  downloadAgentArtifact: {
    parameters: {
      path: {
        artifact_id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/octet-stream": unknown;
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  showReadiness: {
    responses: {
      200: {
        content: {
          "application/json": {
            status: "ready"
          | "degraded"
          | "stopping"
          | "store_unreachable"
          | "replicas_missing"
          | "store_full"
          | "queues_full"
          | "ward_full"
          | "queue_damaged"
          | "agents_missing";
            parts: ({
                part: string;
                state: "ok" | "failed";
                detail: string;
              })[];
          };
        };
      };
      503: {
        content: {
          "application/json": {
            status: "ready"
          | "degraded"
          | "stopping"
          | "store_unreachable"
          | "replicas_missing"
          | "store_full"
          | "queues_full"
          | "ward_full"
          | "queue_damaged"
          | "agents_missing";
            parts: ({
                part: string;
                state: "ok" | "failed";
                detail: string;
              })[];
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  showMetrics: {
    responses: {
      200: {
        content: {
          "text/plain": unknown;
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  showStats: {
    responses: {
      200: {
        content: {
          "application/json": {
            equation: {
              submitted: number;
              completed: number;
              failed: number;
              cancelled: number;
              expired: number;
              waiting: number;
              lost: number;
              balanced: boolean;
            };
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
            waiting: {
              queue: number;
              retry: number;
              ward: number;
              quarantine: number;
            };
            runs: {
              [key: string]: number;
            };
            queues: ({
                agent: string;
                lane: "fresh" | "retry";
                waiting: number;
                active: number;
                delayed: number;
                failed: number;
                damage: string | null;
              })[];
            outbox: {
              [key: string]: number;
            };
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  showLiveness: {
    responses: {
      200: {
        content: {
          "application/json": {
            status: "ok";
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  showSession: {
    responses: {
      200: {
        content: {
          "application/json": {
            name: string;
            role: "viewer" | "operator" | "admin";
            is_rehearsal: boolean;
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  logIn: {
    requestBody: {
      content: {
        "application/json": {
          token: string;
        } | {
          api_key: string;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            name: string;
            role: "viewer" | "operator" | "admin";
            is_rehearsal: boolean;
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  logOut: {
    responses: {
      204: {
        content: never;
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  showOverview: {
    responses: {
      200: {
        content: {
          "application/json": {
            at: string;
            is_rehearsal: boolean;
            equation: {
              submitted: number;
              completed: number;
              failed: number;
              cancelled: number;
              expired: number;
              waiting: number;
              lost: number;
              balanced: boolean;
            };
            runs: {
              [key: string]: number;
            };
            ward: {
              admitted: number;
              in_surgery: number;
              quarantined: number;
              discharged: number;
              released: number;
              discarded: number;
            };
            queues: ({
                agent: string;
                lane: "fresh" | "retry" | "ward";
                waiting: number;
                active: number;
                delayed: number;
                failed: number;
                is_paused: boolean;
                damage: string | null;
              })[];
            agents: ({
                agent: string;
                id: string;
                team: string;
                description: string;
                accepts: string;
                hands_to: string[];
                capabilities: string[];
                outside: boolean;
                declared: boolean;
                live: ({
                    instance: string;
                    version: number;
                    pid: number;
                    concurrency: number;
                    state: "working" | "held";
                    restarts: number;
                    waits_for_model: {
                      model: string;
                      reason: string;
                      since: string;
                    } | null;
                    started_at: string;
                    seen_at: string;
                  })[];
              })[];
            surgery_cost_this_hour: number;
            surgery_limits: {
              cost_per_case: number;
              cost_per_hour: number;
              cost_per_group: number;
            };
            surgery_held: {
              since_ms: number;
              until_ms: number;
              refusals: number;
            } | null;
            circuits: ({
                agent: string;
                state: "closed" | "open" | "half_open";
                generation: number;
                changed_ms: number;
                until_ms: number | null;
                held_by: string | null;
                outputs: number;
                malformed: number;
                reaction: string;
              })[];
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  streamEvents: {
    responses: {
      200: {
        content: {
          "text/event-stream": unknown;
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  showCosts: {
    responses: {
      200: {
        content: {
          "application/json": {
            hours: number[];
            this_hour: number;
            left_this_hour: number;
            limits: {
              cost_per_case: number;
              cost_per_hour: number;
              cost_per_group: number;
            };
            held: {
              since_ms: number;
              until_ms: number;
              refusals: number;
            } | null;
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listQueues: {
    responses: {
      200: {
        content: {
          "application/json": {
            queues: ({
                agent: string;
                lane: "fresh" | "retry" | "ward";
                waiting: number;
                active: number;
                delayed: number;
                failed: number;
                is_paused: boolean;
                damage: string | null;
              })[];
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  pauseQueue: {
    parameters: {
      path: {
        agent: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          why?: string;
          version?: number;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            queues: ({
                agent: string;
                lane: "fresh" | "retry" | "ward";
                waiting: number;
                active: number;
                delayed: number;
                failed: number;
                is_paused: boolean;
                damage: string | null;
              })[];
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  resumeQueue: {
    parameters: {
      path: {
        agent: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          why?: string;
          version?: number;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            queues: ({
                agent: string;
                lane: "fresh" | "retry" | "ward";
                waiting: number;
                active: number;
                delayed: number;
                failed: number;
                is_paused: boolean;
                damage: string | null;
              })[];
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listRates: {
    parameters: {
      query?: {
        span?: "hour" | "two_days";
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            span: "hour" | "two_days";
            producers: ({
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
              })[];
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listCircuits: {
    responses: {
      200: {
        content: {
          "application/json": {
            circuits: ({
                agent: string;
                state: "closed" | "open" | "half_open";
                generation: number;
                changed_ms: number;
                until_ms: number | null;
                held_by: string | null;
                outputs: number;
                malformed: number;
                reaction: string;
                declared: {
                  threshold: number;
                  outputs_min: number;
                  window_ms: number;
                  cooldown_ms: number;
                  trial_share: number;
                  trial_outputs: number;
                } | null;
                counted: {
                  outputs: number;
                  malformed: number;
                };
              })[];
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  openCircuit: {
    parameters: {
      path: {
        agent: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          why?: string;
          version?: number;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            agent: string;
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
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  closeCircuit: {
    parameters: {
      path: {
        agent: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          why?: string;
          version?: number;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            agent: string;
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
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listGroups: {
    parameters: {
      query?: {
        attention?: "regressed"
          | "failing_again"
          | "waiting"
          | "looked_after"
          | "in_treatment"
          | "quiet";
        lifecycle?: "open" | "acknowledged" | "resolved" | "regressed";
        text?: string;
        sort?: "need" | "last_seen" | "first_seen" | "open" | "count" | "replays" | "cost";
        limit?: number;
        offset?: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            groups: ({
                fingerprint: string;
                count: number;
                open: number;
                first_seen_ms: number;
                last_seen_ms: number;
                producer: string;
                lifecycle: "open" | "acknowledged" | "resolved" | "regressed";
                version: number;
                marked_ms: number | null;
                resolution: ({
                  by: string;
                  at_ms: number;
                  since: {
                    name: string;
                    version: number;
                  } | null;
                }) | null;
                regression: {
                  producer: string;
                  at_ms: number;
                } | null;
                sent_on: number;
                replays: number;
                cost: number;
                trend: number[];
                rest: {
                  until_ms: number | null;
                  why: string;
                  waiting: number;
                };
                quarantined: number;
                attention: "regressed"
          | "failing_again"
          | "waiting"
          | "looked_after"
          | "in_treatment"
          | "quiet";
                recipe: ({
                  recipe_id: string;
                  state: "proposed" | "trial" | "trusted" | "retired";
                }) | null;
              })[];
            total: number;
            is_cut: boolean;
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  showGroup: {
    parameters: {
      path: {
        fingerprint: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            fingerprint: string;
            count: number;
            open: number;
            first_seen_ms: number;
            last_seen_ms: number;
            producer: string;
            lifecycle: "open" | "acknowledged" | "resolved" | "regressed";
            version: number;
            marked_ms: number | null;
            resolution: ({
              by: string;
              at_ms: number;
              since: {
                name: string;
                version: number;
              } | null;
            }) | null;
            regression: {
              producer: string;
              at_ms: number;
            } | null;
            sent_on: number;
            replays: number;
            cost: number;
            trend: number[];
            rest: {
              until_ms: number | null;
              why: string;
              waiting: number;
            };
            quarantined: number;
            attention: "regressed"
          | "failing_again"
          | "waiting"
          | "looked_after"
          | "in_treatment"
          | "quiet";
            recipe: ({
              recipe_id: string;
              state: "proposed" | "trial" | "trusted" | "retired";
            }) | null;
            recipes: ({
                recipe_id: string;
                fingerprint: string;
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
                healed: number;
              })[];
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
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  acknowledgeGroup: {
    parameters: {
      path: {
        fingerprint: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          why?: string;
          version?: number;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            fingerprint: string;
            count: number;
            open: number;
            first_seen_ms: number;
            last_seen_ms: number;
            producer: string;
            lifecycle: "open" | "acknowledged" | "resolved" | "regressed";
            version: number;
            marked_ms: number | null;
            resolution: ({
              by: string;
              at_ms: number;
              since: {
                name: string;
                version: number;
              } | null;
            }) | null;
            regression: {
              producer: string;
              at_ms: number;
            } | null;
            sent_on: number;
            replays: number;
            cost: number;
            trend: number[];
            rest: {
              until_ms: number | null;
              why: string;
              waiting: number;
            };
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
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
      200: {
        content: {
          "application/json": {
            fingerprint: string;
            count: number;
            open: number;
            first_seen_ms: number;
            last_seen_ms: number;
            producer: string;
            lifecycle: "open" | "acknowledged" | "resolved" | "regressed";
            version: number;
            marked_ms: number | null;
            resolution: ({
              by: string;
              at_ms: number;
              since: {
                name: string;
                version: number;
              } | null;
            }) | null;
            regression: {
              producer: string;
              at_ms: number;
            } | null;
            sent_on: number;
            replays: number;
            cost: number;
            trend: number[];
            rest: {
              until_ms: number | null;
              why: string;
              waiting: number;
            };
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  reopenGroup: {
    parameters: {
      path: {
        fingerprint: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          why?: string;
          version?: number;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            fingerprint: string;
            count: number;
            open: number;
            first_seen_ms: number;
            last_seen_ms: number;
            producer: string;
            lifecycle: "open" | "acknowledged" | "resolved" | "regressed";
            version: number;
            marked_ms: number | null;
            resolution: ({
              by: string;
              at_ms: number;
              since: {
                name: string;
                version: number;
              } | null;
            }) | null;
            regression: {
              producer: string;
              at_ms: number;
            } | null;
            sent_on: number;
            replays: number;
            cost: number;
            trend: number[];
            rest: {
              until_ms: number | null;
              why: string;
              waiting: number;
            };
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  applyToGroup: {
    parameters: {
      path: {
        fingerprint: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          decision: "operate" | "release" | "discard";
          why: string;
          canary?: number;
          rate_per_second?: number;
        };
      };
    };
    responses: {
      202: {
        content: {
          "application/json": {
            batch_id: string;
            fingerprint: string;
            decision: "operate" | "release" | "discard" | "restore";
            by: string;
            why: string;
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
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listApplies: {
    parameters: {
      query?: {
        fingerprint?: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            applies: ({
                batch_id: string;
                fingerprint: string;
                decision: "operate" | "release" | "discard" | "restore";
                by: string;
                why: string;
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
              })[];
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  showApply: {
    parameters: {
      path: {
        batch_id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            batch_id: string;
            fingerprint: string;
            decision: "operate" | "release" | "discard" | "restore";
            by: string;
            why: string;
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
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
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
      200: {
        content: {
          "application/json": {
            cases: ({
                case_id: string;
                status: ("admitted"
          | "in_surgery"
          | "quarantined"
          | "discharged"
          | "released"
          | "discarded")
          | null;
                agent: string;
                result: "not_yet" | "refused" | "under_way" | "went_on" | "died_again" | "ended";
              })[];
            total: number;
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  startApply: {
    parameters: {
      path: {
        batch_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          why?: string;
          version?: number;
        };
      };
    };
    responses: {
      202: {
        content: {
          "application/json": {
            batch_id: string;
            fingerprint: string;
            decision: "operate" | "release" | "discard" | "restore";
            by: string;
            why: string;
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
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  stopApply: {
    parameters: {
      path: {
        batch_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          why?: string;
          version?: number;
        };
      };
    };
    responses: {
      202: {
        content: {
          "application/json": {
            batch_id: string;
            fingerprint: string;
            decision: "operate" | "release" | "discard" | "restore";
            by: string;
            why: string;
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
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
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
      202: {
        content: {
          "application/json": {
            batch_id: string;
            fingerprint: string;
            decision: "operate" | "release" | "discard" | "restore";
            by: string;
            why: string;
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
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listCases: {
    parameters: {
      query?: {
        status?: "admitted"
          | "in_surgery"
          | "quarantined"
          | "discharged"
          | "released"
          | "discarded";
        fingerprint?: string;
        agent?: string;
        run_id?: string;
        failure_class?: "parse_error"
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
      200: {
        content: {
          "application/json": {
            cases: ({
                case_id: string;
                version: number;
                status: "admitted"
          | "in_surgery"
          | "quarantined"
          | "discharged"
          | "released"
          | "discarded";
                fingerprint: string;
                failure_class: "parse_error"
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
                disposition: "operate" | "quarantine" | "reroute";
                subject: "payload" | "answer";
                producer: string;
                messages: number;
                operations: number;
                reroutes: number;
                taboo: string[];
                decision: ({
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
                }) | null;
                proposal: ({
                  by: string;
                  why: string;
                  at: string;
                  payload: string;
                  paths: string[];
                  decision?: {
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
                }) | null;
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
              })[];
            cursor: string | null;
            searched: number;
            total: number;
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  showCase: {
    parameters: {
      path: {
        case_id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            case: {
              case_id: string;
              version: number;
              status: "admitted"
          | "in_surgery"
          | "quarantined"
          | "discharged"
          | "released"
          | "discarded";
              fingerprint: string;
              failure_class: "parse_error"
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
              disposition: "operate" | "quarantine" | "reroute";
              subject: "payload" | "answer";
              producer: string;
              messages: number;
              operations: number;
              reroutes: number;
              taboo: string[];
              decision: ({
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
              }) | null;
              proposal: ({
                by: string;
                why: string;
                at: string;
                payload: string;
                paths: string[];
                decision?: {
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
              }) | null;
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
            message: ({
              failures: ({
                  failure_class: "parse_error"
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
                  severity: "warning" | "recoverable" | "fatal";
                  direction: "in" | "out" | "run";
                  agent: string;
                  contract: string | null;
                  issues: {
                      path: string;
                      code: string;
                      message: string;
                    }[];
                  step: string | null;
                  stack?: string[];
                  model: string | null;
                  prompt_version: string | null;
                  at: string;
                })[];
              producer: {
                agent: string;
                contract: string;
                model: string | null;
                prompt_version: string | null;
              };
              subject: {
                kind: "payload";
              } | {
                kind: "answer";
                step: string;
                text: string;
              };
              stored: string;
              time_left_ms: number;
              admitted_by: string;
              at: string;
              contract: string;
            }) | null;
            original: {
              text: string;
              is_json: boolean;
            } | null;
            contract: {
              id: string;
              schema: unknown;
            } | null;
            original_query: string | null;
            approval: {
              call_id: string;
              tool: string;
              arguments: unknown;
            } | null;
            repair: ({
              value: unknown;
              procedure: "triage" | "recipe" | "first_aid" | "strong_model" | "person";
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
                  path: string;
                  code: string;
                  message: string;
                  value?: unknown;
                }[];
              evidence: ({
                values: ({
                    path: string;
                    rules: string[];
                    piece: string | null;
                  })[];
                unused: ({
                    name: string | null;
                    reason: "not_declared" | "another_value" | "left_out" | "unnamed";
                    piece: string;
                  })[];
              }) | null;
            }) | null;
            marks: ({
                path: string;
                code: string;
                message: string;
                from: "failure" | "objection";
              })[];
            history: ({
                number: number;
                message_id: string;
                attempts: ({
                    procedure: "triage" | "recipe" | "first_aid" | "strong_model" | "person";
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
                  })[];
                by: string;
                at: string;
                trimmed: boolean;
              })[];
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
            run: ({
              run_id: string;
              team: string;
              status: "queued"
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
            }) | null;
            timeline: ({
                id: string;
                run_id: string;
                type: string;
                at: string;
                message_id: string | null;
                agent: string | null;
                detail: {
                  [key: string]: unknown;
                };
              })[];
            actions: ("operate" | "release" | "redirect" | "approve" | "discard" | "restore")[];
            redirects: string[];
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
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
          path?: string;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            case: {
              case_id: string;
              version: number;
              status: "admitted"
          | "in_surgery"
          | "quarantined"
          | "discharged"
          | "released"
          | "discarded";
              fingerprint: string;
              failure_class: "parse_error"
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
              disposition: "operate" | "quarantine" | "reroute";
              subject: "payload" | "answer";
              producer: string;
              messages: number;
              operations: number;
              reroutes: number;
              taboo: string[];
              decision: ({
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
              }) | null;
              proposal: ({
                by: string;
                why: string;
                at: string;
                payload: string;
                paths: string[];
                decision?: {
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
              }) | null;
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
            message: ({
              failures: ({
                  failure_class: "parse_error"
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
                  severity: "warning" | "recoverable" | "fatal";
                  direction: "in" | "out" | "run";
                  agent: string;
                  contract: string | null;
                  issues: {
                      path: string;
                      code: string;
                      message: string;
                    }[];
                  step: string | null;
                  stack?: string[];
                  model: string | null;
                  prompt_version: string | null;
                  at: string;
                })[];
              producer: {
                agent: string;
                contract: string;
                model: string | null;
                prompt_version: string | null;
              };
              subject: {
                kind: "payload";
              } | {
                kind: "answer";
                step: string;
                text: string;
              };
              stored: string;
              time_left_ms: number;
              admitted_by: string;
              at: string;
              contract: string;
            }) | null;
            original: {
              text: string;
              is_json: boolean;
            } | null;
            contract: {
              id: string;
              schema: unknown;
            } | null;
            original_query: string | null;
            approval: {
              call_id: string;
              tool: string;
              arguments: unknown;
            } | null;
            repair: ({
              value: unknown;
              procedure: "triage" | "recipe" | "first_aid" | "strong_model" | "person";
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
                  path: string;
                  code: string;
                  message: string;
                  value?: unknown;
                }[];
              evidence: ({
                values: ({
                    path: string;
                    rules: string[];
                    piece: string | null;
                  })[];
                unused: ({
                    name: string | null;
                    reason: "not_declared" | "another_value" | "left_out" | "unnamed";
                    piece: string;
                  })[];
              }) | null;
            }) | null;
            marks: ({
                path: string;
                code: string;
                message: string;
                from: "failure" | "objection";
              })[];
            history: ({
                number: number;
                message_id: string;
                attempts: ({
                    procedure: "triage" | "recipe" | "first_aid" | "strong_model" | "person";
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
                  })[];
                by: string;
                at: string;
                trimmed: boolean;
              })[];
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
            run: ({
              run_id: string;
              team: string;
              status: "queued"
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
            }) | null;
            timeline: ({
                id: string;
                run_id: string;
                type: string;
                at: string;
                message_id: string | null;
                agent: string | null;
                detail: {
                  [key: string]: unknown;
                };
              })[];
            actions: ("operate" | "release" | "redirect" | "approve" | "discard" | "restore")[];
            redirects: string[];
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
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
      200: {
        content: {
          "application/json": {
            acceptable: boolean;
            issues: {
                path: string;
                code: string;
                message: string;
              }[];
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
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
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
      202: {
        content: {
          "application/json": {
            case_id: string;
            version: number;
            status: "admitted"
          | "in_surgery"
          | "quarantined"
          | "discharged"
          | "released"
          | "discarded";
            fingerprint: string;
            failure_class: "parse_error"
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
            disposition: "operate" | "quarantine" | "reroute";
            subject: "payload" | "answer";
            producer: string;
            messages: number;
            operations: number;
            reroutes: number;
            taboo: string[];
            decision: ({
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
            }) | null;
            proposal: ({
              by: string;
              why: string;
              at: string;
              payload: string;
              paths: string[];
              decision?: {
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
            }) | null;
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
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
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
      202: {
        content: {
          "application/json": {
            case_id: string;
            version: number;
            status: "admitted"
          | "in_surgery"
          | "quarantined"
          | "discharged"
          | "released"
          | "discarded";
            fingerprint: string;
            failure_class: "parse_error"
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
            disposition: "operate" | "quarantine" | "reroute";
            subject: "payload" | "answer";
            producer: string;
            messages: number;
            operations: number;
            reroutes: number;
            taboo: string[];
            decision: ({
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
            }) | null;
            proposal: ({
              by: string;
              why: string;
              at: string;
              payload: string;
              paths: string[];
              decision?: {
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
            }) | null;
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
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
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
      202: {
        content: {
          "application/json": {
            case_id: string;
            version: number;
            status: "admitted"
          | "in_surgery"
          | "quarantined"
          | "discharged"
          | "released"
          | "discarded";
            fingerprint: string;
            failure_class: "parse_error"
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
            disposition: "operate" | "quarantine" | "reroute";
            subject: "payload" | "answer";
            producer: string;
            messages: number;
            operations: number;
            reroutes: number;
            taboo: string[];
            decision: ({
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
            }) | null;
            proposal: ({
              by: string;
              why: string;
              at: string;
              payload: string;
              paths: string[];
              decision?: {
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
            }) | null;
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
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
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
      202: {
        content: {
          "application/json": {
            case_id: string;
            version: number;
            status: "admitted"
          | "in_surgery"
          | "quarantined"
          | "discharged"
          | "released"
          | "discarded";
            fingerprint: string;
            failure_class: "parse_error"
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
            disposition: "operate" | "quarantine" | "reroute";
            subject: "payload" | "answer";
            producer: string;
            messages: number;
            operations: number;
            reroutes: number;
            taboo: string[];
            decision: ({
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
            }) | null;
            proposal: ({
              by: string;
              why: string;
              at: string;
              payload: string;
              paths: string[];
              decision?: {
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
            }) | null;
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
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  restoreCase: {
    parameters: {
      path: {
        case_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          why?: string;
          version?: number;
        };
      };
    };
    responses: {
      202: {
        content: {
          "application/json": {
            case_id: string;
            version: number;
            status: "admitted"
          | "in_surgery"
          | "quarantined"
          | "discharged"
          | "released"
          | "discarded";
            fingerprint: string;
            failure_class: "parse_error"
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
            disposition: "operate" | "quarantine" | "reroute";
            subject: "payload" | "answer";
            producer: string;
            messages: number;
            operations: number;
            reroutes: number;
            taboo: string[];
            decision: ({
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
            }) | null;
            proposal: ({
              by: string;
              why: string;
              at: string;
              payload: string;
              paths: string[];
              decision?: {
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
            }) | null;
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
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
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
      202: {
        content: {
          "application/json": {
            case_id: string;
            version: number;
            status: "admitted"
          | "in_surgery"
          | "quarantined"
          | "discharged"
          | "released"
          | "discarded";
            fingerprint: string;
            failure_class: "parse_error"
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
            disposition: "operate" | "quarantine" | "reroute";
            subject: "payload" | "answer";
            producer: string;
            messages: number;
            operations: number;
            reroutes: number;
            taboo: string[];
            decision: ({
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
            }) | null;
            proposal: ({
              by: string;
              why: string;
              at: string;
              payload: string;
              paths: string[];
              decision?: {
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
            }) | null;
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
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  operateCase: {
    parameters: {
      path: {
        case_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          why?: string;
          version?: number;
        };
      };
    };
    responses: {
      202: {
        content: {
          "application/json": {
            case_id: string;
            version: number;
            status: "admitted"
          | "in_surgery"
          | "quarantined"
          | "discharged"
          | "released"
          | "discarded";
            fingerprint: string;
            failure_class: "parse_error"
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
            disposition: "operate" | "quarantine" | "reroute";
            subject: "payload" | "answer";
            producer: string;
            messages: number;
            operations: number;
            reroutes: number;
            taboo: string[];
            decision: ({
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
            }) | null;
            proposal: ({
              by: string;
              why: string;
              at: string;
              payload: string;
              paths: string[];
              decision?: {
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
            }) | null;
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
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
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
      200: {
        content: {
          "application/json": {
            run_id: string;
            team: string;
            status: "queued"
          | "running"
          | "in_ward"
          | "quarantined"
          | "completed"
          | "failed"
          | "cancelled"
          | "expired";
            result: unknown;
            error: unknown;
            events: ({
                id: string;
                run_id: string;
                type: string;
                at: string;
                message_id: string | null;
                agent: string | null;
                detail: {
                  [key: string]: unknown;
                };
              })[];
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listRecipes: {
    parameters: {
      query?: {
        state?: "proposed" | "trial" | "trusted" | "retired";
        fingerprint?: string;
        text?: string;
        limit?: number;
        offset?: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            recipes: ({
                recipe_id: string;
                fingerprint: string;
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
                healed: number;
              })[];
            total: number;
            counts: {
              [key: string]: number;
            };
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  showRecipe: {
    parameters: {
      path: {
        recipe_id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            recipe_id: string;
            fingerprint: string;
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
            healed: number;
            group: ({
              fingerprint: string;
              count: number;
              open: number;
              first_seen_ms: number;
              last_seen_ms: number;
              producer: string;
              lifecycle: "open" | "acknowledged" | "resolved" | "regressed";
              version: number;
              marked_ms: number | null;
              resolution: ({
                by: string;
                at_ms: number;
                since: {
                  name: string;
                  version: number;
                } | null;
              }) | null;
              regression: {
                producer: string;
                at_ms: number;
              } | null;
              sent_on: number;
              replays: number;
              cost: number;
              trend: number[];
              rest: {
                until_ms: number | null;
                why: string;
                waiting: number;
              };
              quarantined: number;
              attention: "regressed"
          | "failing_again"
          | "waiting"
          | "looked_after"
          | "in_treatment"
          | "quiet";
              recipe: ({
                recipe_id: string;
                state: "proposed" | "trial" | "trusted" | "retired";
              }) | null;
            }) | null;
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
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
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
            version: 1;
            operations: ({
                op: "rename";
                path: string;
                to: string;
              } | {
                op: "move";
                from: string;
                path: string;
              } | ({
                op: "wrap";
                path: string;
                in: "array" | {
                  key: string;
                };
              }) | {
                op: "unwrap";
                path: string;
                key?: string;
              } | ({
                op: "coerce";
                path: string;
                to: "string" | "number" | "integer" | "boolean";
              }) | ({
                op: "map_value";
                path: string;
                map: ({
                    from: string | number | boolean | null;
                    to: string | number | boolean | null;
                  })[];
              }) | {
                op: "set_default";
                path: string;
                value: unknown;
              } | {
                op: "delete";
                path: string;
              } | {
                op: "parse_json";
                path: string;
              } | {
                op: "split";
                path: string;
                by: string;
              } | {
                op: "join";
                path: string;
                by: string;
              })[];
          };
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            proved: number;
            failed: number;
            idle: number;
            messages: ({
                case_id: string;
                result: "proved" | "failed" | "idle";
                objections: {
                    path: string;
                    code: string;
                    message: string;
                  }[];
              })[];
            is_cut: boolean;
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  approveRecipe: {
    parameters: {
      path: {
        recipe_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          why?: string;
          version?: number;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            recipe_id: string;
            fingerprint: string;
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
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
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
            version: 1;
            operations: ({
                op: "rename";
                path: string;
                to: string;
              } | {
                op: "move";
                from: string;
                path: string;
              } | ({
                op: "wrap";
                path: string;
                in: "array" | {
                  key: string;
                };
              }) | {
                op: "unwrap";
                path: string;
                key?: string;
              } | ({
                op: "coerce";
                path: string;
                to: "string" | "number" | "integer" | "boolean";
              }) | ({
                op: "map_value";
                path: string;
                map: ({
                    from: string | number | boolean | null;
                    to: string | number | boolean | null;
                  })[];
              }) | {
                op: "set_default";
                path: string;
                value: unknown;
              } | {
                op: "delete";
                path: string;
              } | {
                op: "parse_json";
                path: string;
              } | {
                op: "split";
                path: string;
                by: string;
              } | {
                op: "join";
                path: string;
                by: string;
              })[];
          };
          why: string;
          version?: number;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            recipe_id: string;
            fingerprint: string;
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
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  retireRecipe: {
    parameters: {
      path: {
        recipe_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          why?: string;
          version?: number;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            recipe_id: string;
            fingerprint: string;
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
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listAttached: {
    responses: {
      200: {
        content: {
          "application/json": {
            queues: ({
                name: string;
                seal: "unsealed";
                has_contract: boolean;
                problem: string | null;
                counts: {
                  failed: number;
                  waiting: number;
                  active: number;
                  delayed: number;
                } | null;
                survey: {
                  at_ms: number;
                  looked: number;
                  is_complete: boolean;
                  groups: {
                      id: string;
                      job_name: string;
                      faults: string[];
                      error: string;
                      count: number;
                      examples: string[];
                    }[];
                  groups_total: number;
                } | null;
                apply: ({
                  group: string;
                  by: string;
                  is_dry_run: boolean;
                  began_ms: number;
                  state: "running" | "ended" | "failed";
                  report: ({
                    batch: string;
                    matched: number;
                    sent: number;
                    held: {
                      [key: string]: number;
                    };
                    unrepaired: number;
                    stopped: ("canary_failed" | "canary_pending" | "cancelled") | null;
                    examples: {
                        job: string;
                        changes: string[];
                      }[];
                  }) | null;
                  problem: string | null;
                }) | null;
              })[];
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listAttachedCases: {
    parameters: {
      query: {
        group: string;
        limit?: number;
        after?: string;
      };
      path: {
        queue: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            cases: ({
                job: string;
                name: string;
                seal: "unsealed";
                group: string;
                version: string;
                data: string | null;
                bytes: number;
                failed_reason: string;
                stacktrace: string;
                attempts: number;
                added_ms: number | null;
                failed_ms: number;
              })[];
            next: string | null;
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  checkAttachedData: {
    parameters: {
      path: {
        queue: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          job: string;
          payload_text: string;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            acceptable: boolean;
            issues: {
                path: string;
                code: string;
                message: string;
              }[];
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  editAttachedJob: {
    parameters: {
      path: {
        queue: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          job: string;
          version: string;
          payload_text: string;
          why: string;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            job: string;
            parent: "none" | "waiting" | "failed";
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  redriveAttachedJob: {
    parameters: {
      path: {
        queue: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          job: string;
          version: string;
          payload_text?: string;
          accepts_effects?: boolean;
          why: string;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            job: string;
            parent: "none" | "waiting" | "failed";
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  applyToAttachedGroup: {
    parameters: {
      path: {
        queue: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          group: string;
          repair: "rules" | "none";
          is_dry_run?: boolean;
          canary?: number;
          accepts_effects?: boolean;
          why?: string;
        };
      };
    };
    responses: {
      202: {
        content: {
          "application/json": {
            group: string;
            by: string;
            is_dry_run: boolean;
            began_ms: number;
            state: "running" | "ended" | "failed";
            report: ({
              batch: string;
              matched: number;
              sent: number;
              held: {
                [key: string]: number;
              };
              unrepaired: number;
              stopped: ("canary_failed" | "canary_pending" | "cancelled") | null;
              examples: {
                  job: string;
                  changes: string[];
                }[];
            }) | null;
            problem: string | null;
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  stopAttachedApply: {
    parameters: {
      path: {
        queue: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          why?: string;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            group: string;
            by: string;
            is_dry_run: boolean;
            began_ms: number;
            state: "running" | "ended" | "failed";
            report: ({
              batch: string;
              matched: number;
              sent: number;
              held: {
                [key: string]: number;
              };
              unrepaired: number;
              stopped: ("canary_failed" | "canary_pending" | "cancelled") | null;
              examples: {
                  job: string;
                  changes: string[];
                }[];
            }) | null;
            problem: string | null;
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  undoAttachedEdit: {
    parameters: {
      path: {
        queue: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          job: string;
          why: string;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            job: string;
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  undoAttachedBatch: {
    parameters: {
      path: {
        queue: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          batch: string;
          why: string;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            outcomes: {
              [key: string]: number;
            };
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listAttachedAudit: {
    parameters: {
      query?: {
        limit?: number;
      };
      path: {
        queue: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            audit: {
                at_ms: number;
                by: string;
                deed: string;
                job: string;
                batch: string;
              }[];
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listApiKeys: {
    responses: {
      200: {
        content: {
          "application/json": {
            keys: ({
                name: string;
                tenant: string;
                scope: "viewer" | "submit" | "operator" | "admin";
                teams: string[] | null;
                quotas: {
                  requests_per_minute?: number;
                  running_runs?: number;
                  waiting_runs?: number;
                  cost_per_day?: number;
                };
                created_by: string;
                created_at: string;
                expires_at: string | null;
                is_expired: boolean;
                use: {
                  running_runs: number;
                  waiting_runs: number;
                  cost_today: number;
                } | null;
              })[];
            teams: string[];
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  createApiKey: {
    requestBody: {
      content: {
        "application/json": {
          name: string;
          tenant?: string;
          scope: "viewer" | "submit" | "operator" | "admin";
          teams?: string[] | null;
          quotas?: {
            requests_per_minute?: number;
            running_runs?: number;
            waiting_runs?: number;
            cost_per_day?: number;
          };
          expires_at?: string | null;
          why?: string;
        };
      };
    };
    responses: {
      201: {
        content: {
          "application/json": {
            name: string;
            tenant: string;
            scope: "viewer" | "submit" | "operator" | "admin";
            teams: string[] | null;
            quotas: {
              requests_per_minute?: number;
              running_runs?: number;
              waiting_runs?: number;
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
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  revokeApiKey: {
    parameters: {
      path: {
        name: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          why?: string;
          version?: number;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            revoked: string;
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listAudit: {
    parameters: {
      query?: {
        limit?: number;
      };
    };
    responses: {
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
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listPeopleAudit: {
    parameters: {
      query?: {
        limit?: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            records: ({
                record: ({
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
                }) | null;
                fault: {
                  number: number;
                  problem: string;
                } | null;
              })[];
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  exportPeopleAudit: {
    parameters: {
      query?: {
        offset?: number;
        limit?: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            records: string[];
            head: string | null;
            remembered: {
              count: number;
              digest: string;
            } | null;
            keys: string;
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listRefusals: {
    parameters: {
      query?: {
        limit?: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            refusals: ({
                at: string;
                service: "gateway" | "console";
                by: string | null;
                address: string;
                method: string;
                route: string;
                status: number;
                code: string;
                unrecorded: number;
              })[];
          };
        };
      };
      default: {
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
}
