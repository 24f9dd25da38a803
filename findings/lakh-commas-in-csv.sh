#!/usr/bin/env bash
# Version: LibreOffice 7.4.7 (Debian libreoffice-calc 4:7.4.7-1+deb12u14), Gnumeric 1.12.55, @e965/xlsx 0.20.3 (SheetJS CE 0.20.3)
# What: A bank's CSV with amounts in lakhs, "1,00,000.00", opened in a spreadsheet whose language is English (USA). One would
#   expect a number, or text for the whole column. LibreOffice and Gnumeric make numbers of the amounts up to 99,999.00 and keep
#   those from one lakh up as text, which a sum passes over: it lacks exactly the large payments, without an error. With
#   LibreOffice's import set to English (India) all are numbers. SheetJS takes the commas out, and not only in lakhs: 1,00,000.00 is
#   100000, and two references joined in one cell, 1,23, are 123. "500.00-" is -500 in LibreOffice and Gnumeric, text in SheetJS.
# Source: help.libreoffice.org, "Filter Options for CSV" (token 5, the language)
set -euo pipefail
if ! command -v soffice >/dev/null || ! command -v ssconvert >/dev/null; then
  echo 'This needs LibreOffice Calc and Gnumeric (apt-get install libreoffice-calc gnumeric).'
  exit 2
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @e965/xlsx@0.20.3
printf '%s\r\n' '"5,000.00"' '"99,999.00"' '"1,00,000.00"' '"12,34,567.50"' '"-1,00,000.00"' '"1,23"' '500.00-' > bank.csv
cat > cells.py <<'PY'
import html, re, sys
text = open(sys.argv[1]).read()
if sys.argv[1].endswith('.fods'):
    cells = [(facts, shown) for facts, shown in re.findall(r'<table:table-cell([^>]*)>\s*<text:p>(.*?)</text:p>', text, re.S)]
    values = [re.search(r'office:value="([^"]*)"', facts) for facts, _ in cells]
    print(' | '.join(value.group(1) if value else f"'{html.unescape(shown)}'" for value, (_, shown) in zip(values, cells)))
else:
    cells = re.findall(r'<gnm:Cell [^>]*ValueType="(\d+)"[^>]*>(.*?)</gnm:Cell>', text)
    print(' | '.join(shown if kind == '40' else f"'{html.unescape(shown)}'" for kind, shown in cells))
PY
office() {
  soffice "-env:UserInstallation=file://$folder/profile" --headless "--infilter=CSV:44,34,76,1,,$1" --convert-to fods bank.csv >/dev/null 2>&1
  python3 cells.py bank.fods
}
ssconvert --import-type=Gnumeric_stf:stf_csvtab --export-type=Gnumeric_XmlIO:sax:0 bank.csv bank.xml 2>/dev/null
cat > sheetjs.cjs <<'JS'
const { read, utils } = require('@e965/xlsx')
const { Sheets } = read(require('node:fs').readFileSync('bank.csv', 'utf8'), { type: 'string' })
const values = utils.sheet_to_json(Sheets.Sheet1, { header: 1 }).map(([value]) => (typeof value === 'string' ? `'${value}'` : value))
console.log(values.join(' | '))
JS
expect() {
  echo "$1: $2"
  [ "$2" = "$3" ] || { echo 'That is otherwise than it was.'; exit 1; }
}
kept="5000 | 99999 | '1,00,000.00' | '12,34,567.50' | '-1,00,000.00' | '1,23' | -500"
expect 'LibreOffice, English (USA)' "$(office 1033)" "$kept"
expect 'LibreOffice, English (India)' "$(office 16393)" '5000 | 99999 | 100000 | 1234567.5 | -100000 | 123 | -500'
expect 'Gnumeric' "$(LC_ALL=C.UTF-8 python3 cells.py bank.xml)" "$kept"
expect 'SheetJS' "$(node sheetjs.cjs)" "5000 | 99999 | 100000 | 1234567.5 | -100000 | 123 | '500.00-'"
