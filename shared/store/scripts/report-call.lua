-- Records the result of a call to a model endpoint: opens the circuit after consecutive failures, closes it after an
-- answered probe.
local known = redis.call("HMGET", circuit, "state", "generation", "reason", "opened_ms", "closed_ms", "failures", "retry_ms",
  "probe", "answered_ms", "failed_ms", "probes", "told")
local isOpen = known[1] == "open"
local failures, probes = tonumber(known[6] or "0"), tonumber(known[11] or "0")
local answeredMs = math.max(tonumber(known[9] or "0"), callerAnsweredMs)

local function say(verdict)
  local is = redis.call("HMGET", circuit, "state", "generation", "reason", "opened_ms", "closed_ms", "failures")
  return { verdict, is[1] or "closed", tonumber(is[2] or "0"), is[3] or "", tonumber(is[4] or "0"),
    tonumber(is[5] or "0"), tonumber(is[6] or "0") }
end

local function tell(noticeType, facts)
  local data = cjson.decode(noticeFacts)
  for name, value in pairs(facts) do data[name] = value end
  redis.call("XADD", notices, "MAXLEN", "~", noticesMax, "*", "type", noticeType, "at", nowText, "data", cjson.encode(data))
end

local function tellPaused(openedMs, why)
  if redis.call("HGET", circuit, "told") then return end
  if why ~= "configuration" and nowMs - openedMs < noticeAfterMs then return end
  redis.call("HSET", circuit, "told", "1")
  tell("endpoint.paused", { reason = why })
end

-- Wrong settings need a person, so probes are rare from the start.
local function nextProbeMs(why, before)
  local waitMs = why == "configuration" and probeMsMax or math.min(probeMsMax, probeMs * 2 ^ math.min(before, 30))
  return nowMs + math.max(waitMs, retryAfterMs)
end

redis.call("HSETNX", circuit, "state", "closed")
redis.call("PEXPIRE", circuit, lifeMs)
if probe and known[8] == probe then redis.call("HDEL", circuit, "probe", "probe_until_ms") end

if outcome == "given_up" then return say("counted") end

if outcome == "answered" then
  redis.call("HSET", circuit, "failures", 0, "answered_ms", math.max(answeredMs, nowMs))
  -- A call that was in progress when the circuit opened does not count.
  if isOpen and probe then
    redis.call("HSET", circuit, "state", "closed", "closed_ms", nowMs)
    redis.call("HDEL", circuit, "retry_ms", "next_ms", "told")
    if known[12] then tell("endpoint.resumed", { reason = known[3], paused_ms = nowMs - tonumber(known[4] or nowMs) }) end
  end
  return say("counted")
end

if isOpen then
  local why, openedMs = probe and reason or known[3], tonumber(known[4] or nowMs)
  if probe then
    redis.call("HSET", circuit, "reason", why, "probes", probes + 1, "retry_ms", nextProbeMs(why, probes + 1))
  elseif nowMs + retryAfterMs > tonumber(known[7] or "0") then
    redis.call("HSET", circuit, "retry_ms", nowMs + retryAfterMs)
  end
  tellPaused(openedMs, why)
  return say("counted")
end

if clearedSinceMs and answeredMs >= clearedSinceMs then return say("cleared") end
if answeredMs > tonumber(known[10] or "0") then failures = 0 end
failures = failures + 1
redis.call("HSET", circuit, "failures", failures, "failed_ms", nowMs)
if failures >= failuresMax then
  redis.call("HINCRBY", circuit, "generation", 1)
  redis.call("HDEL", circuit, "told")
  redis.call("HSET", circuit, "state", "open", "reason", reason, "opened_ms", nowMs, "probes", 0,
    "retry_ms", nextProbeMs(reason, 0))
  tellPaused(nowMs, reason)
end
return say("counted")
