-- Part of other scripts: whose turn it is to have a model asked for a group. A turn is a field `h:<job id>` of the
-- group's hash and holds the lock token of that job. It ends with the job: after a surgeon's death the next delivery of that job
-- has the turn, so that an answer that was kept is used before another letter is asked about. `barren`: the last repair gave no recipe, so that others may
-- ask beside it; `rest_ms`: until then nobody does, and `rest_why` says why.

-- Returns true while a turn's job is being worked on, or, after its surgeon died, waits for its next delivery.
local function isTaken(base, id, token)
  local job = base .. id
  if redis.call("GET", job .. ":lock") == token then return true end
  if redis.call("EXISTS", job) == 0 or redis.call("HEXISTS", job, "finishedOn") == 1 then return false end
  return not redis.call("ZSCORE", base .. "delayed", id)
end

-- `own`: id of the asking job, whose turn from an earlier delivery does not count, or "".
-- Reply: how many turns others have, whether they are for one alone, and whether the group rests
local function readTurns(turns, base, nowMs, own)
  local fields, alive, alone, rests = redis.call("HGETALL", turns), 0, true, false
  for i = 1, #fields, 2 do
    local name, value = fields[i], fields[i + 1]
    if name == "barren" then alone = false
    elseif name == "rest_ms" then rests = tonumber(value) > tonumber(nowMs)
    elseif name == "rest_why" then
      -- For people.
    elseif string.sub(name, 3) == own then
      -- Its own.
    elseif isTaken(base, string.sub(name, 3), value) then alive = alive + 1
    else redis.call("HDEL", turns, name) end
  end
  return alive, alone, rests
end

-- Calls up to `most` of the jobs that wait for a group. Reply: how many were called
local function callWaiting(waiting, base, most)
  local called = 0
  while called < most do
    local id = redis.call("ZPOPMIN", waiting)[1]
    if not id then break end
    -- Its time may have come by itself meanwhile, or its case been seen to.
    if redis.call("ZREM", base .. "delayed", id) == 1 then
      redis.call("HSET", base .. id, "delay", 0)
      redis.call("LPUSH", base .. "wait", id)
      called = called + 1
    end
  end
  if called > 0 then redis.call("ZADD", base .. "marker", 0, "0") end
  return called
end
