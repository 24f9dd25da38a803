import { rmSync } from 'node:fs'
import { DEMO_PROJECT_ID } from '@garba/shared/constants'
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { createApp } from '../../src/app.ts'
import { readSettings } from '../../src/config.ts'
import { ensureEpoch } from '../../src/flows/recovery/epoch.ts'
import { ensureSigningKey } from '../../src/flows/signingKeys.ts'
import { makeVerifier, rememberTokens } from '../../src/identity/verifier.ts'
import { startListening } from '../../src/listen.ts'
import { makeLog } from '../../src/log.ts'
import type { UserRow } from '../../src/store/users.ts'
import type { TellParent } from './servers.ts'
import { joinBenchWorld, makeBenchWorld } from './world.ts'

/** The whole application with its log, but without rate limits. */
const signed = process.argv[2] === 'rs256'
const projectId = signed ? 'garba-bench' : DEMO_PROJECT_ID
const [commitMs = '0', databaseUrl] = process.argv.slice(3)
const { store, folder, buyers, checker } =
  databaseUrl === undefined ? await makeBenchWorld({ commitMs: Number(commitMs) }) : await joinBenchWorld(databaseUrl)
const keys = await generateKeyPair('RS256')

const settings = readSettings({
  FIREBASE_PROJECT_ID: projectId,
  FIREBASE_API_KEY: 'key',
  FIREBASE_AUTH_DOMAIN: 'localhost',
  PAYMENTS: 'none',
  FIREBASE_AUTH_EMULATOR_HOST: signed ? '' : '127.0.0.1:1',
})
const now = () => new Date()
const without = 1e9
const log = makeLog(settings)
const epoch = await ensureEpoch({ store, log })
const app = createApp({
  store: epoch.guard(store),
  settings,
  publicUrl: () => 'http://localhost',
  now,
  verify: rememberTokens(
    makeVerifier({ projectId, emulatorHost: settings.emulatorHost, now, keys: async () => keys.publicKey }),
    now,
  ),
  signer: await ensureSigningKey({ store, now }),
  epoch,
  providers: {},
  mailer: null,
  log,
  stopping: new AbortController().signal,
  limits: { user: without, address: without, signIn: without, failure: without, logError: without },
})

async function tokenOf({ firebaseUid, email, name }: UserRow): Promise<string> {
  const seconds = Math.floor(Date.now() / 1000)
  const payload = {
    iss: `https://securetoken.google.com/${projectId}`,
    aud: projectId,
    sub: firebaseUid,
    email,
    email_verified: true,
    firebase: { sign_in_provider: 'google.com' },
    name,
    iat: seconds,
    auth_time: seconds,
    exp: seconds + 3600,
  }
  if (!signed) return new UnsecuredJWT(payload).encode()
  return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'bench' }).sign(keys.privateKey)
}

const { port } = await startListening(app, { host: '127.0.0.1', port: 0 })
const message: TellParent = {
  port,
  tokens: await Promise.all(buyers.map(tokenOf)),
  checkerToken: await tokenOf(checker),
}
process.send?.(message)
process.on('disconnect', async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
  process.exit(0)
})
