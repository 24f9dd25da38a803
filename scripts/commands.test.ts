import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openStore } from '../server/src/store/engine/open.ts'
import { COMMAND_NAMES, findScript, findUsage, needsTools, parseArguments } from './lib/commands.mjs'
import { nodeBinary, ROOT } from './setup.mjs'
import { runScript } from './testing/runScript.ts'

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> }

/** A command of package.json with more arguments, as npm runs it. */
function npmRun(name: string, ...args: string[]) {
  const [, ...words] = (scripts[name] ?? '').split(' ')
  const { status, stdout, stderr } = spawnSync(nodeBinary(), [...words, ...args], { cwd: ROOT, encoding: 'utf8' })
  return { status, stdout: stdout.trim(), stderr: stderr.trim() }
}

describe('every command of package.json', () => {
  // run.mjs answers all of them from the table, so the table is asked here, and a few are started.
  test.each(Object.entries(scripts))('%s says how it is used, and knows no other options', (_, line) => {
    const [, , name = '', ...given] = line.split(' ')
    expect(findUsage(name)).toMatch(/^[A-Z].*\n(.*\n)*? {2}npm /)
    for (const help of ['--help', '-h']) expect(parseArguments(name, [...given, help])).toBe('help')
    expect(parseArguments(name, [...given, '--no-such-option'])).toBe('wrong')
  })

  test.each(['check', 'start'])('%s answers so, and exits with 2 for what it does not know', (name) => {
    const help = npmRun(name, '--help')
    expect(help).toEqual({ status: 0, stderr: '', stdout: findUsage(name === 'check' ? 'test' : name) })
    expect(npmRun(name, '-h')).toEqual(help)
    expect(npmRun(name, '--no-such-option')).toEqual({ status: 2, stdout: '', stderr: help.stdout })
  })

  test('is in the table of commands, and nothing else is', () => {
    const lines = Object.values(scripts).map((line) => line.split(' '))
    expect(new Set(lines.map((words) => words.slice(0, 2).join(' ')))).toEqual(new Set(['node scripts/run.mjs']))
    expect([...new Set(lines.map((words) => words[2]))].toSorted()).toEqual([...COMMAND_NAMES].toSorted())
    const { status, stderr } = spawnSync(nodeBinary(), ['scripts/run.mjs', 'sell'], { cwd: ROOT, encoding: 'utf8' })
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^Commands: start, serve,/)])
  })
})

test.each([
  ['backup', []],
  ['backup', ['a', 'b']],
  ['restore', ['']],
  ['drill', ['a', 'b']],
  ['rehearse', ['now']],
  ['rehearse', ['--reset', 'all']],
])('npm run %s with %j is wrong by the table', (name, args) => {
  expect(parseArguments(name, args)).toBe('wrong')
})

test.each([
  ['migration', ['Not A Name']],
  ['bench', ['no-benchmark-has-this-name']],
  ['pair', ['--rehearsal']],
  ['takeover', ['--here', 'backup.db']],
])('npm run %s with %j prints the usage and exits with 2', (name, args) => {
  const { status, stdout, stderr } = npmRun(name, ...args)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toContain(`npm run ${name}`)
})

/** The packages that a file and what it imports load, also later, by the path of the file that does. */
function packagesLoadedBy(start: string): Map<string, string> {
  const found = new Map<string, string>()
  const files = new Set([join(ROOT, start)])
  for (const file of files) {
    // The rehearsal with Chromium is asked for by --script.
    if (file.endsWith('/rehearsal.ts')) continue
    const source = readFileSync(file, 'utf8')
    const loaded = [
      ...source.matchAll(/^(?:import|export)\s(?!type\b)[^'"`=(]*?\sfrom '([^']+)'/gm),
      ...source.matchAll(/^import '([^']+)'|\bimport\('([^']+)'\)/gm),
    ]
    for (const [, first, second] of loaded) {
      const name = first ?? second ?? ''
      const shared = name.replace(/^@garba\/shared\/(.*)/, '$1.ts')
      if (shared !== name) files.add(join(ROOT, 'shared', 'src', shared))
      else if (!name.startsWith('.')) found.set(/^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name, file)
      else if (/\.(ts|tsx|mjs)$/.test(name)) files.add(join(file, '..', name))
    }
  }
  return found
}

test('a command that is not said to need tools loads only what npm start installs', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>
  }
  const missing = COMMAND_NAMES.filter((name) => !needsTools(name)).flatMap((command) =>
    [...packagesLoadedBy(findScript(command))]
      .filter(
        ([name]) =>
          !isBuiltin(name) &&
          !['', 'server/'].some(
            (at) => packages[`${at}node_modules/${name}`]?.dev !== true && `${at}node_modules/${name}` in packages,
          ),
      )
      .map(([name, file]) => `${command}: ${file} loads ${name}`),
  )
  expect(missing).toEqual([])
  expect([...packagesLoadedBy(findScript('start')).keys()]).toContain('better-sqlite3')
})

/**
 * Root may read and write everything, so these run without that power, and not as another user: the clone can be in a
 * folder that only root may enter.
 */
const BOUND_BY_MODES = process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search'] : []

describe('an error is one sentence, printed once', () => {
  async function aFolder(): Promise<{ folder: string; closed: string; settings: Record<string, string> }> {
    const folder = mkdtempSync(join(tmpdir(), 'garba-commands-'))
    const [data, closed] = [join(folder, 'data'), join(folder, 'closed')]
    onTestFinished(() => {
      // Only root may remove what is behind a closed folder.
      chmodSync(closed, 0o755)
      rmSync(folder, { recursive: true, force: true })
    })
    chmodSync(folder, 0o777)
    for (const path of [data, closed]) mkdirSync(path)
    await openStore(join(data, 'garba.db')).close()
    for (const path of [data, join(data, 'garba.db')]) chmodSync(path, 0o777)
    return { folder, closed, settings: { DATA_DIR: data } }
  }
  const once = (text: string) => ({ status: 1, stdout: '', stderr: text })
  const run = (name: string, args: string[], settings: Record<string, string>) => {
    const { output: _, ...answer } = runScript(name, args, settings, BOUND_BY_MODES)
    return answer
  }

  test('for a backup that may not be read, or is behind a closed folder', async () => {
    const { closed, folder, settings } = await aFolder()
    const file = join(folder, 'backup.db')
    writeFileSync(file, 'x')
    for (const path of [file, closed]) chmodSync(path, 0)
    for (const path of [file, join(closed, 'backup.db.age')])
      expect(run('restore', [path], settings)).toEqual(
        once(`You may not read ${path}: become a user who may, or change its owner or mode.`),
      )
  })

  test('for a database in a folder that may not be entered, which is not taken for none', async () => {
    const { closed, folder } = await aFolder()
    chmodSync(closed, 0)
    const sentence = `You may not read ${join(closed, 'garba.db')}: become a user who may, or change its owner or mode.`
    expect(run('backup', [join(folder, 'a.db')], { DATA_DIR: closed })).toEqual(once(sentence))
    expect(run('pair', ['Gate'], { DATA_DIR: closed })).toEqual(once(sentence))
    const { checks } = JSON.parse(run('doctor', ['--json'], { DATA_DIR: closed }).stdout) as { checks: object[] }
    expect(checks).toContainEqual({ name: 'Database', status: 'failure', detail: sentence })
  })

  test('for a folder of backups that may not be read', async () => {
    const { closed, settings } = await aFolder()
    chmodSync(closed, 0)
    const sentence = `This user may not read the folder ${closed}: change its owner or mode.`
    expect(run('drill', [], { ...settings, BACKUP_DIR: closed })).toEqual(once(sentence))
  })

  test('for a path that cannot be written', async () => {
    const { closed, settings } = await aFolder()
    chmodSync(closed, 0o555)
    const sentence = `You may not write to ${closed}: choose another folder, or change its owner or mode.`
    expect(run('backup', [join(closed, 'a.db')], settings)).toEqual(once(sentence))
    const { status, stderr } = run('host', ['a.example.org', '--to', join(closed, 'to')], settings)
    expect([status, stderr]).toEqual([
      1,
      `You may not use ${join(closed, 'to')}: choose another place, or change its owner or mode.`,
    ])
    expect(existsSync(join(closed, 'a.db'))).toBe(false)
  })
})

test('a signal leaves no folder behind in which a backup was opened', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'garba-signal-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const body = `import { withFolder } from '${new URL('./lib/files.ts', import.meta.url)}'
    await withFolder('${folder}/opened-', async () => {
      console.log('opened')
      await new Promise((resolve) => setTimeout(resolve, 60_000))
    })`
  const child = spawn(nodeBinary(), ['--input-type=module', '--eval', body], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  expect(readdirSync(folder)).toHaveLength(1)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([143, null])
  expect(readdirSync(folder)).toEqual([])
})
