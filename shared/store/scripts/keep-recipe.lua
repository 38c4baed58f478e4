-- Writes one recipe if it still is what the change was worked out from, with its line of the audit.
-- KEYS: 1 recipes of the fingerprint, 2 fingerprints by recipe, 3 fingerprints with recipes, 4 version of all recipes,
--       5 audit of the ward, 6 audit of the recipe
-- ARGV: 1 recipe id, 2 fingerprint, 3 text it must have, or "" when it must not be there, 4 its next text,
--       5 recipes of one fingerprint at most, 6 recipes in all at most, 7 audit entry or "", 8 audit length,
--       9 "1" when who applies recipes has to hear of it, 10 audit length of a recipe
-- Reply: "kept" | "stale" | "full"
if (redis.call("HGET", KEYS[1], ARGV[1]) or "") ~= ARGV[3] then return "stale" end
if ARGV[3] == "" then
  if redis.call("HEXISTS", KEYS[2], ARGV[1]) == 1 then return "stale" end
  if redis.call("HLEN", KEYS[1]) >= tonumber(ARGV[5]) or redis.call("HLEN", KEYS[2]) >= tonumber(ARGV[6]) then return "full" end
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
