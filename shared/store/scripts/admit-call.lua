-- Says whether a call to a model's endpoint may be made now. While the endpoint is open, one process at a time gets a probe.
-- KEYS: 1 circuit of the endpoint
-- ARGV: 1 now in ms, 2 token of the caller, 3 life of a probe in ms, 4 "1" where the caller's settings are new, 5 calls a
--       second at first after it closed (doubled with each step), 6 length of a step in ms, 7 steps
-- Reply: {"call" | "probe" | "wait", ms to wait, state, generation, reason, opened ms, closed ms, failures}
local key, now = KEYS[1], tonumber(ARGV[1])
local known = redis.call("HMGET", key, "state", "generation", "reason", "opened_ms", "closed_ms", "failures", "retry_ms",
  "probe_until_ms", "next_ms")
local state = known[1] or "closed"

local function say(verdict, waitMs)
  return { verdict, math.ceil(waitMs), state, tonumber(known[2] or "0"), known[3] or "", tonumber(known[4] or "0"),
    tonumber(known[5] or "0"), tonumber(known[6] or "0") }
end

if state == "open" then
  local isFresh = ARGV[4] == "1" and known[3] == "configuration"
  local retryMs = isFresh and now or tonumber(known[7] or "0")
  local waitMs = math.max(retryMs, tonumber(known[8] or "0")) - now
  if waitMs > 0 then return say("wait", waitMs) end
  redis.call("HSET", key, "probe", ARGV[2], "probe_until_ms", now + tonumber(ARGV[3]))
  return say("probe", 0)
end

-- What has waited must not fall on an endpoint all at once that has only just come back.
local sinceMs, stepMs = now - tonumber(known[5] or "0"), tonumber(ARGV[6])
if not known[5] or sinceMs < 0 or sinceMs >= stepMs * tonumber(ARGV[7]) then return say("call", 0) end
local everyMs = 1000 / (tonumber(ARGV[5]) * 2 ^ math.floor(sinceMs / stepMs))
local nextMs = math.max(tonumber(known[9] or "0"), now - 1000) + everyMs
if nextMs > now then return say("wait", nextMs - now) end
redis.call("HSET", key, "next_ms", nextMs)
return say("call", 0)
