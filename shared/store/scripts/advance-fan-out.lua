-- Part of other scripts: advances a fan-out after a change. Starts its join, once, or as many of the held branches as
-- its window allows.

-- State of a branch: the field `b:<number>` of the fan-out. A branch without one is held.
local STARTED, PARKED, FAILED, ANSWERED = "s", "p", "f", "a"

-- `f`: keys and id of the fan-out: `key`, `held` (branches not started, as JSON texts by number), `index` (those of its
-- join, by the time of their next check). `force`: reason to start the join now, or nil. `most`: branches to start at
-- once; the others are due at once. Returns 1 if more wait for that, else 0.
local function advance(f, force, most)
  -- Delay of the next check of a fan-out whose join has started, in ms, to see whether its run has ended.
  local FIRED_LOOK_MS = 30000
  local SPENT = '{"reason":"not_started","code":"ENVELOPE_BUDGET_EXCEEDED"}'
  local NAMES = { "fired", "total", "needed", "least", "answered", "failed", "under_way", "window", "next", "deadline",
    "cost_left", "cost", "tokens_left", "tokens", "message" }
  local atMs = tonumber(nowMs)
  local state = {}
  for place, value in ipairs(redis.call("HMGET", f.key, unpack(NAMES))) do state[NAMES[place]] = value end
  if state.fired then return 0 end

  local function count(name) return tonumber(state[name]) or 0 end
  local total, answered, failed = count("total"), count("answered"), count("failed")
  local isMore = false

  local function reasonToFire()
    if force then return force end
    if answered >= count("needed") then return "met" end
    if answered + failed >= total then return "settled" end
    if total - failed < count("least") then return "unmet" end
    local deadline = tonumber(state.deadline)
    return deadline and atMs >= deadline and "deadline" or nil
  end

  -- Money spent by returned branches. Others may spend more, bounded by the number in progress.
  local function isSpent()
    local cost, tokens = tonumber(state.cost_left), tonumber(state.tokens_left)
    return (cost and count("cost") > cost) or (tokens and count("tokens") > tokens)
  end

  local function refuseRest(from)
    for branch = from, total - 1 do
      if redis.call("HEXISTS", f.held, branch) == 1 then
        redis.call("HSET", f.key, "b:" .. branch, FAILED, "x:" .. branch, SPENT)
        failed = failed + 1
      end
    end
  end

  -- The job first: if a key of its queue has another type, the branch is still held, and started later.
  local function start(branch, text)
    local sealed = cjson.decode(text)
    addJob(sealed.job, nowMs)
    applyToRuns({ sealed.run })
    redis.call("HDEL", f.held, branch)
    redis.call("HSET", f.key, "b:" .. branch, STARTED)
  end

  local function startSome()
    local nextBranch, underWay, window = count("next"), count("under_way"), count("window")
    if nextBranch < total and isSpent() then
      refuseRest(nextBranch)
      nextBranch = total
    end
    local started = 0
    while nextBranch < total and underWay < window do
      local text = redis.call("HGET", f.held, nextBranch)
      if text then
        if started == most then
          isMore = true
          break
        end
        start(nextBranch, text)
        started = started + 1
        underWay = underWay + 1
      end
      nextBranch = nextBranch + 1
    end
    redis.call("HSET", f.key, "next", nextBranch, "under_way", underWay, "failed", failed)
    if isMore then redis.call("ZADD", f.index, atMs, f.id) end
  end

  local fires = reasonToFire()
  if not fires then
    startSome()
    fires = reasonToFire()
  end
  if fires then
    if state.message and state.message ~= "" then addJob(cjson.decode(state.message), nowMs) end
    redis.call("HSET", f.key, "fired", atMs, "why", fires)
    redis.call("DEL", f.held)
    redis.call("ZADD", f.index, atMs + FIRED_LOOK_MS, f.id)
  end
  return isMore and not fires and 1 or 0
end
