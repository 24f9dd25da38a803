import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { type CommandArguments, runCommand, UsageError } from '../../lib/say.ts'
import { nodeBinary, ROOT } from '../../setup.mjs'

/** Returns which pictures to take. Throws UsageError. */
function requested({ words: [folder, ...words], has }: CommandArguments): {
  env: Record<string, string>
  words: readonly string[]
} {
  const [other] = ['manifest', 'animation'].filter(has)
  if (other !== undefined && folder === undefined) return { env: { SCREENS: other }, words }
  if (folder === undefined || other !== undefined) throw new UsageError()
  const target = resolve(process.env.INIT_CWD ?? '.', folder)
  const fromHere = relative(ROOT, target)
  if (!fromHere.startsWith('..') && !isAbsolute(fromHere)) throw new UsageError(`${target} is inside.`)
  mkdirSync(target, { recursive: true })
  return { env: { SCREENS: target }, words }
}

await runCommand('screens', (asked) => {
  const { env, words } = requested(asked)
  const cli = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js')
  const grep = words.length === 0 ? [] : ['--grep', words.join(' ')]
  const { status } = spawnSync(nodeBinary(), [cli, 'test', '--config', 'client/screenshots.config.ts', ...grep], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('Some pictures could not be taken; see above.')
})
