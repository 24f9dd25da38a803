import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { withLock } from './lib/lock.mjs'
import { nodeBinary, ROOT } from './setup.mjs'

let root: string

/** What npm would do, slowly, with a note of each call: the registry is not the test's to ask. */
const NPM = `
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
const [command] = process.argv.slice(2)
appendFileSync('npm.calls', command + '\\n')
await new Promise((resolve) => setTimeout(resolve, 400))
if (process.env.NPM_FAILS === command) {
  console.error('npm error network request failed')
  process.exit(1)
}
mkdirSync('node_modules/node/bin', { recursive: true })
if (command === 'ci') writeFileSync('node_modules/.package-lock.json', '{"packages":{}}')
if (command === 'rebuild') symlinkSync(process.execPath, 'node_modules/node/bin/node')
`

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'garba-set-up-'))
  for (const file of ['run.mjs', 'setup.mjs', 'lib/lock.mjs']) {
    cpSync(join(ROOT, 'scripts', file), join(root, 'scripts', file), { recursive: true })
  }
  writeFileSync(
    join(root, 'scripts', 'seed.ts'),
    "console.log('seeded on', process.versions.node, ...process.argv.slice(2))",
  )
  writeFileSync(join(root, 'package.json'), '{"type":"module"}')
  writeFileSync(join(root, 'package-lock.json'), '{"packages":{}}')
  writeFileSync(join(root, 'npm.js'), NPM)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function run(args: string[], env: Record<string, string> = {}): Promise<{ code: number | null; said: string }> {
  const child = spawn(nodeBinary(), ['scripts/run.mjs', ...args], {
    cwd: root,
    env: { ...process.env, npm_execpath: join(root, 'npm.js'), npm_node_execpath: nodeBinary(), ...env },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      said += data
    })
  }
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, said })))
}
const npmCalls = () => readFileSync(join(root, 'npm.calls'), 'utf8').trim().split('\n')

describe('set-up', () => {
  test('installs, brings Node 24, says how long each took, and runs the command with its arguments', async () => {
    const { code, said } = await run(['seed', '--big'])
    expect(code).toBe(0)
    expect(said).toMatch(/Installing the packages.*\n {2}done in \d+\.\d s\nBringing Node 24.*\n {2}done in/)
    expect(said).toMatch(/seeded on 24\.\d+\.\d+ --big/)
    expect(npmCalls()).toEqual(['ci', 'rebuild'])
  })

  test('is skipped the second time, and done again when the lock file changed', async () => {
    await run(['seed'])
    expect((await run(['seed'])).said).toMatch(/^seeded on 24/)
    expect(npmCalls()).toHaveLength(2)
    writeFileSync(join(root, 'package-lock.json'), '{"packages":{"node_modules/new":{"version":"1.0.0"}}}')
    await run(['seed'])
    expect(npmCalls()).toEqual(['ci', 'rebuild', 'ci'])
  })

  test('two at a time are done once, and both commands run', async () => {
    const both = await Promise.all([run(['seed']), run(['seed'])])
    expect(npmCalls()).toEqual(['ci', 'rebuild'])
    for (const { code, said } of both) {
      expect(code).toBe(0)
      expect(said).toMatch(/seeded on 24/)
    }
    expect(both.filter(({ said }) => said.includes('Another set-up is running'))).toHaveLength(1)
  })

  test('a failed step shows what npm said and what to do, and the next run begins it anew', async () => {
    const { code, said } = await run(['seed'], { NPM_FAILS: 'ci' })
    expect(code).toBe(1)
    expect(said).toMatch(/Installing the packages \(npm ci\) failed after/)
    expect(said).toContain('npm error network request failed')
    expect(said).toContain('run the same command again')
    expect(said).not.toMatch(/\n\s+at /)
    expect((await run(['seed'])).code).toBe(0)
  })

  test('serve installs nothing', async () => {
    const { code, said } = await run(['serve'])
    expect({ code, said: said.trim() }).toEqual({
      code: 1,
      said: expect.stringMatching(/^Nothing is installed here yet/),
    })
    expect(existsSync(join(root, 'npm.calls'))).toBe(false)
  })
})

describe('the lock', () => {
  test('is taken over from a process that was killed', async () => {
    const path = join(root, '.cache', 'a.lock')
    mkdirSync(join(root, '.cache'))
    writeFileSync(path, '1')
    const longAgo = new Date(Date.now() - 60_000)
    utimesSync(path, longAgo, longAgo)
    let waited = 0
    const result = await withLock({ path, onWait: () => waited++, work: async () => 'done' })
    expect([result, waited, existsSync(path)]).toEqual(['done', 1, false])
  })

  test('is held by one at a time', async () => {
    const path = join(root, '.cache', 'b.lock')
    let inside = 0
    let most = 0
    const work = async () => {
      most = Math.max(most, ++inside)
      await new Promise((resolve) => setTimeout(resolve, 20))
      inside--
    }
    await Promise.all(Array.from({ length: 5 }, () => withLock({ path, onWait: () => undefined, work })))
    expect(most).toBe(1)
  })
})
