#!/bin/sh
# Run once by PostgreSQL's image on an empty database: the logins that API and workers come in by. Migrations
# find them and grant what each may do.
set -eu
psql -v ON_ERROR_STOP=1 -v app="$APP_PASSWORD" -v worker="$WORKER_PASSWORD" \
  --username "$POSTGRES_USER" --dbname postgres <<'SQL'
CREATE ROLE sightline_app LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE PASSWORD :'app';
CREATE ROLE sightline_worker LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE PASSWORD :'worker';
SQL
