DROP INDEX names_grams_idx;
DROP FUNCTION name_grams;
