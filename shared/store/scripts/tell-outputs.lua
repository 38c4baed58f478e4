-- A process tells what its agents made since it last did, and hears how the circuits of its teams' agents stand. Whatever
-- is due happens here, whoever tells: enough malformed outputs open a circuit, its time half-opens it, a trial decides.
-- KEYS: 1 names of all circuits, by when they were last heard of
-- ARGV: 1 prefix of the ward's keys, 2 now in ms, 3 the same as text, 4 by whom, 5 notices kept, 6 audit length, 7 producers
--       kept, 8 ms after which a circuit nobody speaks of is forgotten, 9 number of producers, then for each its key and its
--       well-formed outputs; then the number of circuits, and for each: agent, its well-formed outputs, generation they
--       were counted under, threshold, outputs min, window ms, cooldown ms, trial outputs, share that counts on trial, reaction;
--       then pairs of agents kept, number of them, and for each: how its handoffs ended and which pair it is, and how many
-- Reply: for each circuit {state, generation, changed ms, until ms, held by}
local at = { prefix = ARGV[1], now = tonumber(ARGV[2]), text = ARGV[3], by = ARGV[4], noticesMax = ARGV[5],
  auditLength = tonumber(ARGV[6]), rowsMax = 2 * tonumber(ARGV[7]) }
local place = 10
for _ = 1, tonumber(ARGV[9]) do
  countRate(at, "g", ARGV[place], ARGV[place + 1])
  place = place + 2
end

local function register(one, known)
  if not known[1] then redis.call("HSET", one.key, "state", "closed", "generation", 0, "changed_ms", at.now) end
  if known[4] ~= one.share or known[5] ~= one.reaction then
    redis.call("HSET", one.key, "counted_share", one.share, "reaction", one.reaction)
  end
end

local function judgeClosed(one)
  local good, malformed = sumWindow(at, one.agent, at.now - one.windowMs)
  local outputs = good + malformed
  if malformed == 0 or outputs < one.outputsMin or malformed / outputs < one.threshold then return end
  moveCircuit(at, one.agent, "closed", "open", { untilMs = at.now + one.cooldownMs, heldBy = "", good = good,
    malformed = malformed, why = "too many of its outputs are malformed" })
end

local function judgeTrial(one)
  local good, malformed = sumWindow(at, one.agent, 0)
  local outputs = good + malformed
  local isOver = outputs >= one.trialOutputs
  local isBad = malformed > 0 and malformed / (isOver and outputs or one.trialOutputs) >= one.threshold
  if isBad then
    moveCircuit(at, one.agent, "half_open", "open", { untilMs = at.now + one.cooldownMs, heldBy = "", good = good,
      malformed = malformed, why = "its trial failed" })
  elseif isOver then
    moveCircuit(at, one.agent, "half_open", "closed", { untilMs = 0, heldBy = "", good = good, malformed = malformed,
      why = "its trial went well" })
  end
end

local function judge(one)
  local known = redis.call("HMGET", one.key, "state", "generation", "until_ms", "counted_share", "reaction", "held_by")
  register(one, known)
  local state = known[1] or "closed"
  if state == "open" then
    if (known[6] or "") == "" and at.now >= tonumber(known[3]) then
      moveCircuit(at, one.agent, "open", "half_open", { untilMs = 0, heldBy = "", good = 0, malformed = 0,
        why = "its time is over" })
    end
    return
  end
  -- What was counted before the last change says nothing about the time after it.
  if one.good > 0 and one.generation == (known[2] or "0") then countInWindow(at, "g", one.agent, one.good) end
  if state == "half_open" then judgeTrial(one) else judgeClosed(one) end
end

local reply = {}
local circuits = tonumber(ARGV[place])
place = place + 1
for i = 1, circuits do
  local agent = ARGV[place]
  judge({ agent = agent, key = circuitKey(at, agent), good = tonumber(ARGV[place + 1]), generation = ARGV[place + 2],
    threshold = tonumber(ARGV[place + 3]), outputsMin = tonumber(ARGV[place + 4]), windowMs = tonumber(ARGV[place + 5]),
    cooldownMs = tonumber(ARGV[place + 6]), trialOutputs = tonumber(ARGV[place + 7]), share = ARGV[place + 8],
    reaction = ARGV[place + 9] })
  redis.call("ZADD", KEYS[1], at.now, agent)
  reply[i] = redis.call("HMGET", circuitKey(at, agent), "state", "generation", "changed_ms", "until_ms", "held_by")
  place = place + 10
end
local handoffs = { name = "handoffs:", rowsMax = 2 * tonumber(ARGV[place]) }
for i = 1, tonumber(ARGV[place + 1]) do
  countBySpan(at, handoffs, ARGV[place + 2 * i], ARGV[place + 2 * i + 1])
end
for _, agent in ipairs(redis.call("ZRANGEBYSCORE", KEYS[1], "-inf", at.now - tonumber(ARGV[8]), "LIMIT", 0, 100)) do
  redis.call("DEL", circuitKey(at, agent), windowKey(at, agent))
  redis.call("ZREM", KEYS[1], agent)
end
return reply
