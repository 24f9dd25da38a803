#!/usr/bin/env bash
# Version: ical-generator 11.1.2, ical.js 2.2.1, node-ical 0.27.2
# What: An event is made from an instant (a Date) and `timezone: 'Asia/Kolkata'`. One would expect the instant in Kolkata's time.
#   ical-generator writes the wall clock of the machine and puts TZID=Asia/Kolkata beside it: on a server in UTC, 13:30Z becomes
#   13:30 in Kolkata, 5.5 hours too early. ical.js reads a TZID without a VTIMEZONE (ical-generator writes none) as floating
#   time of the machine. So on a server in UTC a test that writes with the one and reads with the other sees the instant it put
#   in, and passes; node-ical, which knows the zone, reads 08:00Z. On a machine in Kolkata all three agree.
# Source: github.com/sebbo2002/ical-generator, src/tools.ts (formatDate); github.com/kewisch/ical.js, lib/ical/time.js
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund ical-generator@11.1.2 ical.js@2.2.1 node-ical@0.27.2
cat > look.mjs <<'JS'
import ICAL from 'ical.js'
import ical from 'ical-generator'
import nodeIcal from 'node-ical'

const calendar = ical()
calendar.createEvent({ start: new Date('2026-10-17T13:30:00Z'), timezone: 'Asia/Kolkata', summary: 'Garba' })
const text = calendar.toString()
const event = new ICAL.Event(new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent'))
const byNodeIcal = Object.values(nodeIcal.sync.parseICS(text)).find(({ type }) => type === 'VEVENT')
console.log([
  text.match(/^DTSTART.*?(?=\r)/m)[0],
  `ical.js ${event.startDate.toJSDate().toISOString()} ${event.startDate.zone.tzid}`,
  `node-ical ${byNodeIcal.start.toISOString()}`,
].join('; '))
JS
look() {
  seen=$(TZ=$1 node look.mjs)
  echo "machine in $1: $seen"
  [ "$seen" = "$2" ] || { echo 'One of the three packages has changed.'; exit 1; }
}
look UTC 'DTSTART;TZID=Asia/Kolkata:20261017T133000; ical.js 2026-10-17T13:30:00.000Z floating; node-ical 2026-10-17T08:00:00.000Z'
look Asia/Kolkata 'DTSTART;TZID=Asia/Kolkata:20261017T190000; ical.js 2026-10-17T13:30:00.000Z floating; node-ical 2026-10-17T13:30:00.000Z'
