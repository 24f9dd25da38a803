import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesOf } from './lib/files.ts'
import { ROOT } from './setup.mjs'

const SOURCE = /\.(ts|tsx|mts|mjs|css)$/
const DECISIONS = join(ROOT, 'shared', 'docs', 'decisions')
/** A document of which a section is cited by number, even across the end of a comment's line. */
const NUMBERED = /\b(?:spec|decisions?|architecture|look)(?:\.md)?(?:'s)?(?:[\s*]+sections?)?[\s*]+\d/gi
const TOPIC = /\bdecisions\/(\w[\w-]*)/g

const sources = () =>
  filesOf()
    .filter((path) => SOURCE.test(path))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

test('no comment cites a section of a document by number', () => {
  const cited = sources().flatMap(({ path, text }) => [...text.matchAll(NUMBERED)].map(([found]) => ({ path, found })))
  expect(cited).toEqual([])
})

test('every topic of the decisions that a comment names exists', () => {
  const topics = sources().flatMap(({ text }) => [...text.matchAll(TOPIC)].map(([, topic]) => topic ?? ''))
  expect(topics.length).toBeGreaterThan(0)
  expect(topics.filter((topic) => !existsSync(join(DECISIONS, `${topic}.md`)))).toEqual([])
})
