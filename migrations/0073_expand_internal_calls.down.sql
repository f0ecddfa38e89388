DROP FUNCTION internal_call_ids(text);
DROP TABLE internal_call_parties;
DROP TABLE internal_calls;
DROP TABLE call_replays;
DROP TABLE call_replay_progress;
