-- Reports a process's outputs since its last report, and returns the circuits of its teams' agents. Applies due
-- changes, whichever process reports: enough malformed outputs open a circuit, its cooldown half-opens it, a trial
-- decides.
for _, one in ipairs(outputs) do countRate("g", one.producer, one.count) end

-- Returns well-formed and malformed outputs since `sinceMs`, and deletes older counts.
local function sumWindow(agent, sinceMs)
  local key, good, malformed, old = windowKey(agent), 0, 0, {}
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

local function register(one, key, known)
  if not known[1] then redis.call("HSET", key, "state", "closed", "generation", 0, "changed_ms", nowMs) end
  if known[4] ~= one.countedShare or known[5] ~= one.reaction then
    redis.call("HSET", key, "counted_share", one.countedShare, "reaction", one.reaction)
  end
end

local function open(one, from, counts, why)
  moveCircuit(one.agent, from, "open", { untilMs = nowMs + one.cooldownMs, heldBy = "", good = counts.good,
    malformed = counts.malformed, why = why })
end

local function judgeClosed(one)
  local good, malformed = sumWindow(one.agent, nowMs - one.windowMs)
  local made = good + malformed
  if malformed == 0 or made < one.outputsMin or malformed / made < one.threshold then return end
  open(one, "closed", { good = good, malformed = malformed }, "too many of its outputs are malformed")
end

local function judgeTrial(one)
  local good, malformed = sumWindow(one.agent, 0)
  local made = good + malformed
  local isOver = made >= one.trialOutputs
  local isBad = malformed > 0 and malformed / (isOver and made or one.trialOutputs) >= one.threshold
  if isBad then
    open(one, "half_open", { good = good, malformed = malformed }, "its trial failed")
  elseif isOver then
    moveCircuit(one.agent, "half_open", "closed", { untilMs = 0, heldBy = "", good = good, malformed = malformed,
      why = "its trial went well" })
  end
end

local function judge(one, key)
  local known = redis.call("HMGET", key, "state", "generation", "until_ms", "counted_share", "reaction", "held_by")
  register(one, key, known)
  local state = known[1] or "closed"
  if state == "open" then
    if (known[6] or "") == "" and nowMs >= tonumber(known[3]) then
      moveCircuit(one.agent, "open", "half_open", { untilMs = 0, heldBy = "", good = 0, malformed = 0,
        why = "its time is over" })
    end
    return
  end
  -- Outputs from before the last change do not count.
  if one.good > 0 and one.generation == tonumber(known[2] or "0") then countInWindow("g", one.agent, one.good) end
  if state == "half_open" then judgeTrial(one) else judgeClosed(one) end
end

local reply = {}
for i, one in ipairs(reports) do
  local key = circuitKey(one.agent)
  judge(one, key)
  redis.call("ZADD", circuits, nowMs, one.agent)
  reply[i] = redis.call("HMGET", key, "state", "generation", "changed_ms", "until_ms", "held_by")
end
-- Doubled limit: done and failed handoffs of each pair.
for _, one in ipairs(handoffs) do countBySpan("handoffs:", 2 * pairsMax, one.pair, one.count) end
for _, agent in ipairs(redis.call("ZRANGEBYSCORE", circuits, "-inf", nowMs - circuitLifeMs, "LIMIT", 0, 100)) do
  redis.call("DEL", circuitKey(agent), windowKey(agent))
  redis.call("ZREM", circuits, agent)
end
return reply
