import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { buildHostingFiles, buildSettingsFile, type HostingSettings, isServersKind } from '../../hosting/files.ts'
import { settingsHere } from '../../lib/database.ts'
import { formatPath, withFolder } from '../../lib/files.ts'
import { type CommandArguments, runCommand, UsageError } from '../../lib/say.ts'
import { nodeBinary, ROOT, SetUpError } from '../../setup.mjs'

const DOMAIN = /^(?=.{1,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z]([a-z\d-]{0,61}[a-z\d])?$/

function given({
  words: [name = ''],
  has,
  text,
}: CommandArguments): HostingSettings & { to: string; verify: boolean; bundle: boolean } {
  const to = text('to')
  const domain = name.toLowerCase()
  if (to === undefined || !DOMAIN.test(domain)) throw new UsageError()
  return {
    domain,
    to: resolve(to),
    venue: has('venue'),
    verify: has('verify'),
    bundle: has('bundle'),
    port: settingsHere().port || 8080,
  }
}

/** Throws SetUpError with the program's objections to the files, or if it is not installed. */
function check(program: string, args: readonly string[]): void {
  const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (error) throw new SetUpError(`${program} is not installed here, so it cannot read the files.`)
  if (status !== 0) throw new SetUpError(`${program} refuses them:\n${stdout}${stderr}`.trim())
}

const typed = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`)

function nextSteps({ to, bundle, domain, venue }: HostingSettings & { to: string; bundle: boolean }): string {
  const script = typed(join(basename(to), 'install.sh'))
  const from = formatPath(to, process.cwd())
  return [
    `${to} holds what ${domain} needs. Next:`,
    ...(bundle ? [] : [bundleStep(from)]),
    `  fill in the first part of ${join(from, 'garba.env')}`,
    ...(venue
      ? [`  on the laptop, as root: sh ${script}`]
      : [`  scp -r ${typed(from)} root@${domain}:`, `  ssh root@${domain} sh ${typed(script)}`]),
  ].join('\n')
}

/** A bundle cannot be made on Windows, macOS or ARM. */
const bundleStep = (from: string): string =>
  isServersKind()
    ? `  npm run bundle -- ${typed(join(from, 'garba.tar.gz'))}`
    : `  put garba.tar.gz of this version into ${from}: download it from the releases of this repository`

async function verifyFiles(to: string): Promise<void> {
  check('caddy', ['validate', '--config', join(to, 'Caddyfile'), '--adapter', 'caddyfile'])
  await withFolder(join(tmpdir(), 'garba-units-'), (folder) => {
    const units = readdirSync(to).filter((name) => /\.(service|timer)$/.test(name))
    // systemd requires the program to exist, but only the server has it.
    for (const name of units)
      writeFileSync(
        join(folder, name),
        readFileSync(join(to, name), 'utf8').replaceAll('/opt/garba/garba', '/bin/true'),
      )
    check('systemd-analyze', ['verify', ...units.map((name) => join(folder, name))])
    check('sh', ['-n', join(to, 'install.sh')])
  })
  console.log('Caddy and systemd accept them.')
}

function addBundle(to: string): void {
  const args = [join(ROOT, 'scripts', 'commands', 'run', 'bundle.ts'), join(to, 'garba.tar.gz')]
  if (spawnSync(nodeBinary(), args, { stdio: 'inherit' }).status !== 0) throw new SetUpError('The bundle was not made.')
}

await runCommand('host', async (parsed) => {
  const { to, verify, bundle, ...hosted } = given(parsed)
  if (existsSync(to) && readdirSync(to).length > 0) throw new SetUpError(`${to} is not empty: choose another folder.`)
  mkdirSync(to, { recursive: true })
  for (const [name, text] of Object.entries(buildHostingFiles(hosted))) writeFileSync(join(to, name), text)
  writeFileSync(join(to, 'garba.env'), buildSettingsFile(hosted, settingsHere()), { mode: 0o600 })
  if (verify) await verifyFiles(to)
  const bundled = bundle && isServersKind()
  if (bundled) addBundle(to)
  console.log(nextSteps({ ...hosted, to, bundle: bundled }))
})
