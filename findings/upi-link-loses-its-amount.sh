#!/usr/bin/env bash
# Version: upi-link 1.0.1, @vivekkushwaha66/upi-deeplink-builder 0.0.1, upiqr 1.3.22
# What: Libraries that build upi://pay links are given payee, amount and note. One would expect them to encode these for a
#   query. Of three, two join name=value as they are (one with encodeURI for spaces, one with the space itself). A payee called
#   "Garba #1" ends the query at the "#": both links have no amount and no reference behind it, and a link without am leaves the
#   sum to the payer. With "Garba & Raas" the name is "Garba ". upiqr encodes, with + for a space.
# Source: the packages' own code: upi-link/upi.js (_buildQS), upi-deeplink-builder/src/deeplink.ts, upiqr/dist; NPCI's UPI Linking
#   Specification 1.6, field am
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund upi-link@1.0.1 @vivekkushwaha66/upi-deeplink-builder@0.0.1 upiqr@1.3.22
cat > look.mjs <<'JS'
import { createRequire } from 'node:module'
import upiqr from 'upiqr'
const require = createRequire(import.meta.url)
const upiLink = require('upi-link')
const { DeeplinkBuilder } = require('@vivekkushwaha66/upi-deeplink-builder')
const builders = {
  'upi-link': (name, amount) => upiLink.Dynamic('garba@okaxis', name, amount).setTxRef('K7M2', 'Order').getLink(),
  'upi-deeplink-builder': (name, amount) =>
    new DeeplinkBuilder(name, 'garba@okaxis').addTransactionAmount(String(amount)).addTransactionReferenceId('K7M2').build(),
  upiqr: async (name, amount) =>
    (await upiqr({ payeeVPA: 'garba@okaxis', payeeName: name, amount: String(amount), transactionRef: 'K7M2' })).intent,
}
for (const [library, build] of Object.entries(builders))
  for (const [name, amount] of [['Garba', 299], ['Garba & Raas', 299], ['Garba #1', 299]]) {
    const facts = new URL(await build(name, amount)).searchParams
    console.log(`${library}, ${name}: pn=${facts.get('pn')}; am=${facts.get('am')}; tr=${facts.get('tr')}`)
  }
JS
found=$(node look.mjs)
echo "$found"
expected='upi-link, Garba: pn=Garba; am=299; tr=K7M2
upi-link, Garba & Raas: pn=Garba ; am=299; tr=K7M2
upi-link, Garba #1: pn=Garba ; am=null; tr=null
upi-deeplink-builder, Garba: pn=Garba; am=299; tr=K7M2
upi-deeplink-builder, Garba & Raas: pn=Garba ; am=299; tr=K7M2
upi-deeplink-builder, Garba #1: pn=Garba ; am=null; tr=null
upiqr, Garba: pn=Garba; am=299; tr=K7M2
upiqr, Garba & Raas: pn=Garba & Raas; am=299; tr=K7M2
upiqr, Garba #1: pn=Garba #1; am=299; tr=K7M2'
[ "$found" = "$expected" ] || { echo 'The libraries build other links than they did.'; exit 1; }
