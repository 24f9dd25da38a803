import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { readSettings } from './earlierClient.ts'
import { runServer, temporaryFolder } from './process.ts'

const MAIN = fileURLToPath(new URL('./earlierClientMain.ts', import.meta.url))

test('this server hands out the client of an earlier version and answers its calls', async () => {
  const folder = temporaryFolder()
  const dist = join(folder, 'client', 'dist')
  mkdirSync(join(dist, 'assets'), { recursive: true })
  writeFileSync(join(dist, 'index.html'), '<!doctype html><title>Earlier</title><div id="root"></div>')
  writeFileSync(join(dist, 'assets', 'site-earlier.js'), 'earlier()')
  const environment = { GARBA_EARLIER: folder, DATA_DIR: folder, FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9' }
  const { url, stderr } = await runServer(environment, onTestFinished, MAIN)
  expect(stderr()).toBe('')
  const text = async (path: string) => (await fetch(url + path)).text()
  expect(await text('/dashboard/guest')).toContain('<title>Earlier</title>')
  expect(await text('/assets/site-earlier.js')).toBe('earlier()')
  expect(JSON.parse(await text('/api/config'))).toMatchObject({ success: true })
})

test('where an earlier version takes sign-ins of a real project and knew no payments, this server asks for none', () => {
  const firebase = {
    FIREBASE_PROJECT_ID: 'garba-live',
    FIREBASE_API_KEY: 'key',
    FIREBASE_AUTH_DOMAIN: 'garba-live.example.org',
  }
  const environment = { GARBA_EARLIER: temporaryFolder(), ...firebase }
  expect(readSettings(environment)).toMatchObject({ demo: false, payments: { on: false } })
  const paid = { ...environment, PAYMENTS: 'desk' }
  expect(readSettings(paid)).toMatchObject({ payments: { on: true, desk: true } })
})
