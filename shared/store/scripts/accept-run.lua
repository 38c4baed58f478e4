-- Accepts a task: the run, its first message and the count, in one step. After this nothing can lose it.
-- KEYS: 1 run, 2 messages, 3 log, 4 counts, 5 index, 6 index of queued, 7 outbox, 8 idempotency record
-- ARGV: 1 run id, 2 created ms, 3 first message id, 4 its agent, 5 outbox id, 6 outbox entry, 7 first event id, 8 event,
--       9 idempotency digest or "", 10 its life in ms, 11 limit of waiting runs, 12 base of the first message's queue, 13 its
--       data, 14 options of jobs, 15 "1" for the head of the queue, 16 tenant, 17 number of
--       accounts, for each of them its name, limit of open runs, of waiting ones, of micro-USD a day ("" for none); run fields
-- Where one Redis holds every slot the first message is added at once, and 5 and 6 are ""; elsewhere 12 to 15 are.
-- Idempotent by run id: a client whose connection broke before the reply sends the script again on its own account.
-- Reply: {"accepted", run id} | {"repeated", run id} | {"conflict", run id} | {"full", waiting}
--        | {"over", account, "open" | "waiting" | "day"}
if redis.call("EXISTS", KEYS[1]) == 1 then return {"accepted", ARGV[1]} end
if ARGV[9] ~= "" then
  local known = redis.call("HMGET", KEYS[8], "run_id", "digest")
  if known[1] then
    if known[2] == ARGV[9] then return {"repeated", known[1]} end
    return {"conflict", known[1]}
  end
end
local waiting = 0
for _, n in ipairs(redis.call("HMGET", KEYS[4], "queued", "running", "in_ward", "quarantined")) do
  waiting = waiting + (tonumber(n or "0") or 0)
end
if waiting >= tonumber(ARGV[11]) then return {"full", waiting} end
local owners, at, names = string.sub(KEYS[4], 1, -7) .. "owner", 18, {}
local day = math.floor(tonumber(ARGV[2]) / 86400000)
for _ = 1, tonumber(ARGV[17]) do
  local name, open, begun, cost = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
  local key = owners .. ":open:" .. name
  if open ~= "" and redis.call("ZCARD", key) >= tonumber(open) then return {"over", name, "open"} end
  if begun ~= "" and redis.call("ZCOUNT", key, 1, 1) >= tonumber(begun) then return {"over", name, "waiting"} end
  local spent = cost ~= "" and redis.call("GET", owners .. ":spent:" .. day .. ":" .. name)
  if spent and tonumber(spent) >= tonumber(cost) then return {"over", name, "day"} end
  names[#names + 1] = name
  at = at + 4
end
-- Before the run: a command that fails leaves nothing accepted.
if ARGV[5] == "" then
  addPlain(ARGV[12], ARGV[3], ARGV[13], ARGV[14], ARGV[2], ARGV[15])
else
  redis.call("HSET", KEYS[7], ARGV[5], ARGV[6])
end
redis.call("HSET", KEYS[1], "status", "queued", "n_open", 1, "n_in_ward", 0, "n_quarantined", 0, unpack(ARGV, at))
redis.call("SADD", owners .. "s", ARGV[16])
redis.call("ZADD", owners .. ":runs:" .. ARGV[16], ARGV[2], ARGV[1])
for _, name in ipairs(names) do redis.call("ZADD", owners .. ":open:" .. name, 1, ARGV[1]) end
if #names > 0 then redis.call("SADD", owners .. ":accounts", unpack(names)) end
if #names > 0 then redis.call("HSET", KEYS[1], "accounts", table.concat(names, " ")) end
redis.call("HSET", KEYS[2], ARGV[3], "0|open|" .. ARGV[4], "e:" .. ARGV[7], 1)
redis.call("RPUSH", KEYS[3], ARGV[8])
redis.call("HINCRBY", KEYS[4], "submitted", 1)
redis.call("HINCRBY", KEYS[4], "queued", 1)
redis.call("ZADD", KEYS[5], ARGV[2], ARGV[1])
redis.call("ZADD", KEYS[6], ARGV[2], ARGV[1])
if ARGV[9] ~= "" then
  redis.call("HSET", KEYS[8], "run_id", ARGV[1], "digest", ARGV[9])
  redis.call("PEXPIRE", KEYS[8], ARGV[10])
end
return {"accepted", ARGV[1]}
