import { spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { withLock } from './lib/lock.mjs'
import { nodeBinary, ROOT } from './setup.mjs'

let root: string

/** A stand-in for npm that notes each call, because tests must not use the registry. */
const NPM = `
import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
const [command] = process.argv.slice(2)
const root = dirname(process.argv[1])
if (command === 'config') console.log('https://packages.example.org/npm/')
if (command === 'config') process.exit(0)
if (command === 'ping') {
  if (process.env.NPM_OFFLINE) console.error('npm error code ENOTFOUND')
  process.exit(process.env.NPM_OFFLINE ? 1 : 0)
}
appendFileSync(join(root, 'npm.calls'), command + '\\n')
if (process.env.NPM_OFFLINE && process.argv.includes('--offline')) {
  console.error('npm error code ENOTCACHED')
  console.error('npm error request to https://packages.example.org/@garba/lamp/-/lamp-1.2.3.tgz failed: cache mode is only-if-cached')
  process.exit(1)
}
if (process.env.NPM_OFFLINE || process.env.NPM_SLOW) {
  appendFileSync(join(root, 'npm.pids'), process.pid + '\\n')
  await new Promise((resolve) => setTimeout(resolve, 120_000))
}
await new Promise((resolve) => setTimeout(resolve, process.env.NPM_TAKES ?? 20))
if (process.env.NPM_FAILS === command) {
  console.error('npm error network request failed')
  process.exit(1)
}
mkdirSync('node_modules/node/bin', { recursive: true })
if (command === 'ci') {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  if (process.env.NPM_ELSEWHERE && Object.values(packages).some(({ resolved, link }) => resolved && !link)) process.exit(1)
  for (const path of Object.keys(packages).filter((path) => path.includes('node_modules/')))
    mkdirSync(path, { recursive: true })
  writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }))
}
if (command === 'rebuild') symlinkSync(process.execPath, 'node_modules/node/bin/node')
`

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'garba-set-up-'))
  const plain = readdirSync(join(ROOT, 'scripts', 'lib')).filter((name) => name.endsWith('.mjs'))
  for (const file of ['run.mjs', 'setup.mjs', ...plain.map((name) => `lib/${name}`)]) {
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

function begin(args: string[], env: Record<string, string> = {}) {
  const child = spawn(nodeBinary(), ['scripts/run.mjs', ...args], {
    cwd: root,
    env: { ...process.env, npm_execpath: join(root, 'npm.js'), npm_node_execpath: nodeBinary(), ...env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      output += data
    })
  }
  const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, output })),
  )
  return { child, ended, said: () => output }
}
const run = (...given: Parameters<typeof begin>) => begin(...given).ended
/** Resolves once no npm runs any more. */
const gone = () =>
  expect
    .poll(
      () =>
        readFileSync(join(root, 'npm.pids'), 'utf8')
          .trim()
          .split('\n')
          .filter((pid) => isAlive(Number(pid))),
      {
        timeout: 10_000,
      },
    )
    .toEqual([])

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
const isThere = (name: string) => existsSync(join(root, 'node_modules', name))

/** A lock file with the app's packages, a large package that is needed in part, and a tool. */
function writePackages(): void {
  const dependencies = { app: '1.0.0', firebase: '1.0.0' }
  const devDependencies = { tool: '1.0.0' }
  const parts = { '@firebase/auth': '1.0.0', '@firebase/firestore': '1.0.0' }
  const version = { version: '1.0.0' }
  const packages = {
    '': { dependencies, devDependencies },
    server: { dependencies: { app: '2.0.0' } },
    'node_modules/app': version,
    'server/node_modules/app': { version: '2.0.0' },
    'node_modules/firebase': { ...version, dependencies: parts },
    'node_modules/@firebase/auth': version,
    'node_modules/@firebase/firestore': version,
    'node_modules/tool': { ...version, dev: true },
  }
  writeFileSync(join(root, 'package.json'), JSON.stringify({ type: 'module', dependencies, devDependencies }))
  mkdirSync(join(root, 'server'))
  writeFileSync(join(root, 'server', 'package.json'), JSON.stringify({ dependencies: { app: '2.0.0' } }))
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }))
  writeFileSync(join(root, 'scripts', 'bench.ts'), "console.log('measured')")
}

const npmCalls = () => readFileSync(join(root, 'npm.calls'), 'utf8').trim().split('\n')

describe('set-up', () => {
  test('installs packages and Node 24, prints how long each took, and runs the command with its arguments', async () => {
    const { code, output } = await run(['seed', '--big'])
    expect(code).toBe(0)
    expect(output).toMatch(/Installing the packages.*\n {2}done in \d+\.\d s\nInstalling Node 24.*\n {2}done in/)
    expect(output).toMatch(/seeded on 24\.\d+\.\d+ --big/)
    expect(npmCalls()).toEqual(['ci', 'rebuild'])

    // It is skipped the second time, and repeated when the lock file changes.
    expect((await run(['seed'])).output).toMatch(/^seeded on 24/)
    expect(npmCalls()).toHaveLength(2)
    writePackages()
    await run(['seed'])
    expect(npmCalls()).toEqual(['ci', 'rebuild', 'ci', 'rebuild'])
  })

  test('installs for a start what it runs, for a benchmark the tools as well, and neither again', async () => {
    writePackages()
    expect((await run(['seed'])).code).toBe(0)
    const where = () => ['app', 'firebase', '@firebase/auth', '@firebase/firestore', 'tool'].filter(isThere)
    expect(where()).toEqual(['app', 'firebase', '@firebase/auth'])
    expect(existsSync(join(root, 'server', 'node_modules', 'app'))).toBe(true)
    // What was there stays when the installation of the tools fails.
    expect((await run(['bench'], { NPM_FAILS: 'rebuild' })).code).toBe(1)
    expect(isThere('tool')).toBe(false)
    expect((await run(['seed'])).output).toMatch(/^seeded on 24/)
    // The next run continues with the packages that it has.
    expect((await run(['bench'])).output).toMatch(/measured$/m)
    expect(where()).toEqual(['app', 'firebase', '@firebase/auth', 'tool'])
    expect(npmCalls()).toEqual(['ci', 'rebuild', 'ci', 'rebuild', 'rebuild'])
    await run(['seed'])
    await run(['bench'])
    expect(npmCalls()).toHaveLength(5)
  })

  test('works with a registry that has its packages at other paths', async () => {
    writePackages()
    expect((await run(['seed'], { NPM_ELSEWHERE: '1' })).code).toBe(0)
    expect(npmCalls()).toEqual(['ci', 'ci', 'rebuild'])
    expect(isThere('app')).toBe(true)
  })

  test('runs once for two concurrent commands, and both commands run', async () => {
    // Long enough for the second command to meet the first one's set-up.
    const slowly = { NPM_TAKES: '1000' }
    const both = await Promise.all([run(['seed'], slowly), run(['seed'], slowly)])
    expect(npmCalls()).toEqual(['ci', 'rebuild'])
    for (const { code, output } of both) {
      expect(code).toBe(0)
      expect(output).toMatch(/seeded on 24/)
    }
    expect(both.filter(({ output }) => output.includes('Another set-up is running'))).toHaveLength(1)
  })

  test('shows npm’s output and what to do after a failed step, and the next run starts it again', async () => {
    const { code, output } = await run(['seed'], { NPM_FAILS: 'ci' })
    expect(code).toBe(1)
    expect(output).toMatch(/Installing the packages.* failed after/)
    expect(output).toContain('npm error network request failed')
    expect(output).toContain('run the same command again')
    expect(output).not.toMatch(/\n\s+at /)
    expect((await run(['seed'])).code).toBe(0)
  })

  test('says within half a minute what is missing where there is no network, and leaves nothing running', async () => {
    const from = Date.now()
    const { code, output } = await run(['seed'], { NPM_OFFLINE: '1' })
    expect(output).toMatch(
      /the npm registry does not answer, and npm's cache on this machine lacks @garba\/lamp 1\.2\.3/,
    )
    expect(output).toMatch(/Connect this machine to the internet.*run the same command again\.$/m)
    expect(code).toBe(1)
    expect(Date.now() - from).toBeLessThan(30_000)
    await gone()
  })

  test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
    '%s in the middle, which shows progress, leaves nothing running, and the next start works',
    async (signal) => {
      const { child, ended, said } = begin(['seed'], { NPM_SLOW: '1' })
      await expect.poll(() => existsSync(join(root, 'npm.pids')), { timeout: 30_000 }).toBe(true)
      if (signal === 'SIGINT')
        await expect.poll(said, { timeout: 30_000 }).toMatch(/^ {2}\d+ of \d+ packages, \d+\.\d s$/m)
      child.kill(signal)
      const { output } = await ended
      if (signal !== 'SIGKILL') expect(output).toMatch(/Stopped\. Run the same command again to go on\.$/m)
      await gone()
      expect((await run(['seed'])).output).toMatch(/seeded on 24/)
    },
  )

  test('is skipped by serve', async () => {
    const { code, output } = await run(['serve'])
    expect({ code, output: output.trim() }).toEqual({
      code: 1,
      output: expect.stringMatching(/^Nothing is installed here yet/),
    })
    expect(existsSync(join(root, 'npm.calls'))).toBe(false)
  })
})

describe('the lock', () => {
  test('is taken over from a killed process', async () => {
    const path = join(root, '.cache', 'a.lock')
    mkdirSync(join(root, '.cache'))
    writeFileSync(path, '1')
    const longAgo = new Date(Date.now() - 60_000)
    utimesSync(path, longAgo, longAgo)
    let waited = 0
    const result = await withLock({ path, onWait: () => waited++, work: async () => 'done' })
    expect([result, waited, existsSync(path)]).toEqual(['done', 1, false])
  })

  test('has one holder at a time', async () => {
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

test('every npm script is a command that there is', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const named = Object.values(scripts).map((line) => /^node scripts\/run\.mjs (\w+)/.exec(line)?.[1])
  const { stderr } = spawnSync(nodeBinary(), ['scripts/run.mjs'], { cwd: ROOT, encoding: 'utf8' })
  expect(new Set(stderr.trim().replace('Commands: ', '').split(', '))).toEqual(new Set(named))
})
