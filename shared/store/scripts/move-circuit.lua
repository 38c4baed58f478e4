-- Part of other scripts: changes a circuit, with a line of the audit, and a notice when it leaves the closed state or
-- returns to it. No other code changes circuits.
local function circuitKey(agent) return feedbackBase .. "circuit:" .. agent end

local function auditCircuit(agent, from, to, facts)
  local line = cjson.encode({ case_id = "", at = nowText, by = by, action = "circuit." .. to, why = facts.why,
    detail = { agent = agent, from = from, outputs = facts.good + facts.malformed, malformed = facts.malformed } })
  pushAudit(auditKey, line, auditLength)
end

local function moveCircuit(agent, from, to, facts)
  local key = circuitKey(agent)
  redis.call("HINCRBY", key, "generation", 1)
  redis.call("HSET", key, "state", to, "changed_ms", nowMs, "until_ms", facts.untilMs, "held_by", facts.heldBy,
    "good", facts.good, "malformed", facts.malformed)
  -- Counts from before the change are dropped.
  redis.call("DEL", windowKey(agent))
  auditCircuit(agent, from, to, facts)
  if (from == "closed") == (to == "closed") then return end
  -- The person and the reason are personal data and go only to the audit.
  local notice = cjson.encode({ agent = agent, cause = facts.cause or facts.why, outputs = facts.good + facts.malformed,
    malformed = facts.malformed, reaction = redis.call("HGET", key, "reaction") or "alert" })
  redis.call("XADD", feedbackBase .. "notices", "MAXLEN", "~", noticesMax, "*",
    "type", to == "closed" and "circuit.closed" or "circuit.opened", "at", nowText, "data", notice)
end
