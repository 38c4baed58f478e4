-- Part of other scripts: what producers make, well-formed and malformed, and what follows for their circuits. `at` is the
-- scene of a script: prefix of the ward's keys, now in ms, the same as text, by whom, and the bounds of what is kept.
local BUCKET_MS = 10000
local WINDOW_LIFE_MS = 7200000
local SPANS = { { name = "m:", ms = 60000, lifeMs = 65 * 60000 }, { name = "h:", ms = 3600000, lifeMs = 49 * 3600000 } }

local function circuitKey(at, agent) return at.prefix .. "circuit:" .. agent end
local function windowKey(at, agent) return at.prefix .. "circuit-window:" .. agent end

-- Counts a field by minute and by hour. One too many is counted among the others of its side, which is its first letter,
-- so that sums stay true and no key grows without end.
local function countBySpan(at, what, field, count)
  for _, span in ipairs(SPANS) do
    local key, place = at.prefix .. what.name .. span.name .. math.floor(at.now / span.ms), field
    if redis.call("HEXISTS", key, place) == 0 and redis.call("HLEN", key) >= what.rowsMax then
      place = string.sub(field, 1, 2) .. "others"
    end
    redis.call("HINCRBY", key, place, count)
    redis.call("PEXPIRE", key, span.lifeMs)
  end
end

local function countRate(at, side, producer, count)
  countBySpan(at, { name = "rates:", rowsMax = at.rowsMax }, side .. "|" .. producer, count)
end

local function countInWindow(at, side, agent, count)
  local key = windowKey(at, agent)
  redis.call("HINCRBY", key, side .. ":" .. math.floor(at.now / BUCKET_MS), count)
  redis.call("PEXPIRE", key, WINDOW_LIFE_MS)
end

-- Well-formed and malformed outputs since `sinceMs`; older ones are forgotten in passing.
local function sumWindow(at, agent, sinceMs)
  local key, good, malformed, old = windowKey(at, agent), 0, 0, {}
  local all = redis.call("HGETALL", key)
  for i = 1, #all, 2 do
    local side, bucket = string.match(all[i], "^(%a):(%d+)$")
    if (tonumber(bucket) + 1) * BUCKET_MS <= sinceMs then
      old[#old + 1] = all[i]
    elseif side == "g" then
      good = good + tonumber(all[i + 1])
    else
      malformed = malformed + tonumber(all[i + 1])
    end
  end
  if #old > 0 then redis.call("HDEL", key, unpack(old)) end
  return good, malformed
end

local function auditCircuit(at, agent, from, to, facts)
  local line = cjson.encode({ case_id = "", at = at.text, by = at.by, action = "circuit." .. to, why = facts.why,
    detail = { agent = agent, from = from, outputs = facts.good + facts.malformed, malformed = facts.malformed } })
  pushAudit(at.prefix .. "audit", line, at.auditLength)
end

-- The only way a circuit changes: with a line of the audit, and a notice where it leaves the closed state or comes back.
local function moveCircuit(at, agent, from, to, facts)
  local key = circuitKey(at, agent)
  redis.call("HINCRBY", key, "generation", 1)
  redis.call("HSET", key, "state", to, "changed_ms", at.now, "until_ms", facts.untilMs, "held_by", facts.heldBy,
    "good", facts.good, "malformed", facts.malformed)
  redis.call("DEL", windowKey(at, agent))
  auditCircuit(at, agent, from, to, facts)
  if (from == "closed") == (to == "closed") then return end
  -- Who decided, and in what words, is for the audit: it may be personal.
  local notice = cjson.encode({ agent = agent, cause = facts.cause or facts.why, outputs = facts.good + facts.malformed,
    malformed = facts.malformed, reaction = redis.call("HGET", key, "reaction") or "alert" })
  redis.call("XADD", at.prefix .. "notices", "MAXLEN", "~", at.noticesMax, "*",
    "type", to == "closed" and "circuit.closed" or "circuit.opened", "at", at.text, "data", notice)
end
