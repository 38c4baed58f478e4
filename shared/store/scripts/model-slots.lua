-- Part of other scripts: whose slot it is to have a model asked for a group. A slot is a field of the group's hash and holds
-- the lock token of its job. It ends with the job: after a surgeon's death the next delivery of that job has the slot, so
-- that an answer that was kept is used before another message is asked about. `barren`: the last repair gave no recipe, so
-- that others may ask beside it; `rest_ms`: until then nobody does, and `rest_why` says why.
local SLOT = "h:"

local function slotField(jobId) return SLOT .. jobId end

-- The job that holds a slot, or nil for another field.
local function holderOf(field)
  if string.sub(field, 1, #SLOT) == SLOT then return string.sub(field, #SLOT + 1) end
end

-- Returns true while a slot's job is being worked on, or, after its surgeon died, waits for its next delivery.
local function isTaken(id, lockToken)
  local job = queueBase .. id
  if redis.call("GET", job .. ":lock") == lockToken then return true end
  if redis.call("EXISTS", job) == 0 or redis.call("HEXISTS", job, "finishedOn") == 1 then return false end
  return not redis.call("ZSCORE", queueBase .. "delayed", id)
end

-- `own`: id of the asking job, whose slot from an earlier delivery does not count, or nil.
-- Returns how many slots others have, whether they are for one alone, and whether the group rests.
local function readSlots(slots, own)
  local fields, alive, alone, rests = redis.call("HGETALL", slots), 0, true, false
  for i = 1, #fields, 2 do
    local name, value = fields[i], fields[i + 1]
    local holder = holderOf(name)
    if name == "barren" then alone = false end
    if name == "rest_ms" then rests = tonumber(value) > nowMs end
    if holder and holder ~= own then
      if isTaken(holder, value) then alive = alive + 1 else redis.call("HDEL", slots, name) end
    end
  end
  return alive, alone, rests
end
