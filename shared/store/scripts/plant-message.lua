-- Plants a message that a bridge brought from another cluster: the message, its run's record and the memory that it was
-- taken, in one step. After this nothing can lose it, and planting it again changes nothing.
-- KEYS: 1 hash by which the message is remembered, 2 counts, 3 index, 4 index of queued, 5 outbox of runs, 6 run, 7 its
--       messages, 8 its log
-- ARGV: 1 digest of the sealed text, 2 life of the memory in ms, 3 when the sender first tried, in ms, 4 now in ms,
--       5 stream that the run's home is told by, or "" where that is here, 6 id of an outbox entry or "", 7 the entry,
--       8 base of the message's queue, 9 message id, 10 data, 11 options of jobs, 12 "1" for the head of the queue,
--       13 run id, 14 team, 15 trace id, then what `applyToRuns` reads
-- Where one Redis holds every slot the job is added at once, and 6 and 7 are ""; elsewhere 8 and 10 to 12 are.
-- Reply: "taken" | "known" | "foreign" other bytes under its id | "forgotten" it was first tried before our memory begins
local CLOCKS_APART_MS = 3600000
local digest = redis.call("HGET", KEYS[1], "digest")
if digest then return digest == ARGV[1] and "known" or "foreign" end
if tonumber(ARGV[3]) < tonumber(ARGV[4]) - tonumber(ARGV[2]) then return "forgotten" end
if ARGV[6] == "" then
  addPlain(ARGV[8], ARGV[9], ARGV[10], ARGV[11], ARGV[4], ARGV[12])
else
  redis.call("HSET", KEYS[5], ARGV[6], ARGV[7])
end
if ARGV[5] ~= "" and redis.call("EXISTS", KEYS[6]) == 0 then
  redis.call("HSET", KEYS[6], "status", "queued", "n_open", 0, "n_in_ward", 0, "n_quarantined", 0, "created_ms", "0" .. ARGV[4],
    "team", ARGV[14], "trace_id", ARGV[15], "first_message_id", ARGV[9], "returns_to", ARGV[5])
  redis.call("HINCRBY", KEYS[2], "submitted", 1)
  redis.call("HINCRBY", KEYS[2], "queued", 1)
  redis.call("ZADD", KEYS[3], ARGV[4], ARGV[13])
  redis.call("ZADD", KEYS[4], ARGV[4], ARGV[13])
end
applyToRuns(KEYS[2], KEYS[3], 16)
redis.call("HSET", KEYS[1], "digest", ARGV[1])
redis.call("PEXPIRE", KEYS[1], ARGV[2] + CLOCKS_APART_MS)
return "taken"
