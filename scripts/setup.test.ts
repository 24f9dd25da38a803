import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { nodeBinary, ROOT } from './setup.mjs'

let root: string

/** A stand-in for npm that notes each call, because tests must not use the registry. */
const NPM = `
import { appendFileSync, mkdirSync, symlinkSync } from 'node:fs'
const [command, ...args] = process.argv.slice(2)
appendFileSync('npm.calls', [command, ...args.filter((arg) => arg.startsWith('--omit'))].join(' ') + '\\n')
if (process.env.NPM_FAILS === command) process.exit(1)
mkdirSync('node_modules/node/bin', { recursive: true })
if (command === 'rebuild') symlinkSync(process.execPath, 'node_modules/node/bin/node')
`

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'garba-set-up-'))
  for (const file of ['run.mjs', 'setup.mjs', 'lib/commands.mjs', 'lib/endWithParent.mjs'])
    cpSync(join(ROOT, 'scripts', file), join(root, 'scripts', file), { recursive: true })
  const commands = join(root, 'scripts', 'commands', 'develop')
  mkdirSync(commands, { recursive: true })
  writeFileSync(join(commands, 'seed.ts'), "console.log('seeded', ...process.argv.slice(2))")
  cpSync(join(commands, 'seed.ts'), join(commands, 'storm.ts'))
  writeFileSync(join(root, 'package.json'), '{"type":"module"}')
  writeFileSync(join(root, 'package-lock.json'), '{"packages":{}}')
  writeFileSync(join(root, 'npm.js'), NPM)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function run(args: string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(nodeBinary(), ['scripts/run.mjs', ...args], {
    cwd: root,
    env: { ...process.env, npm_execpath: join(root, 'npm.js'), npm_node_execpath: nodeBinary(), ...env },
    encoding: 'utf8',
  })
  return { status, output: stdout + stderr, calls: readCalls() }
}
const readCalls = () => readFileSync(join(root, 'npm.calls'), 'utf8').trim().split('\n')

test('the first command installs, and the next does not until the lock file changes', () => {
  const first = run(['seed', '--big'])
  expect(first).toMatchObject({ status: 0, calls: ['ci --omit=dev', 'rebuild'] })
  expect(first.output).toContain('seeded --big')
  expect(run(['seed']).calls).toHaveLength(2)
  writeFileSync(join(root, 'package-lock.json'), '{"packages":{"node_modules/lamp":{}}}')
  rmSync(join(root, 'node_modules'), { recursive: true, force: true })
  expect(run(['seed']).calls).toHaveLength(4)
})

test('a command of tests brings their tools as well, and they stay for the commands that need none', () => {
  expect(run(['storm', 'sale']).calls).toEqual(['ci', 'rebuild'])
  expect(run(['seed']).calls).toHaveLength(2)
})

test.each(['ci', 'rebuild'])(
  'where npm %s fails a sentence says what to do, and the next command tries again',
  (name) => {
    const { status, output } = run(['seed'], { NPM_FAILS: name })
    expect(status).toBe(1)
    expect(output).toMatch(/failed\. Is the npm registry reachable from here/)
    expect(output).not.toContain('seeded')
    rmSync(join(root, 'node_modules'), { recursive: true, force: true })
    expect(run(['seed'])).toMatchObject({ status: 0, output: expect.stringContaining('seeded') })
  },
)

test('npm run serve installs nothing', () => {
  writeFileSync(join(root, 'npm.calls'), '')
  expect(run(['serve'])).toMatchObject({
    status: 1,
    output: expect.stringContaining('Run `npm start` or `npm run build` once first.'),
    calls: [''],
  })
})
