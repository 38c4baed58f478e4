-- Part of other scripts: applies events to runs. Appends them to each run's log, moves its messages between states,
-- derives its status, and updates the counters of the conservation equation. Duplicates and late arrivals change
-- nothing.
-- A message's state has a rank that only rises, so that the order in which events arrive does not matter.
-- Every hop of every agent runs this, so each key is read once and written once.
local function applyToRuns(list)
  local COUNTED = { open = 2, in_ward = 3, quarantined = 4 }
  local ENDS = { cancelled = 5, failed = 6, expired = 7 }
  -- Lua's `unpack` is limited to a few thousand values.
  local CHUNK = 1000

  local function inChunks(command, key, values)
    local reply
    for from = 1, #values, CHUNK do
      reply = redis.call(command, key, unpack(values, from, math.min(from + CHUNK - 1, #values)))
    end
    return reply
  end

  -- Updates the quota usage of a run's accounts until it ends: waiting (1) or started (2), and today's cost.
  local function tellAccounts(run, runId, status)
    if not run[9] then return end
    for name in string.gmatch(run[9], "%S+") do
      local key = ownerBase .. ":open:" .. name
      if ENDED[status] then redis.call("ZREM", key, runId)
      else redis.call("ZADD", key, status == "queued" and 1 or 2, runId) end
    end
  end
  local function tellCost(run, cost)
    if not run[9] then return end
    local day = math.floor(tonumber(redis.call("TIME")[1]) / 86400)
    for name in string.gmatch(run[9], "%S+") do
      local key = ownerBase .. ":spent:" .. day .. ":" .. name
      redis.call("INCRBY", key, cost)
      redis.call("EXPIRE", key, 172800)
    end
  end

  -- Returns the fields of a run's messages that its events refer to.
  local function survey(events)
    local asked, seen = {}, {}
    local function ask(field)
      if seen[field] then return end
      seen[field] = true
      asked[#asked + 1] = field
    end
    for i = 1, #events do
      local event = events[i]
      ask("e:" .. event.id)
      if event.messageId and event.state then ask(event.messageId) end
      for o = 1, #event.opens do ask(event.opens[o].messageId) end
    end
    return asked
  end

  local function known(messagesKey, asked)
    local now = {}
    for from = 1, #asked, CHUNK do
      local values = redis.call("HMGET", messagesKey, unpack(asked, from, math.min(from + CHUNK - 1, #asked)))
      for i = 1, #values do now[asked[from + i - 1]] = values[i] end
    end
    return now
  end

  local function moveStatus(run, runId, before, after)
    redis.call("HINCRBY", runCounts, before, -1)
    redis.call("HINCRBY", runCounts, after, 1)
    redis.call("ZREM", runIndex .. ":" .. before, runId)
    redis.call("ZADD", runIndex .. ":" .. after, run[8] or 0, runId)
    tellAccounts(run, runId, after)
  end

  local function applyToRun(runId, events)
    local runKey = runBase .. runId
    local messagesKey, logKey = runKey .. ":messages", runKey .. ":log"
    local asked = survey(events)
    local run = redis.call("HMGET", runKey, "status", "n_open", "n_in_ward", "n_quarantined", "end_cancelled", "end_failed",
      "end_expired", "created_ms", "accounts")
    if not run[1] then return end
    run[2], run[3], run[4] = tonumber(run[2]), tonumber(run[3]), tonumber(run[4])
    local openBefore, inWardBefore, quarantinedBefore = run[2], run[3], run[4]
    local now = known(messagesKey, asked)
    local told, log, fields = {}, {}, {}
    local cost, tokens, started, reopened = 0, 0, false, false

    local function tell(field, value)
      now[field] = value
      told[#told + 1] = field
      told[#told + 1] = value
    end
    local function move(id, rank, state, agent, branch)
      local text = now[id]
      local oldState
      if text then
        local oldRank, word, oldAgent, oldBranch = readMessageState(text)
        oldState = word
        -- A worker that could not open a message does not know its branch. The branch is kept whichever event comes
        -- first; otherwise the fan-out would count it as ended.
        if tonumber(oldRank) >= tonumber(rank) then
          if branch and not oldBranch then tell(id, messageState(oldRank, word, oldAgent, branch)) end
          return
        end
        branch = branch or oldBranch
      end
      tell(id, messageState(rank, state, agent, branch))
      if oldState == state then return end
      if COUNTED[oldState] then run[COUNTED[oldState]] = run[COUNTED[oldState]] - 1 end
      if COUNTED[state] then run[COUNTED[state]] = run[COUNTED[state]] + 1 end
    end
    local function set(field, value)
      fields[#fields + 1] = field
      fields[#fields + 1] = value
    end

    for i = 1, #events do
      local event = events[i]
      local mark = "e:" .. event.id
      if not now[mark] then
        tell(mark, "1")
        log[#log + 1] = event.text
        for o = 1, #event.opens do
          local opened = event.opens[o]
          move(opened.messageId, 0, "open", opened.agent, opened.branch)
        end
        if event.messageId and event.state then move(event.messageId, event.rank, event.state, event.agent, event.branch) end
        local ending = event.ending
        -- A run that ended because a message was discarded continues when that message is restored.
        if ending == "undo_failed" then
          run[6] = redis.call("HINCRBY", runKey, "end_failed", -1)
          reopened = true
        elseif ending then
          run[ENDS[ending]] = redis.call("HINCRBY", runKey, "end_" .. ending, 1)
        end
        if event.result then set("result", event.result) end
        if event.error then set("error", event.error) end
        cost = cost + event.cost
        tokens = tokens + event.tokens
        if event.starts then started = true end
      end
    end
    if #log == 0 then return end

    inChunks("HSET", messagesKey, told)
    local length = inChunks("RPUSH", logKey, log)
    if length > logMax then
      redis.call("LTRIM", logKey, 0, logMax - 1)
      redis.call("HINCRBY", runKey, "log_dropped", length - logMax)
    end
    if cost ~= 0 then
      redis.call("HINCRBY", runKey, "cost_micro", cost)
      tellCost(run, cost)
    end
    if tokens ~= 0 then redis.call("HINCRBY", runKey, "tokens", tokens) end
    -- A message that ends while it opens another one leaves the counts unchanged.
    if run[2] ~= openBefore or run[3] ~= inWardBefore or run[4] ~= quarantinedBefore then
      set("n_open", run[2])
      set("n_in_ward", run[3])
      set("n_quarantined", run[4])
    end

    local goesOn = reopened and run[1] == "failed"
    if goesOn then
      redis.call("HDEL", runKey, "ended_ms")
      for _, key in ipairs({ runKey, messagesKey, logKey }) do redis.call("PERSIST", key) end
    end
    local isEnded = false
    if goesOn or not ENDED[run[1]] then
      local status = runStatus(run[1], run[2], run[3], run[4], run[5], run[6], run[7], started)
      if status ~= run[1] then
        moveStatus(run, runId, run[1], status)
        set("status", status)
        isEnded = ENDED[status]
      end
    end
    if isEnded then set("ended_ms", redisNowMs()) end
    if #fields > 0 then redis.call("HSET", runKey, unpack(fields)) end
    if isEnded then
      for _, key in ipairs({ runKey, messagesKey, logKey }) do redis.call("PEXPIRE", key, retentionMs) end
    end
    redis.call("PUBLISH", channelBase .. runId, "changed")
  end

  for i = 1, #list do applyToRun(list[i].id, list[i].events) end
end
