#!/usr/bin/env bash
# Version: LibreOffice 7.4.7 (Debian libreoffice-calc 4:7.4.7-1+deb12u14), Gnumeric 1.12.55, @e965/xlsx 0.20.3 (SheetJS CE 0.20.3)
# What: LibreOffice saves a number in the format of English (India), shown as 12,34,567.50, into .xlsx and .xls with the format
#   [$-4009]#,##0.00, a language and no currency. SheetJS's text of that cell is $1,234,567.50: rupees turn into dollars in
#   sheet_to_csv and in sheet_to_json with `raw: false`. Gnumeric shows 1,234,567.50. Of the format #,##,##0.00, often written
#   for lakhs, SheetJS makes no text at all and gives the bare 1234567.5, and LibreOffice and Gnumeric group it in thousands.
# Source: github.com/SheetJS/sheetjs, packages/ssf/bits/82_eval.js (an empty symbol between [$ and - becomes $)
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
soffice --version
ssconvert --version 2>&1 | head -1
cat > india.fods <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"
  xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0"
  office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.spreadsheet">
<office:automatic-styles>
<number:number-style style:name="India" number:language="en" number:country="IN">
<number:number number:decimal-places="2" number:min-decimal-places="2" number:min-integer-digits="1" number:grouping="true"/>
</number:number-style>
<style:style style:name="amount" style:family="table-cell" style:data-style-name="India"/>
</office:automatic-styles>
<office:body><office:spreadsheet><table:table table:name="S"><table:table-row>
<table:table-cell table:style-name="amount" office:value-type="float" office:value="1234567.5"/>
</table:table-row></table:table></office:spreadsheet></office:body></office:document>
XML
cat > typed.cjs <<'JS'
const { utils, write } = require('@e965/xlsx')
const sheet = utils.aoa_to_sheet([[1234567.5]])
sheet.A1.z = '#,##,##0.00'
const book = utils.book_new()
utils.book_append_sheet(book, sheet, 'S')
require('node:fs').writeFileSync('typed.xlsx', write(book, { type: 'buffer', bookType: 'xlsx' }))
JS
node typed.cjs
as_shown='csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true'
convert() { soffice "-env:UserInstallation=file://$folder/profile" --headless --convert-to "$@" >/dev/null 2>&1; }
convert xlsx india.fods
convert xls india.fods
convert "$as_shown" --outdir office india.fods typed.xlsx
gnumeric() { ssconvert --export-type=Gnumeric_stf:stf_assistant -O 'format=preserve separator=;' "$1" gnumeric.txt 2>/dev/null; tr -d '"' < gnumeric.txt; }
cat > sheetjs.cjs <<'JS'
const { utils, read } = require('@e965/xlsx')
const { Sheets } = read(require('node:fs').readFileSync(process.argv[2]), { cellNF: true })
console.log(process.argv[3] ? Sheets.S.A1.z : utils.sheet_to_json(Sheets.S, { header: 1, raw: false })[0][0])
JS
expect() {
  echo "$1: $2"
  [ "$2" = "$3" ] || { echo 'That is otherwise than it was.'; exit 1; }
}
expect 'saved by LibreOffice as' "$(node sheetjs.cjs india.xlsx format)" '[$-4009]#,##0.00'
expect 'LibreOffice' "$(tr -d '"' < office/india.csv)" '12,34,567.50'
expect 'Gnumeric, .xlsx' "$(gnumeric india.xlsx)" '1,234,567.50'
expect 'SheetJS, .xlsx' "$(node sheetjs.cjs india.xlsx)" '$1,234,567.50'
expect 'SheetJS, .xls' "$(node sheetjs.cjs india.xls)" '$1,234,567.50'
expect '#,##,##0.00 in LibreOffice' "$(tr -d '"' < office/typed.csv)" '1,234,567.50'
expect '#,##,##0.00 in Gnumeric' "$(gnumeric typed.xlsx)" '1,234,567.50'
expect '#,##,##0.00 in SheetJS' "$(node sheetjs.cjs typed.xlsx)" '1234567.5'
