-- When sessions of the console were used last, so that unused ones end.

ALTER TABLE console_sessions ADD used_at timestamptz NOT NULL DEFAULT now();
