-- Part of other scripts: moves one case from one version to the next: fields, status, indexes, group and audit.

-- The present case: version, status, group, time of admission.
local present = redis.call("HMGET", case, "version", "status", "fingerprint", "admitted_ms")

-- Returns why the change is refused, or nil.
local function caseRefusal()
  local version = tonumber(present[1] or "0")
  if version ~= expectedVersion then return { "stale" } end
  if token and redis.call("GET", jobLock) ~= token then return { "lost" } end
end

-- Counts an arriving message for its group and its producer.
local function countArrival(groupKey)
  local producer = arrival.producer
  redis.call("HINCRBY", groupKey, "count", 1)
  redis.call("HSETNX", groupKey, "first_seen_ms", nowMs)
  redis.call("HSETNX", groupKey, "producer", producer)
  redis.call("HSETNX", groupKey, "cause", arrival.cause)
  redis.call("HSETNX", groupKey, "lifecycle", "open")
  redis.call("HSET", groupKey, "last_seen_ms", nowMs)
  local known = redis.call("HMGET", groupKey, "lifecycle", "resolved_name", "resolved_version")
  if known[1] == "resolved" and isRegression(known[2], known[3], arrival.parties) then
    redis.call("HSET", groupKey, "lifecycle", "regressed", "regressed_ms", nowMs, "regressed_by", producer)
  end
  redis.call("ZADD", wardBase .. "groups", nowMs, fingerprint)
  if redis.call("HINCRBY", groupKey, "t:" .. hour, 1) == 1 then
    local oldest = hour - trendHours
    for _, field in ipairs(redis.call("HKEYS", groupKey)) do
      if string.sub(field, 1, 2) == "t:" and tonumber(string.sub(field, 3)) <= oldest then redis.call("HDEL", groupKey, field) end
    end
  end
  local producers = wardBase .. "producers"
  if redis.call("HEXISTS", producers, producer) == 1 or redis.call("HLEN", producers) < producersMax then
    redis.call("HINCRBY", producers, producer, 1)
  end
end

local function pushWithin(key, line, most)
  if redis.call("LPUSH", key, line) > most then redis.call("LTRIM", key, 0, most - 1) end
end

local function noteCase()
  if auditEntry then pushWithin(audit, pushAudit(wardAudit, auditEntry, auditLength), caseAuditLength) end
end

local function writeCase()
  local OPEN = { admitted = true, in_surgery = true, quarantined = true }
  local LEFT = { discharged = true, released = true }
  local oldStatus, oldGroup, admitted = present[2], present[3], present[4] or nowMs

  local wasProposed = redis.call("HEXISTS", case, "proposal") == 1
  if #removes > 0 then redis.call("HDEL", case, unpack(removes)) end
  redis.call("HSET", case, "version", expectedVersion + 1, "status", status, "fingerprint", fingerprint, "updated_ms", nowMs,
    "admitted_ms", admitted, unpack(sets))

  if not oldStatus then
    redis.call("ZADD", wardBase .. "index", admitted, caseId)
    redis.call("ZADD", wardBase .. "index:run:" .. redis.call("HGET", case, "run_id"), admitted, caseId)
  end
  if oldStatus ~= status then
    if oldStatus then
      redis.call("ZREM", wardBase .. "index:status:" .. oldStatus, caseId)
      redis.call("HINCRBY", caseCounts, oldStatus, -1)
    end
    redis.call("ZADD", wardBase .. "index:status:" .. status, admitted, caseId)
    redis.call("HINCRBY", caseCounts, status, 1)
  end
  if oldGroup and oldGroup ~= fingerprint then redis.call("ZREM", wardBase .. "index:group:" .. oldGroup, caseId) end
  if oldGroup ~= fingerprint then redis.call("ZADD", wardBase .. "index:group:" .. fingerprint, admitted, caseId) end
  local groupKey = wardBase .. "group:" .. fingerprint
  local wasOpen, isOpen = OPEN[oldStatus or ""], OPEN[status]
  local function countInGroup(field, was, is)
    local stays = was and is and oldGroup == fingerprint
    if was and not stays then redis.call("HINCRBY", wardBase .. "group:" .. oldGroup, field, -1) end
    if is and not stays then redis.call("HINCRBY", groupKey, field, 1) end
  end
  countInGroup("open", wasOpen, isOpen)
  countInGroup("quarantined", oldStatus == "quarantined", status == "quarantined")
  countInGroup("proposed", wasProposed, redis.call("HEXISTS", case, "proposal") == 1)
  if isOpen and not wasOpen then
    redis.call("ZREM", wardBase .. "index:closed", caseId)
    redis.call("HDEL", case, "closed_ms")
  elseif not isOpen and oldStatus ~= status then
    redis.call("ZADD", wardBase .. "index:closed", nowMs, caseId)
    redis.call("HSET", case, "closed_ms", nowMs)
    if LEFT[status] then redis.call("HINCRBY", groupKey, "sent_on", 1) end
  end

  -- A replay counts for the group in which the repair was made, whatever the message died of this time.
  if arrival and arrival.isReplay and oldGroup then
    redis.call("HINCRBY", wardBase .. "group:" .. oldGroup, "replays", 1)
  end
  if arrival then countArrival(groupKey) end
  if recipeId then redis.call("HINCRBY", wardBase .. "recipe-uses", recipeId, 1) end
  noteCase()
  return { "written", expectedVersion + 1 }
end
