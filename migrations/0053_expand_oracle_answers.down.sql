DELETE FROM backfills WHERE projection = 'entries-of-oracle-answers';
DELETE FROM entries AS e USING lists AS l WHERE l.key = e.list AND l.kind = 12;
DELETE FROM lists WHERE kind = 12;
