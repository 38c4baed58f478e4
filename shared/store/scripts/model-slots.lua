-- Part of other scripts: model slots of a group. A slot is a field of the group's hash and holds the lock token of
-- its job. It ends with the job: after a surgeon's crash the next delivery of that job has the slot, so that a
-- recorded answer is used before a model is called for another message. `no_recipe`: the last repair gave no recipe, so
-- several cases may call at once; `rest_ms`: no calls before this time, for the reason `rest_why`.
local SLOT = "h:"

local function slotField(jobId) return SLOT .. jobId end

-- Returns the job that holds a slot, or nil for another field.
local function holderOf(field)
  if string.sub(field, 1, #SLOT) == SLOT then return string.sub(field, #SLOT + 1) end
end

-- Returns true while a slot's job is active, or, after its surgeon died, waits for its next delivery.
local function isTaken(id, lockToken)
  local job = queueBase .. id
  if redis.call("GET", job .. ":lock") == lockToken then return true end
  if redis.call("EXISTS", job) == 0 or redis.call("HEXISTS", job, "finishedOn") == 1 then return false end
  return not redis.call("ZSCORE", queueBase .. "delayed", id)
end

-- `own`: id of the calling job, whose slot of an earlier delivery does not count, or nil.
-- Returns the slots that others hold, whether one at a time is allowed, and whether the group is in a cooldown.
local function readSlots(slots, own)
  local fields, alive, alone, rests = redis.call("HGETALL", slots), 0, true, false
  for i = 1, #fields, 2 do
    local name, value = fields[i], fields[i + 1]
    local holder = holderOf(name)
    if name == "no_recipe" then alone = false end
    if name == "rest_ms" then rests = tonumber(value) > nowMs end
    if holder and holder ~= own then
      if isTaken(holder, value) then alive = alive + 1 else redis.call("HDEL", slots, name) end
    end
  end
  return alive, alone, rests
end
