-- expand: kinds of events that older programs do not know. They see the kind `load_left` there, which they announce to nobody.
ALTER TABLE events ADD COLUMN later_kind text;
