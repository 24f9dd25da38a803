import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { nodeBinary, ROOT } from '../../setup.mjs'

test.each(['', '--all', 'client', './pictures', '--manifest more', '--animation more'])(
  'npm run screens -- %s takes nothing: the pictures belong outside the project',
  (line) => {
    const { status, stdout, stderr } = spawnSync(
      nodeBinary(),
      ['scripts/commands/develop/screens.ts', ...line.split(' ').filter(Boolean)],
      { cwd: ROOT, encoding: 'utf8', env: { ...process.env, INIT_CWD: ROOT } },
    )
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain('npm run screens -- FOLDER')
  },
)
