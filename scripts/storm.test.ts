import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { nodeBinary, ROOT } from './setup.mjs'

const storm = (...args: string[]) =>
  spawnSync(nodeBinary(), ['scripts/storm.ts', ...args], { cwd: ROOT, encoding: 'utf8' })

test.each([
  '',
  'flood',
  'fuzz flood',
  'fuzz --seed x',
  'fuzz --requests 0',
  'fuzz --fast',
  'fuzz --orders 9',
  'money --requests 9',
  'door --orders 9',
  'heal --orders 9',
  'restart --seed 1',
  'protocol --steps 9',
  'protocol --from x',
  'money --minutes 5',
  'evening --orders 9',
  'power --on postgres',
  'soak --seed 1',
  'heal --on postgres',
  'money --on mysql',
])('npm run storm -- %s prints the usage and exits 2', (line) => {
  const { status, stdout, stderr } = storm(...line.split(' ').filter(Boolean))
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toContain('fuzz [--seed N] [--requests N]')
  expect(stderr).toContain('money [--seed N] [--orders N]')
  expect(stderr).toContain('door [--seed N] [--steps N]')
  expect(stderr).toContain('heal [--seed N] [--scans N]')
  expect(stderr).toContain('restart [--restarts N]')
  for (const usage of [
    'sale [--seed N] [--buyers N]',
    'evening [--seed N] [--tickets N]',
    'power [--seed N] [--moments N]',
    'soak [--scans N]',
    'protocol [--seed N] [--sequences N]',
  ])
    expect(stderr).toContain(usage)
})

test('storm fuzz prints how to repeat the run and ends with one line for the result', () => {
  const { status, stdout } = storm('fuzz', '--seed', '3', '--requests', '40')
  const lines = stdout.trim().split('\n')
  expect(lines[0]).toContain('npm run storm -- fuzz --seed 3 --requests 40')
  expect(lines.at(-1)).toMatch(/^Passed: 40 requests in \d+ s, 0 findings, .*, seed 3$/)
  expect(status).toBe(0)
})

test('storm money prints how to repeat the run and ends with one line for the result', () => {
  const { status, stdout } = storm('money', '--seed', '7', '--orders', '12')
  const lines = stdout.trim().split('\n')
  expect(lines[0]).toContain('npm run storm -- money --seed 7 --orders 12')
  expect(lines.at(-1)).toMatch(/^Passed: 12 orders in \d+ s, 0 findings, seed 7$/)
  expect(status).toBe(0)
})

test('storm protocol finds nothing in short sequences of a fixed seed, and ends with a table and one line', () => {
  const { status, stdout, stderr } = storm('protocol', '--seed', '10', '--sequences', '8')
  const lines = stdout.trim().split('\n')
  expect(stderr).toBe('')
  expect(lines[0]).toContain('npm run storm -- protocol --seed 10 --sequences 8')
  expect(stdout).toMatch(/gate: doubles +[1-9]/)
  expect(stdout).toMatch(/money: paid +[1-9]/)
  expect(lines.at(-1)).toMatch(/^Passed: 8 sequences in \d+ s, 0 findings, seed 10$/)
  expect(status).toBe(0)
}, 120_000)
