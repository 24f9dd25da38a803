import { expect, test } from 'vitest'
import { putOnSale } from '../../src/testing/scenes.ts'
import { makeWorld } from '../../src/testing/world.ts'

test('the client reads its settings at run time, without any secrets', async () => {
  const world = await makeWorld({
    settings: { ADMIN_EMAILS: 'boss@example.org', INSTAGRAM_URL: 'https://instagr.am/x', MAX_PER_PERSON: '8' },
  })
  const { body } = await world.nobody.request('GET', '/api/config')
  expect(body).toEqual({
    success: true,
    eventTitle: 'Garba Rass 2025',
    timezone: 'Asia/Kolkata',
    supportEmail: 'support@garba.test',
    instagramUrl: 'https://instagr.am/x',
    publicUrl: 'http://localhost:8080',
    version: world.deps.settings.version,
    maxPerOrder: 100,
    maxPerPerson: 8,
    payments: { providers: [], desk: false, holdMinutes: 15, test: false, upiAtDoor: 'wait' },
    waitingList: true,
    mail: 'off',
    demo: false,
    signIn: ['google'],
    rehearsal: false,
    demoAccounts: [],
    firebase: { projectId: 'garba-live', apiKey: 'key', authDomain: 'garba-live.firebaseapp.com' },
  })
})

test('a demo identifies itself and offers its four accounts', async () => {
  const world = await makeWorld({ settings: { FIREBASE_PROJECT_ID: 'demo-garba' } })
  const { body } = await world.nobody.request('GET', '/api/config')
  expect(body.demo).toBe(true)
  expect((body.demoAccounts as { email: string }[]).map(({ email }) => email)).toEqual([
    'admin@garba.test',
    'manager@garba.test',
    'checker@garba.test',
    'guest@garba.test',
  ])
})

test('the site is named after its event, then after the last closed one, unless EVENT_TITLE says otherwise', async () => {
  const world = await makeWorld()
  const titleOf = async ({ nobody }: typeof world) => (await nobody.request('GET', '/api/config')).body.eventTitle
  expect(await titleOf(world)).toBe('Garba Rass 2025')
  await putOnSale(world, { name: 'Sharad Utsav 2026' })
  expect(await titleOf(world)).toBe('Sharad Utsav 2026')
  await world.sql('update events set closed_at = 1, closed_revision = 1')
  expect(await titleOf(world)).toBe('Sharad Utsav 2026')
  const named = await makeWorld({ settings: { EVENT_TITLE: 'Garba Club' } })
  await putOnSale(named, { name: 'Sharad Utsav 2026' })
  expect(await titleOf(named)).toBe('Garba Club')
})
