#!/usr/bin/env bash
# Version: libphonenumber-js 1.13.16, google-libphonenumber 3.2.47, python3-phonenumbers 8.12.57 (Debian 12)
# What: A guest whose keyboard is set to Gujarati types ૯૮૭૬૫૪૩૨૧૦. One would expect a library for the phone numbers of the world,
#   with all of India's rules in it, to read that, and one that reads the Arabic ٩٨٧٦٥٤٣٢١٠ and the wide ９８７６５４３２１０ all the
#   more. libphonenumber-js and Google's own build for JavaScript read those two and take Gujarati and Devanagari digits for no
#   number at all, with +91 before them as well. The port for Python reads all four, so a server and a page that both use
#   "libphonenumber" disagree.
# Source: github.com/google/libphonenumber, javascript/i18n/phonenumbers/phonenumberutil.js (DIGIT_MAPPINGS);
#   gitlab.com/catamphetamine/libphonenumber-js, source/helpers/parseDigits.js
set -euo pipefail
if ! /usr/bin/python3 -c 'import phonenumbers' 2>/dev/null; then
  echo "This needs Python's phonenumbers (apt-get install python3-phonenumbers)."
  exit 2
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund libphonenumber-js@1.13.16 google-libphonenumber@3.2.47
cat > look.cjs <<'JS'
const google = require('google-libphonenumber')
const { parsePhoneNumberFromString } = require('libphonenumber-js')
const util = google.PhoneNumberUtil.getInstance()
for (const text of process.argv.slice(2)) {
  let byGoogle = 'none'
  try {
    byGoogle = util.format(util.parse(text, 'IN'), google.PhoneNumberFormat.E164)
  } catch {}
  console.log(text, parsePhoneNumberFromString(text, 'IN')?.number ?? 'none', byGoogle)
}
JS
cat > look.py <<'PY'
import phonenumbers, sys
for text in sys.argv[1:]:
    try:
        print(phonenumbers.format_number(phonenumbers.parse(text, 'IN'), phonenumbers.PhoneNumberFormat.E164))
    except phonenumbers.NumberParseException:
        print('none')
PY
texts=(૯૮૭૬૫૪૩૨૧૦ ९८७६५४३२१० '+91 ૯૮૭૬૫૪૩૨૧૦' ٩٨٧٦٥٤٣٢١٠ ９８７６５４３２１０)
found=$(paste -d ' ' <(node look.cjs "${texts[@]}") <(/usr/bin/python3 look.py "${texts[@]}"))
echo 'text, libphonenumber-js, google-libphonenumber, phonenumbers'
echo "$found"
expected='૯૮૭૬૫૪૩૨૧૦ none none +919876543210
९८७६५४३२१० none none +919876543210
+91 ૯૮૭૬૫૪૩૨૧૦ none none +919876543210
٩٨٧٦٥٤٣٢١٠ +919876543210 +919876543210 +919876543210
９８７６５４３２１０ +919876543210 +919876543210 +919876543210'
[ "$found" = "$expected" ] || { echo 'One of the three reads the digits otherwise than it did.'; exit 1; }
