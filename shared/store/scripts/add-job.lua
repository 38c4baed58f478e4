-- Adds a job to a queue, unless it is there already.
-- KEYS: 1 meta, 2 wait of the queue, 3 the job
-- ARGV: 1 job id, 2 data, 3 options, 4 now in ms, 5 "1" for the head of the queue, 6 base of the queue's keys
-- Reply: 1 added | 0 there already
return addPlain(ARGV[6], ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5])
