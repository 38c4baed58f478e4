-- Adds jobs to queues.
for i = 1, #jobs do addJob(jobs[i], nowMs) end
