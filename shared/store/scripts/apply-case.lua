-- Part of other scripts: moves one case of the ward from one version to the next: fields, status, indexes, its group, audit
-- and outbox.
-- KEYS: 1 case, 2 outbox, 3 audit of the case, 4 audit of the ward, 5 counts, 6 job lock (or the case again when unfenced)
-- ARGV: 1 case id, 2 expected version (0: it must not exist), 3 prefix of the ward's keys, 4 now in ms, 5 next status,
--       6 fingerprint, 7 lock token or "", 8 "1" when a letter arrives, "2" when one comes back that was repaired,
--       9 producer, 10 current hour since the epoch, 11 outbox id or "", 12 outbox entry, 13 audit entry or "",
--       14 audit length of a case, 15 audit length of the ward, 16 trend hours kept, 17 producers kept,
--       18 JSON of who had to do with an arriving letter: [[name, version]…], 19 id of the recipe that healed it or "",
--       20 number of removed fields, 21 number of fields and values to set, removed…, then field, value…

-- The case as it is before: version, status, group, when it was admitted.
local present = redis.call("HMGET", KEYS[1], "version", "status", "fingerprint", "admitted_ms")

-- Reply: nil when the case may be changed | {"stale", version} | {"lost"}
local function caseRefusal()
  local version = tonumber(present[1] or "0")
  if version ~= tonumber(ARGV[2]) then return { "stale", version } end
  if ARGV[7] ~= "" and redis.call("GET", KEYS[6]) ~= ARGV[7] then return { "lost" } end
end

-- Where the arguments behind those of the case begin.
local function afterCase() return 22 + tonumber(ARGV[20]) + tonumber(ARGV[21]) end

-- Whether a letter speaks against what somebody resolved: with a version named, only that one or a later one does, and
-- letters with which that name has nothing to do.
local function speaksAgainst(groupKey)
  local resolved = redis.call("HMGET", groupKey, "resolved_name", "resolved_version")
  if not resolved[1] then return true end
  for _, party in ipairs(cjson.decode(ARGV[18])) do
    if party[1] == resolved[1] then return party[2] >= tonumber(resolved[2]) end
  end
  return true
end

-- Counts a letter that arrives for its group and its producer.
local function countArrival(prefix, groupKey, at, group)
  redis.call("HINCRBY", groupKey, "count", 1)
  redis.call("HSETNX", groupKey, "first_seen_ms", at)
  redis.call("HSETNX", groupKey, "producer", ARGV[9])
  redis.call("HSETNX", groupKey, "lifecycle", "open")
  redis.call("HSET", groupKey, "last_seen_ms", at)
  if redis.call("HGET", groupKey, "lifecycle") == "resolved" and speaksAgainst(groupKey) then
    redis.call("HSET", groupKey, "lifecycle", "regressed", "regressed_ms", at, "regressed_by", ARGV[9])
  end
  redis.call("ZADD", prefix .. "groups", at, group)
  if redis.call("HINCRBY", groupKey, "t:" .. ARGV[10], 1) == 1 then
    local oldest = tonumber(ARGV[10]) - tonumber(ARGV[16])
    for _, field in ipairs(redis.call("HKEYS", groupKey)) do
      if string.sub(field, 1, 2) == "t:" and tonumber(string.sub(field, 3)) <= oldest then redis.call("HDEL", groupKey, field) end
    end
  end
  local producers = prefix .. "producers"
  if redis.call("HEXISTS", producers, ARGV[9]) == 1 or redis.call("HLEN", producers) < tonumber(ARGV[17]) then
    redis.call("HINCRBY", producers, ARGV[9], 1)
  end
end

local function pushWithin(key, entry, most)
  if redis.call("LPUSH", key, entry) > most then redis.call("LTRIM", key, 0, most - 1) end
end

local function noteCase()
  if ARGV[13] ~= "" then
    pushWithin(KEYS[3], pushAudit(KEYS[4], ARGV[13], tonumber(ARGV[15])), tonumber(ARGV[14]))
  end
  if ARGV[11] ~= "" then redis.call("HSET", KEYS[2], ARGV[11], ARGV[12]) end
end

-- Reply: {"written", version}
local function writeCase()
  local id, prefix, at, nextStatus, group = ARGV[1], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
  local OPEN = { admitted = true, in_surgery = true, quarantined = true }
  local LEFT = { discharged = true, released = true }
  local oldStatus, oldGroup, admitted = present[2], present[3], present[4] or at
  local version = tonumber(ARGV[2]) + 1

  local removed, set = tonumber(ARGV[20]), tonumber(ARGV[21])
  if removed > 0 then redis.call("HDEL", KEYS[1], unpack(ARGV, 22, 21 + removed)) end
  redis.call("HSET", KEYS[1], "version", version, "status", nextStatus, "fingerprint", group, "updated_ms", at,
    "admitted_ms", admitted, unpack(ARGV, 22 + removed, 21 + removed + set))

  if not oldStatus then
    redis.call("ZADD", prefix .. "index", admitted, id)
    redis.call("ZADD", prefix .. "index:run:" .. redis.call("HGET", KEYS[1], "run_id"), admitted, id)
  end
  if oldStatus ~= nextStatus then
    if oldStatus then
      redis.call("ZREM", prefix .. "index:status:" .. oldStatus, id)
      redis.call("HINCRBY", KEYS[5], oldStatus, -1)
    end
    redis.call("ZADD", prefix .. "index:status:" .. nextStatus, admitted, id)
    redis.call("HINCRBY", KEYS[5], nextStatus, 1)
  end
  if oldGroup and oldGroup ~= group then redis.call("ZREM", prefix .. "index:group:" .. oldGroup, id) end
  if oldGroup ~= group then redis.call("ZADD", prefix .. "index:group:" .. group, admitted, id) end
  local groupKey = prefix .. "group:" .. group
  local wasOpen, isOpen = OPEN[oldStatus or ""], OPEN[nextStatus]
  if wasOpen and not (isOpen and oldGroup == group) then redis.call("HINCRBY", prefix .. "group:" .. oldGroup, "open", -1) end
  if isOpen and not (wasOpen and oldGroup == group) then redis.call("HINCRBY", groupKey, "open", 1) end
  if isOpen and not wasOpen then
    redis.call("ZREM", prefix .. "index:closed", id)
    redis.call("HDEL", KEYS[1], "closed_ms")
  elseif not isOpen and oldStatus ~= nextStatus then
    redis.call("ZADD", prefix .. "index:closed", at, id)
    redis.call("HSET", KEYS[1], "closed_ms", at)
    if LEFT[nextStatus] then redis.call("HINCRBY", groupKey, "sent_on", 1) end
  end

  -- A repair that did not hold counts for the group it was made in, whatever the letter died of this time.
  if ARGV[8] == "2" and oldGroup then redis.call("HINCRBY", prefix .. "group:" .. oldGroup, "replays", 1) end
  if ARGV[8] ~= "0" then countArrival(prefix, groupKey, at, group) end
  if ARGV[19] ~= "" then redis.call("HINCRBY", prefix .. "recipe-uses", ARGV[19], 1) end
  noteCase()
  return { "written", version }
end
