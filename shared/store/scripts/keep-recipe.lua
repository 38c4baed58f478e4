-- Writes one recipe if it still is what the change was worked out from, with its line of the audit; or deletes it.
-- KEYS: 1 recipes of the fingerprint, 2 fingerprints by recipe, 3 fingerprints with recipes, 4 version of all recipes,
--       5 audit of the ward, 6 audit of the recipe, 7 ids of the recipes of its producer, 8 uses by recipe
-- ARGV: 1 recipe id, 2 fingerprint, 3 text it must have, or "" when it must not be there, 4 its next text, or "" to delete
--       it, 5 recipes of one fingerprint at most, 6 recipes in all at most, 7 audit entry or "", 8 audit length,
--       9 "1" when who applies recipes has to hear of it, 10 audit length of a recipe,
--       11 producer from whose letter it was learned, or "", 12 its recipes of one fingerprint at most, 13 its recipes in
--       all at most, 14 seconds that the list of them lives
-- Reply: "kept" | "stale" | "full"
local function countOfProducer()
  local count = 0
  for _, text in ipairs(redis.call("HVALS", KEYS[1])) do
    local ok, recipe = pcall(cjson.decode, text)
    if ok and type(recipe) == "table" and type(recipe.taught_by) == "table" and recipe.taught_by[1] == ARGV[11]
      and type(recipe.learned_from) == "string" and recipe.state ~= "trusted" then count = count + 1 end
  end
  return count
end

local function hasRoom()
  if redis.call("HLEN", KEYS[1]) >= tonumber(ARGV[5]) or redis.call("HLEN", KEYS[2]) >= tonumber(ARGV[6]) then return false end
  if ARGV[11] == "" then return true end
  if countOfProducer() >= tonumber(ARGV[12]) then return false end
  if redis.call("SCARD", KEYS[7]) < tonumber(ARGV[13]) then return true end
  -- Those that went with their group are still on the list.
  for _, id in ipairs(redis.call("SMEMBERS", KEYS[7])) do
    if redis.call("HEXISTS", KEYS[2], id) == 0 then redis.call("SREM", KEYS[7], id) end
  end
  return redis.call("SCARD", KEYS[7]) < tonumber(ARGV[13])
end

if (redis.call("HGET", KEYS[1], ARGV[1]) or "") ~= ARGV[3] then return "stale" end
if ARGV[4] == "" then
  redis.call("HDEL", KEYS[1], ARGV[1])
  redis.call("HDEL", KEYS[2], ARGV[1])
  redis.call("HDEL", KEYS[8], ARGV[1])
  redis.call("DEL", KEYS[6])
  redis.call("SREM", KEYS[7], ARGV[1])
  if redis.call("EXISTS", KEYS[1]) == 0 then redis.call("SREM", KEYS[3], ARGV[2]) end
  redis.call("INCR", KEYS[4])
  return "kept"
end
if ARGV[3] == "" then
  if redis.call("HEXISTS", KEYS[2], ARGV[1]) == 1 then return "stale" end
  if not hasRoom() then return "full" end
  if ARGV[11] ~= "" then
    redis.call("SADD", KEYS[7], ARGV[1])
    redis.call("EXPIRE", KEYS[7], ARGV[14])
  end
end
redis.call("HSET", KEYS[1], ARGV[1], ARGV[4])
redis.call("HSET", KEYS[2], ARGV[1], ARGV[2])
redis.call("SADD", KEYS[3], ARGV[2])
if ARGV[9] == "1" then redis.call("INCR", KEYS[4]) end
if ARGV[7] ~= "" then
  redis.call("LPUSH", KEYS[6], pushAudit(KEYS[5], ARGV[7], tonumber(ARGV[8])))
  redis.call("LTRIM", KEYS[6], 0, tonumber(ARGV[10]) - 1)
end
return "kept"
