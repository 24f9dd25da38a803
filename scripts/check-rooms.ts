import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesOf } from './lib/files.ts'
import { checkRooms, smallFiles, textsOfOneApp, wideFolders, wordsGivenUp } from './rooms/check.ts'
import { ROOT } from './setup.mjs'

const sources = filesOf()
  .filter((path) => /\.[cm]?[jt]sx?$/.test(path))
  .map((path) => ({ path, source: readFileSync(join(ROOT, path), 'utf8') }))
const violations = [
  ...checkRooms(sources),
  ...wideFolders(sources.map(({ path }) => path)),
  ...smallFiles(sources),
  ...textsOfOneApp(sources),
  ...wordsGivenUp(sources, readFileSync(join(ROOT, 'shared', 'docs', 'architecture.md'), 'utf8')),
]

for (const violation of violations) console.error(violation)
console.log(`${sources.length} files, ${violations.length} violations of the rooms`)
process.exitCode = violations.length === 0 ? 0 : 1
