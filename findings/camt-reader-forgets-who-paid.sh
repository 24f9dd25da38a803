#!/usr/bin/env bash
# Version: iso20022.js 0.0.15, camt-parser 1.1.0
# What: A statement in camt.053 has one entry for a batch of payments, with the amount, payer and words of each inside. One
#   would expect a reader of statements to tell who paid what. iso20022.js gives the payers and words of a batch, but of amounts
#   only the entry's sum, and no end-to-end id. Words that are a UPI number become a number, without its leading zero. RvslInd
#   "true" becomes reversal: false, because the XML reader has made a boolean of it before it is compared with a text; so a
#   payment that was taken back is an ordinary debit. camt-parser gives amounts and end-to-end ids, but knows only the creditor,
#   which on money that came in is oneself: the payer is not there, nor are the words (Ustrd). It takes the reversal for one
#   when it says "true", and not when it says "1", which XML Schema allows as well. (Each is given the version that it knows:
#   001.02 and 001.08.)
# Source: github.com/svapnil/iso20022.js, parseEntry in src/camt/053/utils; camt-parser, dist/parser.js
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund iso20022.js@0.0.15 camt-parser@1.1.0
cat > look.mjs <<'JS'
import { CashManagementEndOfDayReport } from 'iso20022.js'
import camt from 'camt-parser'
const payment = ({ id, amount, name, words }) => `<TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs>
  <AmtDtls><TxAmt><Amt Ccy="INR">${amount}</Amt></TxAmt></AmtDtls>
  <RltdPties><Dbtr><Pty><Nm>${name}</Nm></Pty></Dbtr></RltdPties><RmtInf><Ustrd>${words}</Ustrd></RmtInf></TxDtls>`
const entry = ({ ref, sum, sign, reversal, payments }) => `<Ntry><NtryRef>${ref}</NtryRef><Amt Ccy="INR">${sum}</Amt>
  <CdtDbtInd>${sign}</CdtDbtInd>${reversal ? `<RvslInd>${reversal}</RvslInd>` : ''}<Sts><Cd>BOOK</Cd></Sts>
  <BookgDt><Dt>2026-10-11</Dt></BookgDt><BkTxCd><Prtry><Cd>UPI</Cd></Prtry></BkTxCd>
  <NtryDtls>${payments.map(payment).join('')}</NtryDtls></Ntry>`
const asha = { id: 'ORDER-A', amount: '299.00', name: 'ASHA', words: '062741234567' }
const entries = [
  { ref: 'BATCH', sum: '897.00', sign: 'CRDT', payments: [asha, { id: 'ORDER-B', amount: '598.00', name: 'BINA', words: '62741234567890123456' }] },
  { ref: 'BACK-TRUE', sum: '299.00', sign: 'DBIT', reversal: 'true', payments: [asha] },
  { ref: 'BACK-1', sum: '299.00', sign: 'DBIT', reversal: '1', payments: [asha] },
]
const balance = (code, sum) => `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="INR">${sum}</Amt>
  <CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-10-11</Dt></Dt></Bal>`
const xml = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-10-12T01:00:00+05:30</CreDtTm></GrpHdr>
<Stmt><Id>S1</Id><CreDtTm>2026-10-12T01:00:00+05:30</CreDtTm>
<Acct><Id><Othr><Id>50100012345678</Id></Othr></Id><Ccy>INR</Ccy><Svcr><FinInstnId><BICFI>AAAAINBB</BICFI></FinInstnId></Svcr></Acct>
${balance('OPBD', '1000.00')}${balance('CLBD', '1299.00')}${entries.map(entry).join('')}</Stmt></BkToCstmrStmt></Document>`
const older = xml
  .replace('053.001.08', '053.001.02')
  .replaceAll('BICFI', 'BIC')
  .replaceAll(/<\/?Pty>/g, '')
  .replaceAll('<Sts><Cd>BOOK</Cd></Sts>', '<Sts>BOOK</Sts>')
for (const { referenceId, creditDebitIndicator, reversal, amount, transactions } of CashManagementEndOfDayReport.fromXML(older).statements[0].entries) {
  console.log(`iso20022.js ${referenceId}: ${creditDebitIndicator} ${amount / 100}, reversal ${reversal}`)
  for (const one of transactions) {
    const ids = Object.values(one).includes('ORDER-A') || Object.values(one).includes('ORDER-B')
    console.log(`  ${JSON.stringify(one.debtor)} ${JSON.stringify(one.remittanceInformation)}; amount ${'amount' in one}, end-to-end id ${ids}`)
  }
}
for (const { reference, amount, reversalIndicator, details } of (await camt.parseCamt053(xml)).statements[0].transactions) {
  console.log(`camt-parser ${reference}: ${amount.value}, reversal ${reversalIndicator}`)
  for (const one of details) {
    const text = JSON.stringify(one)
    console.log(`  ${one.references.endToEndId} ${one.amountDetails.transactionAmount.value}; payer ${/ASHA|BINA/.test(text)}, words ${/6274/.test(text)}`)
  }
}
JS
found=$(node look.mjs)
echo "$found"
expected='iso20022.js BATCH: credit 897, reversal false
  {"name":"ASHA"} 62741234567; amount false, end-to-end id false
  {"name":"BINA"} "62741234567890123456"; amount false, end-to-end id false
iso20022.js BACK-TRUE: debit 299, reversal false
  {"name":"ASHA"} 62741234567; amount false, end-to-end id false
iso20022.js BACK-1: debit 299, reversal false
  {"name":"ASHA"} 62741234567; amount false, end-to-end id false
camt-parser BATCH: 897.00, reversal false
  ORDER-A 299.00; payer false, words false
  ORDER-B 598.00; payer false, words false
camt-parser BACK-TRUE: 299.00, reversal true
  ORDER-A 299.00; payer false, words false
camt-parser BACK-1: 299.00, reversal false
  ORDER-A 299.00; payer false, words false'
[ "$found" = "$expected" ] || { echo 'One of the two reads the statement otherwise than it did.'; exit 1; }
