-- expand: accounts that transactions name, counted part by part, so that a day, a week or a month is a sum.

-- Parts of the chain follow one another from its beginning on, and none reaches over a midnight (UTC). A part is known when a key block says that it is over.
CREATE TABLE active_accounts (
  -- Position of the first block after the part; it begins where the one before ends.
  upto bigint PRIMARY KEY,
  -- Accounts that are named in the part, and not before it in the same day, week or month.
  in_day int NOT NULL,
  in_week int NOT NULL,
  in_month int NOT NULL
);

-- What is written below the head changes which accounts are named, also above it, and when parts end: a part that ends within a generation ends there because of the next key block.
CREATE FUNCTION active_accounts_of_rewrites() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM active_accounts WHERE upto > (NEW.height - 1) << 33;
  RETURN NULL;
END
$$;

CREATE TRIGGER rewrites_active_accounts AFTER INSERT ON rewrites FOR EACH ROW EXECUTE FUNCTION active_accounts_of_rewrites();
