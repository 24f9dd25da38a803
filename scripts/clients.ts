import { CONFIG, checkOut, type Earlier, leftOutOf, revisionOf } from './checks/earlier.ts'
import { runStep, summary } from './checks/report.ts'
import { playwright, type Step } from './checks/steps.ts'
import { passedOnce } from './checks/tally.ts'
import { ensureChromium } from './lib/chromium.ts'
import { sourceVersion } from './lib/files.ts'
import { command } from './lib/say.ts'
import { ROOT } from './setup.mjs'

const UPGRADE = 'upgrade'
/** Playwright takes a pattern, in which a dot stands for any character of the title. */
const inPattern = (text: string) => text.replaceAll(/[^\w ]/g, '.').replace(' ', '.*')

/** The browser tests of the version, without those that a later decision has made invalid. */
const itsOwnTests = (earlier: Earlier, files: readonly string[]): Step => ({
  names: [],
  title: `Browser tests of ${earlier.name} against this server`,
  run: () => {
    const leftOut = leftOutOf(ROOT, earlier)
    for (const { file, title, why } of leftOut) console.log(`Left out: ${file}, "${title}": ${why}`)
    const pattern = leftOut.map(({ file, title }) => inPattern(`${file} ${title}`)).join('|')
    return playwright({
      root: earlier.folder,
      args: [...['--config', CONFIG], ...(leftOut.length > 0 ? ['--grep-invert', pattern] : []), ...files],
      env: { GARBA_EARLIER: earlier.folder },
    })
  },
})

const upgrading = (earlier: Earlier): Step => ({
  names: [UPGRADE],
  title: `From ${earlier.name} to this version, while in use`,
  run: async () => {
    if (sourceVersion(earlier.folder) === sourceVersion()) {
      console.log(`${earlier.name} has the apps of this version, so there is nothing to change to.`)
      return { passed: 0, failed: 0, skipped: 1, failures: [] }
    }
    const args = ['--config', 'client/engines.config.ts', '--project', UPGRADE]
    return playwright({ args, env: { GARBA_EARLIER: earlier.folder } })
  },
})

await command('clients', async ({ words: names, text }) => {
  const prepared: Earlier[] = []
  const preparing: Step = {
    names: [],
    title: 'Earlier clients',
    run: async () => {
      const revision = revisionOf(ROOT, text('from'))
      console.log(`The clients of ${revision.name} (commit ${revision.commit.slice(0, 7)})`)
      await ensureChromium()
      prepared.push(await checkOut(revision))
      return passedOnce
    },
  }
  const options = { names, trace: false }
  const done = [await runStep(preparing, options)]
  for (const earlier of prepared) {
    const files = names.filter((name) => name !== UPGRADE)
    if (names.length === 0 || files.length > 0) done.push(await runStep(itsOwnTests(earlier, files), options))
    if (names.length === 0 || names.includes(UPGRADE)) done.push(await runStep(upgrading(earlier), options))
  }
  summary(done)
})
