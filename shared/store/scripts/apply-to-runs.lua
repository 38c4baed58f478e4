-- Part of other scripts: applies events to runs. Appends them to each run's log, moves its messages between states,
-- derives its status, and keeps the counters of the conservation equation true. Repeats and late arrivals change nothing.
-- A message's state carries a rank that only rises, so that the order in which events arrive does not matter.
-- Everything a run needs is read once and written once: this is what every hop of every agent goes through.
-- A guest's record (its run is kept by another cluster) names the stream that all of this is told home by; what is `away`
-- is waited for by the record at home, and by a guest's no more.
-- `countsKey` and `indexKey` are the counts and the index of all runs. From `at` on, ARGV holds:
--   base of the runs' keys, base of their channels, life of an ended run in ms, log length max, number of runs, then for
--   each run its id and its number of events, and for each event:
--   id, event, message id or "", rank, state, agent, number of opened messages, (message id, agent)…,
--   end ("" | failed | expired | cancelled | undo_failed), result, error, cost in micro-USD, tokens, "1" when it starts the run
-- Reply: how many of the runs are known
local function applyToRuns(countsKey, indexKey, at)
  local ENDED = { completed = true, failed = true, cancelled = true, expired = true }
  local COUNTED = { open = 2, in_ward = 3, quarantined = 4 }
  local FIELDS = { "status", "n_open", "n_in_ward", "n_quarantined", "end_cancelled", "end_failed", "end_expired", "created_ms", "accounts" }
  local ENDS = { cancelled = 5, failed = 6, expired = 7 }
  -- Lua hands over so many values at once, and no more.
  local CHUNK = 1000

  local function inChunks(values, call)
    for from = 1, #values, CHUNK do call(unpack(values, from, math.min(from + CHUNK - 1, #values))) end
  end

  -- What a run counts for, until it ends: waiting (1) or begun (2), as its status says, and what it has cost today.
  local ownersKey = string.sub(countsKey, 1, -7) .. "owner"
  local function tellAccounts(run, runId, status)
    if not run[9] then return end
    for name in string.gmatch(run[9], "%S+") do
      local key = ownersKey .. ":open:" .. name
      if ENDED[status] then redis.call("ZREM", key, runId)
      else redis.call("ZADD", key, status == "queued" and 1 or 2, runId) end
    end
  end
  local function tellCost(run, cost)
    if not run[9] then return end
    local day = math.floor(tonumber(redis.call("TIME")[1]) / 86400)
    for name in string.gmatch(run[9], "%S+") do
      local key = ownersKey .. ":spent:" .. day .. ":" .. name
      redis.call("INCRBY", key, cost)
      redis.call("EXPIRE", key, 172800)
    end
  end

  local runBase, channelBase, lifeMs, logMax, runs = ARGV[at], ARGV[at + 1], ARGV[at + 2], tonumber(ARGV[at + 3]), ARGV[at + 4]
  at = at + 5

  -- Where each event of the run at `at` begins, and every field of its messages that they speak of.
  local function survey(events)
    local starts, asked, seen = {}, {}, {}
    local function ask(field)
      if seen[field] then return end
      seen[field] = true
      asked[#asked + 1] = field
    end
    for i = 1, events do
      starts[i] = at
      ask("e:" .. ARGV[at])
      if ARGV[at + 2] ~= "" and ARGV[at + 4] ~= "" then ask(ARGV[at + 2]) end
      local opened = tonumber(ARGV[at + 6])
      for o = 0, opened - 1 do ask(ARGV[at + 7 + o * 2]) end
      at = at + 7 + opened * 2 + 6
    end
    return starts, asked
  end

  local function known(messagesKey, asked)
    local now, place = {}, 0
    inChunks(asked, function(...)
      for _, value in ipairs(redis.call("HMGET", messagesKey, ...)) do
        place = place + 1
        now[asked[place]] = value
      end
    end)
    return now
  end

  local function moveStatus(run, runId, before, after)
    redis.call("HINCRBY", countsKey, before, -1)
    redis.call("HINCRBY", countsKey, after, 1)
    redis.call("ZREM", indexKey .. ":" .. before, runId)
    redis.call("ZADD", indexKey .. ":" .. after, run[8] or 0, runId)
    tellAccounts(run, runId, after)
  end

  local function statusOf(run, started)
    local function ended(place) return (tonumber(run[place] or "0") or 0) > 0 end
    if run[2] + run[3] + run[4] == 0 then
      return (ended(5) and "cancelled") or (ended(6) and "failed") or (ended(7) and "expired") or "completed"
    end
    if run[2] > 0 then return (started or run[1] ~= "queued") and "running" or "queued" end
    return run[3] > 0 and "in_ward" or "quarantined"
  end

  local function applyToRun(runId, events)
    local runKey = runBase .. runId
    local messagesKey, logKey = runKey .. ":messages", runKey .. ":log"
    local starts, asked = survey(events)
    local run = redis.call("HMGET", runKey, unpack(FIELDS))
    if not run[1] then return 0 end
    -- A guest's time of creation has a zero before it: known by what is read anyway, so that others pay nothing.
    local isGuest = run[8] and string.byte(run[8]) == 48 and redis.call("HGET", runKey, "returns_to")
    if isGuest then COUNTED.away = nil else COUNTED.away = 2 end
    for _, place in pairs(COUNTED) do run[place] = tonumber(run[place]) end
    local now = known(messagesKey, asked)
    local told, log, fields = {}, {}, {}
    local cost, tokens, started, reopened = 0, 0, false, false
    local before = run[2] .. "|" .. run[3] .. "|" .. run[4]

    local function tell(field, value)
      now[field] = value
      told[#told + 1] = field
      told[#told + 1] = value
    end
    local function place(id, rank, state, agent)
      local held = now[id]
      local oldState
      if held then
        local oldRank, word, branch = string.match(held, "^(%d+)|([^|]*)|[^|]*(.*)$")
        -- A worker that could not open a message does not know its branch. It is kept, whichever event comes first:
        -- without it, the fan-out would call the branch over.
        local newBranch = string.match(agent, "|.*$") or ""
        if tonumber(oldRank) >= rank then
          if branch == "" and newBranch ~= "" then tell(id, held .. newBranch) end
          return
        end
        oldState = word
        if newBranch == "" then agent = agent .. branch end
      end
      tell(id, rank .. "|" .. state .. "|" .. agent)
      if oldState == state then return end
      if COUNTED[oldState] then run[COUNTED[oldState]] = run[COUNTED[oldState]] - 1 end
      if COUNTED[state] then run[COUNTED[state]] = run[COUNTED[state]] + 1 end
    end
    -- As it was told here, word for word.
    local function tellHome(first, rest)
      local told = {}
      for i = first, rest + 5 do told[#told + 1] = ARGV[i] end
      redis.call("XADD", isGuest, "*", "run_id", runId, "change", cjson.encode(told))
    end
    local function set(field, value)
      fields[#fields + 1] = field
      fields[#fields + 1] = value
    end

    for _, first in ipairs(starts) do
      local opened = tonumber(ARGV[first + 6])
      local rest = first + 7 + opened * 2
      local mark = "e:" .. ARGV[first]
      if not now[mark] then
        tell(mark, "1")
        log[#log + 1] = ARGV[first + 1]
        if isGuest and ARGV[first + 4] ~= "away" then tellHome(first, rest) end
        for o = 0, opened - 1 do place(ARGV[first + 7 + o * 2], 0, "open", ARGV[first + 8 + o * 2]) end
        if ARGV[first + 2] ~= "" and ARGV[first + 4] ~= "" then
          place(ARGV[first + 2], tonumber(ARGV[first + 3]), ARGV[first + 4], ARGV[first + 5])
        end
        local ended = ARGV[rest]
        -- A run that ended because a letter was discarded goes on when a person restores that letter.
        if ended == "undo_failed" then
          run[6] = redis.call("HINCRBY", runKey, "end_failed", -1)
          reopened = true
        elseif ended ~= "" then
          run[ENDS[ended]] = redis.call("HINCRBY", runKey, "end_" .. ended, 1)
        end
        if ARGV[rest + 1] ~= "" then set("result", ARGV[rest + 1]) end
        if ARGV[rest + 2] ~= "" then set("error", ARGV[rest + 2]) end
        cost = cost + tonumber(ARGV[rest + 3])
        tokens = tokens + tonumber(ARGV[rest + 4])
        if ARGV[rest + 5] == "1" then started = true end
      end
    end
    if #log == 0 then return 1 end

    inChunks(told, function(...) redis.call("HSET", messagesKey, ...) end)
    local length = 0
    inChunks(log, function(...) length = redis.call("RPUSH", logKey, ...) end)
    if length > logMax then
      redis.call("LTRIM", logKey, 0, logMax - 1)
      redis.call("HINCRBY", runKey, "log_dropped", length - logMax)
    end
    if cost ~= 0 then
      redis.call("HINCRBY", runKey, "cost_micro", cost)
      tellCost(run, cost)
    end
    if tokens ~= 0 then redis.call("HINCRBY", runKey, "tokens", tokens) end
    -- A message that ends as it brings another one into the world leaves the counts as they were.
    if before ~= run[2] .. "|" .. run[3] .. "|" .. run[4] then
      set("n_open", run[2])
      set("n_in_ward", run[3])
      set("n_quarantined", run[4])
    end

    local goesOn = reopened and run[1] == "failed"
    -- A guest that had nothing left to do here is sent another message.
    if isGuest and ENDED[run[1]] and run[2] + run[3] + run[4] > 0 then goesOn = true end
    if goesOn then
      redis.call("HDEL", runKey, "ended_ms")
      for _, key in ipairs({ runKey, messagesKey, logKey }) do redis.call("PERSIST", key) end
    end
    local isEnded = false
    if goesOn or not ENDED[run[1]] then
      local status = statusOf(run, started)
      if status ~= run[1] then
        moveStatus(run, runId, run[1], status)
        set("status", status)
        isEnded = ENDED[status]
      end
    end
    if isEnded then
      local time = redis.call("TIME")
      set("ended_ms", time[1] .. string.format("%03d", math.floor(tonumber(time[2]) / 1000)))
    end
    if #fields > 0 then redis.call("HSET", runKey, unpack(fields)) end
    if isEnded then
      for _, key in ipairs({ runKey, messagesKey, logKey }) do redis.call("PEXPIRE", key, lifeMs) end
    end
    redis.call("PUBLISH", channelBase .. runId, "changed")
    return 1
  end

  local applied = 0
  for _ = 1, tonumber(runs) do
    local runId, events = ARGV[at], tonumber(ARGV[at + 1])
    at = at + 2
    applied = applied + applyToRun(runId, events)
  end
  return applied
end
