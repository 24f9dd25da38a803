import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listRepoFiles } from './lib/files.ts'
import { ROOT } from './setup.mjs'

const SOURCE = /\.(ts|tsx|mts|mjs|css)$/
const DOCS = join(ROOT, 'shared', 'docs')
/** A document of which a section is cited by number, even across the end of a comment's line. */
const NUMBERED = /\b(?:spec|decisions?|architecture|look)(?:\.md)?(?:'s)?(?:[\s*]+sections?)?[\s*]+\d/gi
const TOPIC = /\bdecisions\/(\w[\w-]*)/g
/** The part of the specification that a function implements, by its heading: "(Spec: Roles.)". */
const PART = /\(Spec:([\w\s*]+)\.\)/g

const sources = () =>
  listRepoFiles()
    .filter((path) => SOURCE.test(path))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

test('no comment cites a section of a document by number', () => {
  const cited = sources().flatMap(({ path, text }) => [...text.matchAll(NUMBERED)].map(([found]) => ({ path, found })))
  expect(cited).toEqual([])
})

test('every topic of the decisions that a comment names exists', () => {
  const topics = sources().flatMap(({ text }) => [...text.matchAll(TOPIC)].map(([, topic]) => topic ?? ''))
  expect(topics.length).toBeGreaterThan(0)
  expect(topics.filter((topic) => !existsSync(join(DOCS, 'decisions', `${topic}.md`)))).toEqual([])
})

test('every part of the specification that a comment names has its heading', () => {
  const spec = readFileSync(join(DOCS, 'spec.md'), 'utf8')
  const headings = new Set([...spec.matchAll(/^#{2,3} [\d.]+ (.+)$/gm)].map(([, heading]) => heading))
  const parts = sources().flatMap(({ text }) =>
    [...text.matchAll(PART)].map(([, part = '']) => part.replace(/[\s*]+/g, ' ').trim()),
  )
  expect(parts.length).toBeGreaterThan(10)
  expect(parts.filter((part) => !headings.has(part))).toEqual([])
})
