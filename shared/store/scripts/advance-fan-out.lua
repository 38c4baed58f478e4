-- Part of other scripts: advances a fan-out after a change. Starts its join, once, or as many of the held branches as
-- its window allows. The effects are an outbox entry of the join's slot, written in this same step, so a crash after
-- it loses nothing.

-- State of a branch: the field `b:<number>` of the fan-out. A branch without one is held.
local STARTED, PARKED, FAILED, ANSWERED = "s", "p", "f", "a"

-- `force`: reason to start the join now, or nil. Returns the entry as JSON text, or "".
local function advance(force)
  -- Delay of the next check of a fan-out whose join has started, in ms, to see whether its run has ended.
  local FIRED_LOOK_MS = 30000
  local SPENT = '{"reason":"not_started","code":"ENVELOPE_BUDGET_EXCEEDED"}'
  local NAMES = { "fired", "total", "needed", "least", "answered", "failed", "under_way", "window", "next", "deadline",
    "cost_left", "cost", "tokens_left", "tokens", "message" }
  local state = {}
  for place, value in ipairs(redis.call("HMGET", fanOut, unpack(NAMES))) do state[NAMES[place]] = value end
  if state.fired then return "" end

  local function count(name) return tonumber(state[name]) or 0 end
  local total, answered, failed = count("total"), count("answered"), count("failed")
  local sends, changes, awaited, sender = {}, {}, {}, nil

  local function reasonToFire()
    if force then return force end
    if answered >= count("needed") then return "met" end
    if answered + failed >= total then return "settled" end
    if total - failed < count("least") then return "unmet" end
    local deadline = tonumber(state.deadline)
    return deadline and nowMs >= deadline and "deadline" or nil
  end

  -- Money spent by returned branches. Others may spend more, bounded by the number in progress.
  local function isSpent()
    local cost, tokens = tonumber(state.cost_left), tonumber(state.tokens_left)
    return (cost and count("cost") > cost) or (tokens and count("tokens") > tokens)
  end

  local function refuseRest(from)
    for branch = from, total - 1 do
      if redis.call("HEXISTS", held, "s:" .. branch) == 1 then
        redis.call("HSET", fanOut, "b:" .. branch, FAILED, "x:" .. branch, SPENT)
        failed = failed + 1
      end
    end
  end

  local function startSome()
    local nextBranch, underWay, window = count("next"), count("under_way"), count("window")
    if nextBranch < total and isSpent() then
      refuseRest(nextBranch)
      nextBranch = total
    end
    while nextBranch < total and underWay < window do
      local branch = redis.call("HMGET", held, "s:" .. nextBranch, "c:" .. nextBranch, "w:" .. nextBranch)
      if branch[1] then
        sends[#sends + 1] = branch[1]
        changes[#changes + 1] = branch[2]
        if branch[3] then
          local wait = cjson.decode(branch[3])
          sender = wait.sender
          awaited[#awaited + 1] = cjson.encode({ messageId = wait.messageId, agent = wait.agent, dueMs = nowMs + wait.withinMs })
        end
        redis.call("HDEL", held, "s:" .. nextBranch, "c:" .. nextBranch, "w:" .. nextBranch)
        redis.call("HSET", fanOut, "b:" .. nextBranch, STARTED)
        underWay = underWay + 1
      end
      nextBranch = nextBranch + 1
    end
    redis.call("HSET", fanOut, "next", nextBranch, "under_way", underWay, "failed", failed)
  end

  local fires = reasonToFire()
  if not fires then
    startSome()
    fires = reasonToFire()
  end
  if fires then
    redis.call("HSET", fanOut, "fired", nowMs, "why", fires)
    redis.call("DEL", held)
    redis.call("ZADD", fanOuts, nowMs + FIRED_LOOK_MS, fanOutId)
    if state.message and state.message ~= "" then sends[#sends + 1] = state.message end
  end
  if #sends == 0 then return "" end
  local entry = '{"id":"' .. entryId .. '","at_ms":' .. nowMs .. ',"changes":[' .. table.concat(changes, ",") ..
    '],"sends":[' .. table.concat(sends, ",") .. '],"admissions":[]'
  if sender then
    entry = entry .. ',"awaits":{"sender":' .. cjson.encode(sender) .. ',"pending":[' .. table.concat(awaited, ",") .. ']}'
  end
  entry = entry .. "}"
  redis.call("HSET", outbox, entryId, entry)
  return entry
end
