#!/usr/bin/env bash
# Version: firebase-tools 15.34.2 (Auth emulator), firebase-admin 14.5.1
# What: revokeRefreshTokens() ends all sessions of a person. One would expect a client with the emulator to be signed out at its
#   next refresh, as the documentation says of the service. The emulator notes the moment and goes on to give new ID tokens for
#   the old refresh token; accounts:lookup, which clients use to reload their user, takes such a token, since it compares the
#   moment with iat. The admin library compares it with auth_time, which a refresh does not change, and refuses every one of
#   them with auth/id-token-revoked. So an app that answers 401 by a forced refresh has a fresh token and a 401 each time, and a
#   test of "signed out everywhere" never sees the app signed out. A disabled or deleted person is refused at the refresh.
# Source: github.com/firebase/firebase-tools, src/emulator/auth/operations.ts (grantToken; parseIdToken compares iat)
set -euo pipefail
folder=$(mktemp -d)
trap '[ -z "${emulator:-}" ] || { kill "$emulator"; wait "$emulator" || true; }; rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund firebase-tools@15.34.2 firebase-admin@14.5.1
echo '{"emulators":{"auth":{"host":"127.0.0.1","port":9399},"hub":{"port":9398},"logging":{"port":9397},"ui":{"enabled":false}}}' > firebase.json
HOME="$folder" node_modules/.bin/firebase emulators:start --only auth --project demo-night >emulator.log 2>&1 &
emulator=$!
for _ in $(seq 120); do
  curl -s -o answer http://127.0.0.1:9399/ && break
  sleep 1
done
cat > look.mjs <<'JS'
import { initializeApp } from 'firebase-admin/app'
import { getAuth } from 'firebase-admin/auth'
const auth = getAuth(initializeApp({ projectId: 'demo-night' }))
const post = async (path, body) =>
  (
    await fetch(`http://127.0.0.1:9399/${path}?key=any`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  ).json()
const google = JSON.stringify({ sub: '1', email: 'guest@example.com', email_verified: true })
const { localId, idToken, refreshToken } = await post('identitytoolkit.googleapis.com/v1/accounts:signInWithIdp', {
  postBody: `providerId=google.com&id_token=${encodeURIComponent(google)}`,
  requestUri: 'http://localhost',
  returnSecureToken: true,
})
const refresh = () => post('securetoken.googleapis.com/v1/token', { grant_type: 'refresh_token', refresh_token: refreshToken })
const verify = (token) => auth.verifyIdToken(token, true).then(() => 'taken', ({ code }) => code)
const say = (...words) => console.log(words.join(' '))
say('before:', await verify(idToken))
await new Promise((resolve) => setTimeout(resolve, 2100))
await auth.revokeRefreshTokens(localId)
say('old token after:', await verify(idToken))
const again = await refresh()
say('refresh after:', again.error?.message ?? 'a new token')
const lookedUp = await post('identitytoolkit.googleapis.com/v1/accounts:lookup', { idToken: again.id_token })
say('new token at accounts:lookup:', lookedUp.error?.message ?? 'taken')
say('new token at verifyIdToken:', await verify(again.id_token))
await auth.updateUser(localId, { disabled: true })
say('refresh when disabled:', (await refresh()).error?.message ?? 'a new token')
JS
found=$(FIREBASE_AUTH_EMULATOR_HOST=127.0.0.1:9399 node look.mjs)
echo "$found"
expected='before: taken
old token after: auth/id-token-revoked
refresh after: a new token
new token at accounts:lookup: taken
new token at verifyIdToken: auth/id-token-revoked
refresh when disabled: USER_DISABLED'
[ "$found" = "$expected" ] || { echo 'The emulator treats a revoked session otherwise than it did.'; exit 1; }
