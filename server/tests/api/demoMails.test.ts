import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoMailsAnswerSchema } from '@garba/shared/contracts/common'
import { ulidOf } from '@garba/shared/testing/ids'
import { expect, onTestFinished, test } from 'vitest'
import { composeLetter } from '../../src/mail/compose.ts'
import { makeMailer } from '../../src/mail/mailer.ts'
import { aMail, MAIL_SITE } from '../../src/testing/mails.ts'
import { payloadOf, unsigned } from '../../src/testing/tokens.ts'
import { makeWorld } from '../../src/testing/world.ts'

const DEMO = {
  FIREBASE_PROJECT_ID: 'demo-garba',
  FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1',
  PAYMENTS: 'upi',
  UPI_ID: 'garba@bank',
  UPI_NAME: 'Garba',
}

test('admins of a demo read the mails it wrote, newest first, with the pictures inside', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'garba-mail-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const world = await makeWorld({ settings: { ...DEMO, DATA_DIR: folder } })
  const { user } = await world.as('admin')
  const project = { iss: 'https://securetoken.google.com/demo-garba', aud: 'demo-garba' }
  const person = { uid: user?.firebaseUid ?? '', email: user?.email ?? '' }
  const admin = world.client(unsigned(payloadOf(person, world.clock.now(), project)))
  const mails = async () => demoMailsAnswerSchema.parse((await admin.request('GET', '/api/admin/mails')).body).mails
  expect(await mails()).toEqual([])

  const mailer = makeMailer(world.deps.settings)
  const days = { paid: '2025-09-01T10:00:00.000Z', cancelled: '2025-09-02T10:00:00.000Z' }
  for (const type of ['paid', 'cancelled'] as const)
    await mailer?.send(await composeLetter(aMail(type, 'gu'), MAIL_SITE), {
      key: `mail:${type}:1`,
      at: new Date(days[type]),
    })
  writeFileSync(join(world.deps.settings.mailDir, 'notes.txt'), 'not a mail')

  const [cancelled, paid] = await mails()
  expect(cancelled).toMatchObject({ at: days.cancelled, to: 'મીરાં પટેલ <meera@example.org>' })
  expect(paid).toMatchObject({ at: days.paid, text: expect.stringContaining(ulidOf(1).slice(-8)) })
  expect(paid?.html.match(/<img src="data:image\/png;base64,/g)).toHaveLength(2)
  expect(await mails()).toHaveLength(2)
})

test('a live site has no such call', async () => {
  const world = await makeWorld()
  const admin = await world.as('admin')
  expect(await admin.request('GET', '/api/admin/mails')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
})
