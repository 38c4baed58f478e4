-- Forgets one closed case whose retention is over, with everything that points to it.
-- KEYS: 1 case, 2 audit of the case, 3 counts   ARGV: 1 case id, 2 prefix of the ward's keys, 3 closed before, in ms
-- Reply: 1 forgotten | 0 it is open, or was closed later
local closed = redis.call("ZSCORE", ARGV[2] .. "index:closed", ARGV[1])
if not closed or tonumber(closed) > tonumber(ARGV[3]) then return 0 end
local f = redis.call("HMGET", KEYS[1], "status", "fingerprint", "run_id")
for _, index in ipairs({ "index", "index:closed", "index:status:" .. (f[1] or ""), "index:group:" .. (f[2] or ""),
  "index:run:" .. (f[3] or "") }) do
  redis.call("ZREM", ARGV[2] .. index, ARGV[1])
end
if f[1] then redis.call("HINCRBY", KEYS[3], f[1], -1) end
if f[2] and redis.call("ZCARD", ARGV[2] .. "index:group:" .. f[2]) == 0 then
  redis.call("DEL", ARGV[2] .. "group:" .. f[2], ARGV[2] .. "group-audit:" .. f[2])
  redis.call("ZREM", ARGV[2] .. "groups", f[2])
  -- With the last letter of a fault goes what was learned of it and is not believed.
  local recipes = ARGV[2] .. "recipe:" .. f[2]
  local kept = redis.call("HGETALL", recipes)
  for i = 1, #kept, 2 do
    local recipe = cjson.decode(kept[i + 1])
    if type(recipe.learned_from) == "string" and recipe.state ~= "trusted" then
      redis.call("HDEL", recipes, kept[i])
      redis.call("HDEL", ARGV[2] .. "recipe-ids", kept[i])
      redis.call("HDEL", ARGV[2] .. "recipe-uses", kept[i])
      redis.call("DEL", ARGV[2] .. "recipe-audit:" .. kept[i])
    end
  end
  if #kept > 0 and redis.call("EXISTS", recipes) == 0 then redis.call("SREM", ARGV[2] .. "recipes", f[2]) end
end
redis.call("DEL", KEYS[1], KEYS[2])
return 1
