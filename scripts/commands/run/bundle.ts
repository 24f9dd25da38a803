import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  createReadStream,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { bytesText } from '@garba/shared/messages/amounts'
import { FROM_RELEASE, isServersKind } from '../../hosting/files.ts'
import { fillTemplate } from '../../hosting/template.ts'
import { CLIENT_DIST, ensureClient } from '../../lib/client.ts'
import { sourceVersion, withFolder } from '../../lib/files.ts'
import { runCommand, runTimedStep, UsageError } from '../../lib/say.ts'
import { nodeBinary, ROOT, runNpm, SERVER_FLAGS, SetUpError } from '../../setup.mjs'

function productionPackages(): string[] {
  const args = ['ls', '--workspace=server', '--omit=dev', '--all', '--parseable']
  const { stdout } = runNpm(args, { encoding: 'utf8' })
  const paths = String(stdout)
    .trim()
    .split('\n')
    .map((path) => relative(ROOT, path))
  return [...new Set(paths)].filter((path) => path.includes('node_modules/') && !path.includes('@garba/'))
}

const VERBS = ['backup', 'restore', 'doctor', 'drill', 'takeover', 'keys', 'move', 'pair', 'rehearse'] as const
const COMMANDS = ['serve', ...VERBS]

const isTest = (path: string) => /\.test\.tsx?$|\/(testing|bench|double)(\/|$)/.test(path)
/** Parts of packages that nothing runs: types, maps, sources of compiled code, tests, documents. */
const NOT_RUN =
  /\.(standalone|browser(\.old)?)\.m?js$|\.([cm]?ts|map|md|markdown|c|cc|cpp|h|gyp|gypi)$|\/(test|tests|docs|example|examples|benchmarks)$/i
const OTHER_MACHINE = /\/better-sqlite3\/(deps|src|prebuilds\/(?!linux-x64\.node)[^/]+)$/
/** Files that repeat the same code in another module format, or for callers of an earlier version. */
const OTHER_FORM =
  /\/(dist\/(umd|iife)|hono\/dist\/cjs|api\/build\/(esm|esnext)|helpers\/src|zod\/(v3|src))$|\/drizzle-orm\/.*\.cjs$/

const BUILD_TOOLS = /\/\.yarn$/

const LEFT_OUT = [NOT_RUN, OTHER_MACHINE, OTHER_FORM, BUILD_TOOLS]

function copyOwn(target: string): void {
  for (const folder of ['shared', 'server']) {
    cpSync(join(ROOT, folder, 'src'), join(target, folder, 'src'), { recursive: true, filter: (path) => !isTest(path) })
    copyFileSync(join(ROOT, folder, 'package.json'), join(target, folder, 'package.json'))
  }
  cpSync(CLIENT_DIST, join(target, 'client', 'dist'), { recursive: true })
  mkdirSync(join(target, 'scripts', 'commands', 'run'), { recursive: true })
  cpSync(join(ROOT, 'scripts', 'lib'), join(target, 'scripts', 'lib'), {
    recursive: true,
    filter: (path) => !isTest(path),
  })
  for (const file of ['setup.mjs', ...COMMANDS.map((name) => `commands/run/${name}.ts`)])
    copyFileSync(join(ROOT, 'scripts', file), join(target, 'scripts', file))
  for (const file of ['package.json', 'LICENSE']) copyFileSync(join(ROOT, file), join(target, file))
  for (const name of ['operations.md', 'operations'])
    cpSync(join(ROOT, 'shared', 'docs', name), join(target, name), { recursive: true })
}

function copyPackages(target: string): void {
  for (const path of productionPackages()) {
    const from = join(ROOT, path)
    // An optional package may not be installed here.
    if (!existsSync(from)) continue
    const own = (file: string) => !relative(from, file).includes('node_modules')
    cpSync(from, join(target, path), {
      recursive: true,
      filter: (file) => own(file) && (file === from || LEFT_OUT.every((pattern) => !pattern.test(file))),
    })
  }
  mkdirSync(join(target, 'node_modules', '@garba'), { recursive: true })
  symlinkSync('../../shared', join(target, 'node_modules', '@garba', 'shared'))
}

function copyNode(target: string): void {
  const node = join(target, 'node')
  copyFileSync(nodeBinary(), node)
  chmodSync(node, 0o755)
  spawnSync('strip', [node])
}

const buildLauncher = (version: string): string =>
  fillTemplate('garba.sh', { version, serverFlags: SERVER_FLAGS.join(' '), verbs: VERBS.join(' | ') })

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => lstatSync(join(folder, name)).isFile())
    .sort()
}

/** The text has the format that `sha256sum --check` reads. */
async function checksums(target: string): Promise<{ text: string; bytes: number }> {
  const lines: string[] = []
  let bytes = 0
  for (const name of files(target)) {
    const sum = createHash('sha256')
    await pipeline(createReadStream(join(target, name)), sum)
    lines.push(`${sum.digest('hex')}  ${name}`)
    bytes += lstatSync(join(target, name)).size
  }
  return { text: `${lines.join('\n')}\n`, bytes }
}

function pack({ target, file }: { target: string; file: string }): void {
  const args = [
    '--create',
    ...(file.endsWith('.gz') ? ['--gzip'] : []),
    '--file',
    file,
    '--owner=0',
    '--group=0',
    '--directory',
    dirname(target),
    basename(target),
  ]
  const { status, stderr } = spawnSync('tar', args, { encoding: 'utf8' })
  if (status !== 0) throw new SetUpError(`The archive could not be written: ${stderr.trim()}`)
}

await runCommand('bundle', async ({ words: [given = ''] }) => {
  if (!/\.tar(\.gz)?$/.test(given)) throw new UsageError()
  if (!isServersKind())
    throw new SetUpError(
      `A bundle holds programs for Linux with an x86-64 processor, so it is made there. ${FROM_RELEASE}`,
    )
  const file = resolve(given)
  if (existsSync(file)) throw new SetUpError(`${file} exists already: choose another name.`)
  await ensureClient()
  const version = sourceVersion()
  await withFolder(join(tmpdir(), 'garba-bundle-'), async (folder) => {
    const target = join(folder, `garba-${version}`)
    mkdirSync(target)
    await runTimedStep('Copying server, client, packages and Node', () => {
      copyOwn(target)
      copyPackages(target)
      copyNode(target)
      writeFileSync(join(target, 'garba'), buildLauncher(version), { mode: 0o755 })
      writeFileSync(join(target, 'VERSION'), `${version}\nNode ${process.versions.node}\n`)
    })
    const { text, bytes } = await checksums(target)
    writeFileSync(join(target, 'SHA256SUMS'), text)
    await runTimedStep('Packing', () => pack({ target, file }))
    console.log(`${file} holds garba-${version}: ${bytesText(lstatSync(file).size)}, ${bytesText(bytes)} unpacked.`)
  })
})
