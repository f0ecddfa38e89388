-- What the function does with rows that are right is as before: it stays.
ALTER FUNCTION change_ranks(rank[], rank[]) RESET ALL;
ALTER FUNCTION settle() RESET ALL;
