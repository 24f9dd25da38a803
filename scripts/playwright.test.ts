import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeBinary, ROOT } from './setup.mjs'

const CLI = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js')

/** The number of tests that a configuration finds. */
function testsIn(config: string, env: Readonly<Record<string, string>> = {}): number {
  const { stdout } = spawnSync(nodeBinary(), [CLI, 'test', '--list', '--config', config], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  return Number(/^Total: (\d+) tests? in /m.exec(stdout)?.[1] ?? 0)
}

// `npm test` itself runs client/playwright.config.ts.
test.each([
  ['client/engines.config.ts', {}],
  ['client/screenshots.config.ts', { SCREENS: '/elsewhere' }],
])('%s finds tests', (config, env) => {
  expect(testsIn(config, env)).toBeGreaterThan(0)
})
