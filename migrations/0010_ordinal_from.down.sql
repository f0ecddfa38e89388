DROP FUNCTION ordinal_from;
