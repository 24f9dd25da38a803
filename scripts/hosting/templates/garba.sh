#!/bin/sh
# Garba {{version}}. Settings come from the environment, and from GARBA_ENV or /etc/garba/garba.env.
PATH=$PATH:/usr/bin:/bin
export GARBA_BUNDLE=1
here=$(dirname -- "$(readlink -f -- "$0")")
settings=${GARBA_ENV:-/etc/garba/garba.env}
folder=$(dirname -- "$settings")
for word; do
  # Help needs no settings.
  case $word in --help | -h) settings=/dev/null folder=/dev ;; esac
done
if { [ -e "$settings" ] && [ ! -r "$settings" ]; } || { [ -d "$folder" ] && [ ! -x "$folder" ]; }; then
  echo "This user cannot read the settings in $settings: run this as root." >&2
  exit 1
fi
if [ -f "$settings" ]; then
  export GARBA_ENV="$settings"
  # Node looks for this one before it reads the file.
  certificates=$(sed -n 's/\r$//; s/^NODE_EXTRA_CA_CERTS=//p' "$settings")
  [ -z "$certificates" ] || export NODE_EXTRA_CA_CERTS="$certificates"
  settings="--env-file=$settings"
else
  settings=--
fi
verb=$1
case $verb in
serve)
  [ $# -gt 1 ] || exec "$here/node" {{serverFlags}} "$settings" "$here/server/src/main.ts"
  shift
  exec "$here/node" {{serverFlags}} "$here/scripts/commands/run/serve.ts" "$@"
  ;;
{{verbs}})
  shift
  exec "$here/node" "$settings" "$here/scripts/commands/run/$verb.ts" "$@"
  ;;
--help | -h | help)
  echo "Usage: garba serve | {{verbs}}; each explains itself with --help"
  ;;
*)
  echo "Usage: garba serve | {{verbs}}" >&2
  exit 2
  ;;
esac
