#!/usr/bin/env bash
# Version: date-fns 4.4.0
# What: A date that date-fns writes in Gujarati or Hindi is given back to its parse() with the same pattern and locale, as a form does
#   that shows a day and reads it again. One would expect the same day, as in English. In Gujarati no time of day with AM or PM
#   is read, at any hour: "7:30 PM" of h:mm a is invalid, and so is p. In Hindi 12-hour times are read, and the month of Navratri
#   is not: each "17 अक्टूबर 2028" is invalid, as are all of April with d MMM yyyy. In Gujarati it is August. With the era, G yyyy,
#   both give 2028 before Christ, without an error. The other months come back right, so a test in November passes. "About 5
#   hours" in Gujarati begins with an invisible U+200B.
# Source: github.com/date-fns/date-fns, src/locale/gu and src/locale/hi (_lib/match, _lib/localize, _lib/formatDistance)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund date-fns@4.4.0
cat > look.cjs <<'JS'
const { format, formatDistance, parse } = require('date-fns')
const { enUS, gu, hi } = require('date-fns/locale')
const HOURS = Array.from({ length: 24 }, (_, hour) => new Date(2028, 9, 17, hour, 30))
const DAYS = Array.from({ length: 366 }, (_, day) => new Date(2028, 0, 1 + day))
for (const [name, locale] of Object.entries({ enUS, gu, hi }))
  for (const [pattern, moments] of [['h:mm a', HOURS], ['d MMM yyyy', DAYS], ['d MMMM yyyy', DAYS], ['G yyyy', DAYS]]) {
    let wrong = 0
    const months = new Set()
    for (const moment of moments) {
      const text = format(moment, pattern, { locale })
      const back = parse(text, pattern, new Date(2028, 9, 17), { locale })
      const same = !Number.isNaN(back.getTime()) && format(back, pattern, { locale }) === text
      if (same) continue
      wrong++
      months.add(`${Number.isNaN(back.getTime()) ? 'invalid' : `year ${back.getFullYear()}`} in month ${moment.getMonth() + 1}`)
    }
    console.log(`${name} ${pattern}: ${wrong} of ${moments.length} wrong${months.size === 0 || months.size === 12 ? '' : `, ${[...months].join(', ')}`}`)
  }
console.log(format(new Date(2028, 9, 17), 'd MMMM yyyy', { locale: hi }), format(new Date(2028, 9, 17, 19, 30), 'h:mm a', { locale: gu }))
console.log(parse(format(DAYS[0], 'G yyyy', { locale: gu }), 'G yyyy', DAYS[0], { locale: gu }).getFullYear())
console.log(formatDistance(0, 5 * 3_600_000, { locale: gu }).codePointAt(0).toString(16))
JS
found=$(TZ=Asia/Kolkata node look.cjs)
echo "$found"
expected='enUS h:mm a: 0 of 24 wrong
enUS d MMM yyyy: 0 of 366 wrong
enUS d MMMM yyyy: 0 of 366 wrong
enUS G yyyy: 0 of 366 wrong
gu h:mm a: 24 of 24 wrong, invalid in month 10
gu d MMM yyyy: 0 of 366 wrong
gu d MMMM yyyy: 31 of 366 wrong, invalid in month 8
gu G yyyy: 366 of 366 wrong
hi h:mm a: 0 of 24 wrong
hi d MMM yyyy: 61 of 366 wrong, invalid in month 4, invalid in month 10
hi d MMMM yyyy: 31 of 366 wrong, invalid in month 10
hi G yyyy: 366 of 366 wrong
17 अक्टूबर 2028 7:30 PM
-2027
200b'
[ "$found" = "$expected" ] || { echo 'date-fns reads its own dates otherwise than it did.'; exit 1; }
