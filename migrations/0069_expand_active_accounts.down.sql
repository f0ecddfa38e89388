DROP TRIGGER rewrites_active_accounts ON rewrites;
DROP FUNCTION active_accounts_of_rewrites();
DROP TABLE active_accounts;
