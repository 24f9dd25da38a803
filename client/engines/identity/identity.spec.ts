import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { startIdentity } from '../../../scripts/demo/identity.ts'
import { freePort, waitForAnswer } from '../../../scripts/lib/children.ts'
import { nodeBinary, runNpm } from '../../../scripts/setup.mjs'

const TOOLS = 'firebase-tools@15.34.2'
const PROJECT = 'demo-garba'
const RADHA = { sub: 'radha', email: 'radha@example.org', email_verified: true, name: 'Radha' }

type Answer = Record<string, unknown>

/** The same calls, in the same order, as the SDK and the server make them. */
async function recordCalls(host: string): Promise<Record<string, { status: number; body: Answer }>> {
  const recorded: Record<string, { status: number; body: Answer }> = {}
  async function call(title: string, path: string, body: Answer | URLSearchParams, owner = false): Promise<Answer> {
    const form = body instanceof URLSearchParams
    const response = await fetch(`http://${host}/${path}?key=demo`, {
      method: 'POST',
      headers: {
        ...(form ? {} : { 'content-type': 'application/json' }),
        ...(owner ? { authorization: 'Bearer owner' } : {}),
      },
      body: form ? body : JSON.stringify(body),
    })
    const answer = (await response.json()) as Answer
    recorded[title] = { status: response.status, body: answer }
    return answer
  }
  const accounts = 'identitytoolkit.googleapis.com/v1/accounts'
  const google = (claims: object | string) => ({
    requestUri: 'http://localhost',
    returnSecureToken: true,
    postBody: new URLSearchParams({
      providerId: 'google.com',
      id_token: typeof claims === 'string' ? claims : JSON.stringify(claims),
    }).toString(),
  })
  const first = await call('a new person', `${accounts}:signInWithIdp`, google(RADHA))
  await call('the same person', `${accounts}:signInWithIdp`, google(RADHA))
  await call('another id of the same verified address', `${accounts}:signInWithIdp`, google({ ...RADHA, sub: 'other' }))
  await call('an unreadable token', `${accounts}:signInWithIdp`, google('{'))
  await call('look-up', `${accounts}:lookup`, { idToken: first.idToken })
  await call('look-up of no token', `${accounts}:lookup`, { idToken: 'none' })
  const refresh = (token: unknown) => new URLSearchParams({ grant_type: 'refresh_token', refresh_token: `${token}` })
  await call('refresh', 'securetoken.googleapis.com/v1/token', refresh(first.refreshToken))
  await call('refresh of no token', 'securetoken.googleapis.com/v1/token', refresh('none'))
  const mail = { requestType: 'EMAIL_SIGNIN', email: 'mira@example.org', continueUrl: 'http://localhost/in' }
  await call('a link for a browser', `${accounts}:sendOobCode`, mail)
  const sent = await call('a link for the owner', `${accounts}:sendOobCode`, { ...mail, returnOobLink: true }, true)
  const { oobCode } = sent
  await call('a link of another address', `${accounts}:signInWithEmailLink`, { email: 'other@example.org', oobCode })
  await call('a link', `${accounts}:signInWithEmailLink`, { email: mail.email, oobCode })
  await call('a used link', `${accounts}:signInWithEmailLink`, { email: mail.email, oobCode })
  await call('a password', `${accounts}:signUp`, {
    email: 'p@example.org',
    password: 'secret1',
    returnSecureToken: true,
  })
  await call('a known address', `${accounts}:signUp`, { email: 'p@example.org', password: 'secret1' })
  await call('deleted', `${accounts}:delete`, { idToken: first.idToken })
  await call('look-up of a deleted account', `${accounts}:lookup`, { idToken: first.idToken })
  return recorded
}

/** The fields with values that do not differ from run to run; of tokens their claims. */
function readFacts({ status, body }: { status: number; body: Answer }) {
  const { error } = body as { error?: { message: string } }
  if (error) return { status, refusal: error.message.split(' ')[0] }
  const { emailVerified, email, displayName, isNewUser, expiresIn, users } = body as Record<string, unknown>
  const token = `${body.idToken ?? body.id_token ?? ''}`.split('.')[1]
  const claims = token ? (JSON.parse(Buffer.from(token, 'base64url').toString()) as Answer) : {}
  const { iss, aud, email: named, email_verified, firebase } = claims
  const [user] = (users ?? []) as Answer[]
  const known = user && { email: user.email, emailVerified: user.emailVerified, displayName: user.displayName }
  return {
    status,
    ...{ emailVerified, email, displayName, expiresIn, known, isNewUser: isNewUser === true },
    hasLink: 'oobLink' in body,
    claims: { iss, aud, email: named, email_verified, provider: (firebase as Answer | undefined)?.sign_in_provider },
  }
}

test("the demo's identity process answers as Firebase's Auth emulator", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'garba-emulator-'))
  const installed = runNpm(['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', TOOLS])
  expect(installed.status).toBe(0)
  const port = await freePort()
  const emulators = {
    auth: { port },
    ui: { enabled: false },
    hub: { port: await freePort() },
    logging: { port: await freePort() },
  }
  writeFileSync(join(folder, 'firebase.json'), JSON.stringify({ emulators }))
  const cli = join(folder, 'node_modules', 'firebase-tools', 'lib', 'bin', 'firebase.js')
  const child = spawn(nodeBinary(), [cli, 'emulators:start', '--only', 'auth', '--project', PROJECT], { cwd: folder })
  const ours = await startIdentity({ projectId: PROJECT, accounts: [] })
  try {
    expect(await waitForAnswer(`http://127.0.0.1:${port}/`, () => child.exitCode !== null)).toBe(true)
    const emulator = await recordCalls(`127.0.0.1:${port}`)
    const double = await recordCalls(ours.host)
    for (const [title, answer] of Object.entries(emulator))
      expect.soft(readFacts(double[title] ?? { status: 0, body: {} }), title).toEqual(readFacts(answer))
  } finally {
    child.kill('SIGINT')
    await new Promise((resolve) => child.once('exit', resolve))
    await ours.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
