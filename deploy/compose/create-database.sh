#!/bin/sh
# Run once by the image of PostgreSQL, as its superuser, when compose.yaml is started with an empty volume. The service's role owns its database
# and nothing else, and no other role may connect: whoever may connect can take the service's locks.
set -eu
psql --quiet --no-psqlrc --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres <<'SQL'
\set password `cat "${DATABASE_PASSWORD_FILE:-/run/secrets/database-password}"`
CREATE ROLE tpwebservices LOGIN PASSWORD :'password';
CREATE DATABASE tpwebservices OWNER tpwebservices ENCODING 'UTF8' TEMPLATE template0;
SQL
psql --quiet --no-psqlrc --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=tpwebservices --file="${RIGHTS_FILE:-/rights.sql}"
