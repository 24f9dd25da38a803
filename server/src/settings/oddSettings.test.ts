import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { oddSettings } from './oddSettings.ts'

test.each([
  ['PROT', 'PORT'],
  ['POTR', 'PORT'],
  ['PUBLIC_ULR', 'PUBLIC_URL'],
  ['ADMIN_EMAIL', 'ADMIN_EMAILS'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['RAZORPAY_KEYID', 'RAZORPAY_KEY_ID'],
])('%s is named, and so is what was meant: %s', (typed, meant) => {
  expect(oddSettings({ [typed]: 'x', PORT: '8080' })).toEqual([`${typed} is not a setting: did you mean ${meant}?`])
})

test('other variables of the environment are left alone', () => {
  const others = [
    'PATH',
    'HOME',
    'PWD',
    'SHELL',
    'LANG',
    'TERM',
    'USER',
    'HOSTNAME',
    'NODE_OPTIONS',
    'npm_config_cache',
  ]
  expect(oddSettings(Object.fromEntries(others.map((name) => [name, 'x'])))).toEqual([])
})

test('in a file of settings every name that is no setting is named', () => {
  const folder = mkdtempSync(join(tmpdir(), 'garba-odd-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'garba.env')
  writeFileSync(file, 'COLOUR=red\nPORT=8080\nNODE_EXTRA_CA_CERTS=/x\nPROT=1\n')
  expect(oddSettings({ GARBA_ENV: file })).toEqual([
    'COLOUR is not a setting, so it changes nothing.',
    'PROT is not a setting: did you mean PORT?',
  ])
})

test('the rest of a secret on a line of its own is never repeated', () => {
  const folder = mkdtempSync(join(tmpdir(), 'garba-odd-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'garba.env')
  writeFileSync(file, 'METRICS_TOKEN=c2VjcmV0\nbW9yZVNlY3JldA==\n')
  expect(oddSettings({ GARBA_ENV: file })).toEqual([
    'A line of the settings file has no name of a setting before its = sign.',
  ])
})

test('a value that its own # cuts off is named, and a comment behind a value is not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'garba-odd-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'garba.env')
  const fine = [
    "UPI_NAME='Garba #1'",
    'EVENT_TITLE = "#1"',
    'PORT=8080 # the default',
    '# SUPPORT_EMAIL=a#b',
    'LOG_LEVEL=info',
  ]
  writeFileSync(file, [...fine, 'RAZORPAY_KEY_SECRET=ab#cd', 'export METRICS_TOKEN=#sixteen-or-more'].join('\r\n'))
  expect(oddSettings({ GARBA_ENV: file })).toEqual([
    'RAZORPAY_KEY_SECRET ends before its # sign: put its value between single quotes.',
    'METRICS_TOKEN ends before its # sign: put its value between single quotes.',
  ])
})

test('a UPI ID that no way to pay uses is named', () => {
  const sentence = 'UPI_ID is set, but PAYMENTS does not name upi, so guests cannot pay by UPI.'
  expect(oddSettings({ UPI_ID: 'garba@bank', UPI_NAME: 'Garba' })).toEqual([sentence])
  expect(oddSettings({ UPI_ID: 'garba@bank', PAYMENTS: 'none' })).toEqual([sentence])
  expect(oddSettings({ UPI_ID: 'garba@bank', PAYMENTS: 'desk, upi' })).toEqual([])
  expect(oddSettings({ UPI_ID: '' })).toEqual([])
})
