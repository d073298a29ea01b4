"""How language models did when they were tried as verifiers."""

from sightline.store.migrations.script import publish_catalogue_tables, run_script

revision = "0019"
down_revision: str | None = "0017"

TABLE = """
CREATE TABLE model_checks (
  model text NOT NULL,
  base_url text NOT NULL,              -- "" for the provider's own address
  version integer NOT NULL,            -- of the prompt and of the pairs
  refused integer NOT NULL,
  falsehoods integer NOT NULL,
  kept integer NOT NULL,
  paraphrases integer NOT NULL,
  scores jsonb NOT NULL,               -- [{kind, asked, right}]
  tokens bigint NOT NULL,
  checked_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (model, base_url, version)
);
"""


def upgrade() -> None:
    run_script(TABLE)
    publish_catalogue_tables("model_checks")
