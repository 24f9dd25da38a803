import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { nodeBinary, ROOT } from '../../setup.mjs'

const storm = (...args: string[]) =>
  spawnSync(nodeBinary(), ['scripts/commands/develop/storm.ts', ...args], { cwd: ROOT, encoding: 'utf8' })

test.each([
  '',
  'flood',
  'fuzz flood',
  'fuzz --seed x',
  'fuzz --requests 0',
  'fuzz --fast',
  'fuzz --buyers 9',
  'protocol --steps 9',
  'protocol --from x',
  'evening --buyers 9',
  'evening --minutes 5',
  'power --on postgres',
  'sale --on mysql',
])('npm run storm -- %s prints the usage and exits 2', (line) => {
  const { status, stdout, stderr } = storm(...line.split(' ').filter(Boolean))
  expect([status, stdout]).toEqual([2, ''])
  for (const usage of [
    'fuzz [--seed N] [--requests N]',
    'sale [--seed N] [--buyers N]',
    'evening [--seed N] [--tickets N]',
    'types [--seed N] [--buyers N]',
    'calledOff [--seed N] [--tickets N]',
    'power [--seed N] [--moments N]',
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

test('storm protocol finds nothing in short sequences of a fixed seed, and ends with a table and one line', () => {
  const { status, stdout, stderr } = storm('protocol', '--seed', '18', '--sequences', '8')
  const lines = stdout.trim().split('\n')
  expect(stderr).toBe('')
  expect(lines[0]).toContain('npm run storm -- protocol --seed 18 --sequences 8')
  expect(stdout).toMatch(/gate: doubles +[1-9]/)
  expect(stdout).toMatch(/money: paid +[1-9]/)
  expect(lines.at(-1)).toMatch(/^Passed: 8 sequences in \d+ s, 0 findings, seed 18$/)
  expect(status).toBe(0)
}, 120_000)
