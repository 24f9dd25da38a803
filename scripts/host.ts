import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative, resolve } from 'node:path'
import { backupTimer, backupUnit, caddyfile, type Hosted, readme, serviceUnit, settingsFile } from './hosting/files.ts'
import { installer } from './hosting/install.ts'
import { isServersKind } from './hosting/release.ts'
import { type CommandArguments, command, UsageError } from './lib/say.ts'
import { settingsHere } from './lib/settings.ts'
import { nodeBinary, ROOT, SetUpError } from './setup.mjs'

const DOMAIN = /^(?=.{1,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z]([a-z\d-]{0,61}[a-z\d])?$/

function given({
  words: [domain = ''],
  has,
  text,
}: CommandArguments): Hosted & { to: string; verify: boolean; bundle: boolean } {
  const to = text('to')
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

function nextSteps({ to, bundle, domain, venue }: Hosted & { to: string; bundle: boolean }): string {
  const folder = basename(to)
  const near = relative(process.cwd(), to)
  const from = near.startsWith('..') ? to : near
  return [
    `${to} holds what ${domain} needs. Next:`,
    ...(bundle ? [] : [bundleStep(from)]),
    `  fill in the first part of ${join(from, 'garba.env')}`,
    ...(venue
      ? [`  on the laptop, as root: sh ${join(folder, 'install.sh')}`]
      : [`  scp -r ${from} root@${domain}:`, `  ssh root@${domain} sh ${folder}/install.sh`]),
  ].join('\n')
}

/** A bundle cannot be made on Windows, macOS or ARM. */
const bundleStep = (from: string): string =>
  isServersKind()
    ? `  npm run bundle -- ${join(from, 'garba.tar.gz')}`
    : `  put garba.tar.gz of this version into ${from}: download it from the releases of this repository`

function verifyFiles(to: string): void {
  check('caddy', ['validate', '--config', join(to, 'Caddyfile'), '--adapter', 'caddyfile'])
  const folder = mkdtempSync(join(tmpdir(), 'garba-units-'))
  try {
    const units = readdirSync(to).filter((name) => /\.(service|timer)$/.test(name))
    // systemd requires the program to exist, but only the server has it.
    for (const name of units)
      writeFileSync(
        join(folder, name),
        readFileSync(join(to, name), 'utf8').replaceAll('/opt/garba/garba', '/bin/true'),
      )
    check('systemd-analyze', ['verify', ...units.map((name) => join(folder, name))])
    check('sh', ['-n', join(to, 'install.sh')])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  console.log('Caddy and systemd accept them.')
}

function addBundle(to: string): void {
  const args = [join(ROOT, 'scripts', 'bundle.ts'), join(to, 'garba.tar.gz')]
  if (spawnSync(nodeBinary(), args, { stdio: 'inherit' }).status !== 0) throw new SetUpError('The bundle was not made.')
}

await command('host', (asked) => {
  const { to, verify, bundle, ...hosted } = given(asked)
  if (existsSync(to) && readdirSync(to).length > 0) throw new SetUpError(`${to} is not empty: choose another folder.`)
  mkdirSync(to, { recursive: true })
  const files = {
    Caddyfile: caddyfile(hosted),
    'garba.service': serviceUnit(),
    'garba-backup.service': backupUnit(),
    'garba-backup.timer': backupTimer(),
    'install.sh': installer(hosted),
    'README.txt': readme(hosted),
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(to, name), text)
  writeFileSync(join(to, 'garba.env'), settingsFile(hosted, settingsHere()), { mode: 0o600 })
  if (verify) verifyFiles(to)
  const bundled = bundle && isServersKind()
  if (bundled) addBundle(to)
  console.log(nextSteps({ ...hosted, to, bundle: bundled }))
})
