DELETE FROM backfills WHERE projection = 'seen-accounts';
DROP TRIGGER entries_seen_accounts_go ON entries;
DROP TRIGGER entries_seen_accounts_change ON entries;
DROP TRIGGER entries_seen_accounts_come ON entries;
DROP FUNCTION seen_accounts_of_entries();
DROP FUNCTION refresh_seen_accounts(bigint[]);
DROP TABLE seen_accounts;
