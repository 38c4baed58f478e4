-- Writes down what became of a call to a model's endpoint: opens the circuit after failures in a row, closes it after a
-- probe that was answered.
-- KEYS: 1 circuit of the endpoint, 2 notices
-- ARGV: 1 now in ms, 2 the same as text, 3 token of the probe or "" where the call was none, 4 "answered", "failed" or
--       "given_up", 5 reason, 6 ms that the server asked to wait, 7 where only the endpoint's silence speaks against it, the
--       time in ms from which an answer to anybody clears it; else 0, 8 when the caller last had an answer in ms or 0,
--       9 failures in a row that open, 10 ms to the first probe, doubled with each, 11 the same at most, 12 ms for which it has
--       to be open before people are told, 13 life of the circuit in ms, 14 notices kept, 15 facts for a notice as JSON
-- Reply: {"counted" | "cleared", 0, state, generation, reason, opened ms, closed ms, failures}
local key, now, outcome = KEYS[1], tonumber(ARGV[1]), ARGV[4]
local known = redis.call("HMGET", key, "state", "generation", "reason", "opened_ms", "closed_ms", "failures", "retry_ms",
  "probe", "answered_ms", "failed_ms", "probes", "told")
local isOpen = known[1] == "open"
local failures, probes = tonumber(known[6] or "0"), tonumber(known[11] or "0")
local answeredMs = math.max(tonumber(known[9] or "0"), tonumber(ARGV[8]))

local function say(verdict)
  local is = redis.call("HMGET", key, "state", "generation", "reason", "opened_ms", "closed_ms", "failures")
  return { verdict, 0, is[1] or "closed", tonumber(is[2] or "0"), is[3] or "", tonumber(is[4] or "0"),
    tonumber(is[5] or "0"), tonumber(is[6] or "0") }
end

local function tell(type, facts)
  local data = cjson.decode(ARGV[15])
  for name, value in pairs(facts) do data[name] = value end
  redis.call("XADD", KEYS[2], "MAXLEN", "~", ARGV[14], "*", "type", type, "at", ARGV[2], "data", cjson.encode(data))
end

local function tellPaused(openedMs, reason)
  if redis.call("HGET", key, "told") then return end
  if reason ~= "configuration" and now - openedMs < tonumber(ARGV[12]) then return end
  redis.call("HSET", key, "told", "1")
  tell("endpoint.paused", { reason = reason })
end

-- A fault of the settings is mended by people: it is looked at seldom from the start.
local function nextProbeMs(reason, before)
  local most = tonumber(ARGV[11])
  local waitMs = reason == "configuration" and most or math.min(most, tonumber(ARGV[10]) * 2 ^ math.min(before, 30))
  return now + math.max(waitMs, tonumber(ARGV[6]))
end

redis.call("HSETNX", key, "state", "closed")
redis.call("PEXPIRE", key, ARGV[13])
if ARGV[3] ~= "" and known[8] == ARGV[3] then redis.call("HDEL", key, "probe", "probe_until_ms") end

if outcome == "given_up" then return say("counted") end

if outcome == "answered" then
  redis.call("HSET", key, "failures", 0, "answered_ms", math.max(answeredMs, now))
  -- A call that was under way as the circuit opened says nothing of the time after.
  if isOpen and ARGV[3] ~= "" then
    redis.call("HSET", key, "state", "closed", "closed_ms", now)
    redis.call("HDEL", key, "retry_ms", "next_ms", "told")
    if known[12] then tell("endpoint.resumed", { reason = known[3], paused_ms = now - tonumber(known[4] or now) }) end
  end
  return say("counted")
end

if isOpen then
  local reason, openedMs = known[3], tonumber(known[4] or now)
  if ARGV[3] ~= "" then
    reason = ARGV[5]
    redis.call("HSET", key, "reason", reason, "probes", probes + 1, "retry_ms", nextProbeMs(reason, probes + 1))
  elseif now + tonumber(ARGV[6]) > tonumber(known[7] or "0") then
    redis.call("HSET", key, "retry_ms", now + tonumber(ARGV[6]))
  end
  tellPaused(openedMs, reason)
  return say("counted")
end

if tonumber(ARGV[7]) > 0 and answeredMs >= tonumber(ARGV[7]) then return say("cleared") end
if answeredMs > tonumber(known[10] or "0") then failures = 0 end
failures = failures + 1
redis.call("HSET", key, "failures", failures, "failed_ms", now)
if failures >= tonumber(ARGV[9]) then
  redis.call("HINCRBY", key, "generation", 1)
  redis.call("HDEL", key, "told")
  redis.call("HSET", key, "state", "open", "reason", ARGV[5], "opened_ms", now, "probes", 0,
    "retry_ms", nextProbeMs(ARGV[5], 0))
  tellPaused(now, ARGV[5])
end
return say("counted")
