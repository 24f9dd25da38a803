import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { command, UsageError } from './lib/say.ts'
import { nodeBinary, ROOT } from './setup.mjs'

const USAGE = `npm run screens -- FOLDER [WORDS]   every screen and state at four sizes, into a folder outside this one;
                                    with WORDS only those whose names match them
npm run screens -- --manifest       the pictures of README and web manifest, in manifest/screenshots
npm run screens -- --animation      README's silent animation of buying, showing and scanning: shared/docs/tour.webp`

/** What to take, or an error with the usage. */
function asked(args: readonly string[]): { env: Record<string, string>; words: readonly string[] } {
  const [folder, ...words] = args
  if ((folder === '--manifest' || folder === '--animation') && words.length === 0)
    return { env: { SCREENS: folder.slice(2) }, words }
  if (folder === undefined || folder.startsWith('-')) throw new UsageError(USAGE)
  const target = resolve(process.env.INIT_CWD ?? '.', folder)
  const fromHere = relative(ROOT, target)
  if (!fromHere.startsWith('..') && !isAbsolute(fromHere)) throw new UsageError(`${USAGE}\n\n${target} is inside.`)
  mkdirSync(target, { recursive: true })
  return { env: { SCREENS: target }, words }
}

await command(() => {
  const { env, words } = asked(process.argv.slice(2))
  const cli = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js')
  const grep = words.length === 0 ? [] : ['--grep', words.join(' ')]
  const { status } = spawnSync(nodeBinary(), [cli, 'test', '--config', 'client/screenshots.config.ts', ...grep], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('Some pictures could not be taken; see above.')
})
