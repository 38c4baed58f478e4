-- Decides whether a call to a model endpoint may be made. While the circuit is open, one process at a time gets a
-- probe.
local known = redis.call("HMGET", circuit, "state", "generation", "reason", "opened_ms", "closed_ms", "failures", "retry_ms",
  "probe_until_ms", "next_ms")
local state = known[1] or "closed"

local function say(verdict, waitMs)
  return { verdict, math.ceil(waitMs), state, tonumber(known[2] or "0"), known[3] or "", tonumber(known[4] or "0"),
    tonumber(known[5] or "0"), tonumber(known[6] or "0") }
end

if state == "open" then
  local isFresh = isFirst and known[3] == "configuration"
  local retryMs = isFresh and nowMs or tonumber(known[7] or "0")
  local waitMs = math.max(retryMs, tonumber(known[8] or "0")) - nowMs
  if waitMs > 0 then return say("wait", waitMs) end
  redis.call("HSET", circuit, "probe", token, "probe_until_ms", nowMs + probeLifeMs)
  return say("probe", 0)
end

-- Paces calls after an outage, so that the backlog does not overload the endpoint.
local sinceMs = nowMs - tonumber(known[5] or "0")
if not known[5] or sinceMs < 0 or sinceMs >= stepMs * steps then return say("call", 0) end
local everyMs = 1000 / (firstPerSecond * 2 ^ math.floor(sinceMs / stepMs))
local nextMs = math.max(tonumber(known[9] or "0"), nowMs - 1000) + everyMs
if nextMs > nowMs then return say("wait", nextMs - nowMs) end
redis.call("HSET", circuit, "next_ms", nextMs)
return say("call", 0)
