import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lastLineOf, runScript } from '../../testing/runScript.ts'

function doctor(args: readonly string[], environment: Record<string, string> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'garba-doctor-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  return runScript('doctor', args, { FIREBASE_PROJECT_ID: '', DATA_DIR: dataDir, ...environment })
}

test('the doctor prints a line for each check, what to do about it, and the result', () => {
  const { status, stdout } = doctor([])
  expect(stdout).toMatch(/^WARNING {2}Settings +This is a demo/)
  expect(stdout).toMatch(/\n {10,}Set the three FIREBASE settings/)
  expect(lastLineOf(stdout)).toMatch(/^Ready, with \d warnings?\.$/)
  expect(status).toBe(0)
})

test('as JSON it says the same, and a failure is its exit status', () => {
  const { status, stdout } = doctor(['--json'], { PUBLIC_URL: 'http://garba.invalid', PAYMENTS: 'none' })
  const { ok, checks } = JSON.parse(stdout)
  expect(ok).toBe(false)
  expect(checks).toContainEqual({
    name: 'Public address',
    status: 'failure',
    detail: expect.stringMatching(/^http:\/\/garba\.invalid does not answer/),
    cure: expect.any(String),
  })
  expect(status).toBe(1)
})

test('--settings looks at nothing else, and lets a set-up go on with warnings', () => {
  const live = { NODE_ENV: 'production', FIREBASE_PROJECT_ID: 'garba-live', FIREBASE_API_KEY: 'key', PAYMENTS: 'none' }
  const whole = {
    ...live,
    FIREBASE_AUTH_DOMAIN: 'garba.example',
    ADMIN_EMAILS: 'asha@example.org',
    SUPPORT_EMAIL: 'help@example.org',
  }
  expect(doctor(['--settings'], whole)).toMatchObject({ status: 0, output: 'ok       Settings  No problems found.' })
  expect(doctor(['--settings'], { ...whole, ADMIN_EMAILS: '' })).toMatchObject({
    status: 0,
    output: expect.stringMatching(/^WARNING.*ADMIN_EMAILS is empty/),
  })
  expect(doctor(['--settings'], { ...whole, SUPPORT_EMAIL: '' })).toMatchObject({
    status: 0,
    output: expect.stringMatching(/^WARNING.*SUPPORT_EMAIL is empty/),
  })
  expect(doctor(['--settings'], live)).toMatchObject({
    status: 1,
    output: expect.stringMatching(/^FIREBASE_AUTH_DOMAIN/),
  })
})

test('wrong arguments print the usage', () => {
  const { status, stderr } = doctor(['--quickly'])
  expect([status, stderr]).toEqual([2, expect.stringMatching(/npm run doctor -- --json/)])
})
