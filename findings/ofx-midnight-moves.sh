#!/usr/bin/env bash
# Version: libofx 0.10.9 (Debian ofx 1:0.10.9-1), ofxparse 0.21 (Debian python3-ofxparse 0.21-2), ofx-data-extractor 1.5.0
# What: A bank's OFX file dates a credit at midnight in India, 20270113000000[+5.5:IST]. One would expect 13 January, or the instant
#   18:30Z of the 12th, as the zone is written out. ofxparse gives 12 January 18:30 without any zone, so the day is wrong.
#   libofx takes a midnight as a line without a time, drops the zone and gives 10:59Z of the 13th; one minute later, 000100, it
#   keeps the zone and gives 18:31Z of the 12th, so the later credit comes 16 hours before the earlier. ofx-data-extractor copies
#   the digits and drops every zone: 13 January here, and 12 January for 20270112190000[0:GMT], which is 00:30 of the 13th in India.
# Source: github.com/libofx/libofx, lib/ofx_utilities.cpp (ofxdate_to_time_t); github.com/jseutter/ofxparse, ofxparse/ofxparse.py
#   (parseOfxDateTime)
set -euo pipefail
if ! command -v ofxdump >/dev/null || ! /usr/bin/python3 -c 'import ofxparse' 2>/dev/null; then
  echo 'This needs libofx and ofxparse (apt-get install ofx python3-ofxparse).'
  exit 2
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund ofx-data-extractor@1.5.0
dpkg-query -W ofx python3-ofxparse
write_statement() {
  cat <<OFX
OFXHEADER:100
DATA:OFXSGML
VERSION:102
SECURITY:NONE
ENCODING:USASCII
CHARSET:1252
COMPRESSION:NONE
OLDFILEUID:NONE
NEWFILEUID:NONE

<OFX>
<SIGNONMSGSRSV1>
<SONRS>
<STATUS>
<CODE>0
<SEVERITY>INFO
</STATUS>
<DTSERVER>20270131
<LANGUAGE>ENG
</SONRS>
</SIGNONMSGSRSV1>
<BANKMSGSRSV1>
<STMTTRNRS>
<TRNUID>1
<STATUS>
<CODE>0
<SEVERITY>INFO
</STATUS>
<STMTRS>
<CURDEF>INR
<BANKACCTFROM>
<BANKID>1
<ACCTID>1
<ACCTTYPE>SAVINGS
</BANKACCTFROM>
<BANKTRANLIST>
<DTSTART>20270101
<DTEND>20270131
<STMTTRN>
<TRNTYPE>CREDIT
<DTPOSTED>$1
<TRNAMT>1499.00
<FITID>1
<NAME>GUEST
</STMTTRN>
</BANKTRANLIST>
<LEDGERBAL>
<BALAMT>1499.00
<DTASOF>20270131
</LEDGERBAL>
</STMTRS>
</STMTTRNRS>
</BANKMSGSRSV1>
</OFX>
OFX
}
cat > parsed.py <<'PY'
import sys
from ofxparse import OfxParser
with open(sys.argv[1], 'rb') as file:
    print(OfxParser.parse(file).account.statement.transactions[0].date.isoformat())
PY
cat > extracted.cjs <<'JS'
const { readFileSync } = require('node:fs')
const { Ofx } = require('ofx-data-extractor')
console.log(new Ofx(readFileSync(process.argv[2], 'utf8')).getBankTransferList()[0].DTPOSTED)
JS
read_day() {
  write_statement "$1" > statement.ofx
  echo "$1: libofx $(TZ=UTC ofxdump statement.ofx 2>/dev/null | sed -n 's/ *Date posted: //p')," \
    "ofxparse $(/usr/bin/python3 parsed.py statement.ofx), ofx-data-extractor $(node extracted.cjs statement.ofx)"
}
{
  read_day '20270113000000[+5.5:IST]'
  read_day '20270113000100[+5.5:IST]'
  read_day '20270112190000[0:GMT]'
} | tee seen
cat > expected <<'TXT'
20270113000000[+5.5:IST]: libofx Wed Jan 13 10:59:00 2027 UTC, ofxparse 2027-01-12T18:30:00, ofx-data-extractor 2027-01-13
20270113000100[+5.5:IST]: libofx Tue Jan 12 18:31:00 2027 UTC, ofxparse 2027-01-12T18:31:00, ofx-data-extractor 2027-01-13
20270112190000[0:GMT]: libofx Tue Jan 12 19:00:00 2027 UTC, ofxparse 2027-01-12T19:00:00, ofx-data-extractor 2027-01-12
TXT
if ! diff expected seen; then
  echo 'The readers have changed.'
  exit 1
fi
echo 'As described.'
