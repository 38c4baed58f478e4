-- Takes a job out of the engine by hand, once its case is in the ward. Works on raw keys, because the engine itself
-- cannot read a job whose stored JSON is broken.
-- KEYS: 1 job, 2 lock, 3 wait, 4 active, 5 failed, 6 delayed, 7 prioritized, 8 stalled   ARGV: 1 job id
redis.call("LREM", KEYS[3], 0, ARGV[1])
redis.call("LREM", KEYS[4], 0, ARGV[1])
redis.call("ZREM", KEYS[5], ARGV[1])
redis.call("ZREM", KEYS[6], ARGV[1])
redis.call("ZREM", KEYS[7], ARGV[1])
redis.call("SREM", KEYS[8], ARGV[1])
redis.call("DEL", KEYS[1], KEYS[2])
return 1
