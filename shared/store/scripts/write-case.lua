-- Moves one case of the ward from one version to the next: fields, status, indexes, its group, audit and outbox, or nothing.
-- KEYS: 1 case, 2 outbox, 3 audit of the case, 4 audit of the ward, 5 counts, 6 job lock (or the case again when unfenced)
-- ARGV: 1 case id, 2 expected version (0: it must not exist), 3 prefix of the ward's keys, 4 now in ms, 5 next status,
--       6 fingerprint, 7 lock token or "", 8 "1" when a letter arrives, 9 producer, 10 current hour since the epoch,
--       11 outbox id or "", 12 outbox entry, 13 audit entry or "", 14 audit length of a case, 15 audit length of the ward,
--       16 trend hours kept, 17 producers kept, 18 number of removed fields, removed…, then field, value…
-- Reply: {"written", version, letters in the group} | {"stale", version} | {"lost"}
local id, prefix, at, nextStatus, group = ARGV[1], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local known = redis.call("HMGET", KEYS[1], "version", "status", "fingerprint", "admitted_ms")
local version = tonumber(known[1] or "0")
if version ~= tonumber(ARGV[2]) then return {"stale", version} end
if ARGV[7] ~= "" and redis.call("GET", KEYS[6]) ~= ARGV[7] then return {"lost"} end
local OPEN = { admitted = true, in_surgery = true, quarantined = true }
local oldStatus, oldGroup, admitted = known[2], known[3], known[4] or at

local removed = tonumber(ARGV[18])
if removed > 0 then redis.call("HDEL", KEYS[1], unpack(ARGV, 19, 18 + removed)) end
if #ARGV > 18 + removed then redis.call("HSET", KEYS[1], unpack(ARGV, 19 + removed)) end
redis.call("HSET", KEYS[1], "version", version + 1, "status", nextStatus, "fingerprint", group, "updated_ms", at,
  "admitted_ms", admitted)

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
if OPEN[oldStatus or ""] then redis.call("HINCRBY", prefix .. "group:" .. oldGroup, "open", -1) end
local groupKey = prefix .. "group:" .. group
if OPEN[nextStatus] then
  redis.call("HINCRBY", groupKey, "open", 1)
  redis.call("ZREM", prefix .. "index:closed", id)
  redis.call("HDEL", KEYS[1], "closed_ms")
elseif oldStatus ~= nextStatus then
  redis.call("ZADD", prefix .. "index:closed", at, id)
  redis.call("HSET", KEYS[1], "closed_ms", at)
end

local letters = tonumber(redis.call("HGET", groupKey, "count") or "0")
if ARGV[8] == "1" then
  letters = redis.call("HINCRBY", groupKey, "count", 1)
  redis.call("HSETNX", groupKey, "first_seen_ms", at)
  redis.call("HSETNX", groupKey, "producer", ARGV[9])
  redis.call("HSETNX", groupKey, "lifecycle", "open")
  redis.call("HSET", groupKey, "last_seen_ms", at)
  if redis.call("HGET", groupKey, "lifecycle") == "resolved" then redis.call("HSET", groupKey, "lifecycle", "regressed") end
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

if ARGV[13] ~= "" then
  redis.call("LPUSH", KEYS[3], ARGV[13])
  redis.call("LTRIM", KEYS[3], 0, tonumber(ARGV[14]) - 1)
  redis.call("LPUSH", KEYS[4], ARGV[13])
  redis.call("LTRIM", KEYS[4], 0, tonumber(ARGV[15]) - 1)
end
if ARGV[11] ~= "" then redis.call("HSET", KEYS[2], ARGV[11], ARGV[12]) end
return {"written", version + 1, letters}
