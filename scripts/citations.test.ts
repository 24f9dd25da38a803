import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesOf } from './lib/files.ts'
import { ROOT } from './setup.mjs'

const SOURCE = /\.(ts|tsx|mts|mjs|css)$/
const DOCS = join(ROOT, 'shared', 'docs')
const NUMBER = String.raw`\d+(?:\.\d+)*`
/** "SPEC 5", "SPEC 5 and 8", "SPEC sections 1, 2 and 9". Only "SPEC's ..." may have no section. */
const SPEC = new RegExp(String.raw`\bSPEC\b(?!'s)((?: sections?)? ${NUMBER}(?:(?:, | and )${NUMBER}\b)*)?`, 'g')
/** Documents whose sections are not cited by number: a comment gives the reason itself, or names a topic. */
const NUMBERED = /\b(DECISIONS?|ARCHITECTURE|LOOK) \d/
const TOPIC = /\bdecisions\/(\w[\w-]*)/g

const sources = () =>
  filesOf()
    .filter((path) => SOURCE.test(path) && !path.endsWith('citations.test.ts'))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

/** The cited sections of spec.md; null stands for a citation without one. */
const sectionsIn = (text: string): (string | null)[] =>
  [...text.matchAll(SPEC)].flatMap(
    ([, numbers]): (string | null)[] => numbers?.match(new RegExp(NUMBER, 'g')) ?? [null],
  )

test('every section of spec.md that a comment cites exists', () => {
  const spec = readFileSync(join(DOCS, 'spec.md'), 'utf8')
  const known = new Set([...spec.matchAll(/^#{2,3} (\d+(?:\.\d+)*)\.? /gm)].map(([, number]) => number))
  const cited = sources().flatMap(({ path, text }) => sectionsIn(text).map((section) => ({ path, section })))
  expect(cited.length).toBeGreaterThan(100)
  expect(cited.filter(({ section }) => section === null || !known.has(section))).toEqual([])
})

test('no comment cites a decision by number, and every topic that one names exists', () => {
  expect(sources().filter(({ text }) => NUMBERED.test(text))).toEqual([])
  const topics = sources().flatMap(({ text }) => [...text.matchAll(TOPIC)].map(([, topic]) => topic ?? ''))
  expect(topics.filter((topic) => !existsSync(join(DOCS, 'decisions', `${topic}.md`)))).toEqual([])
})

test('citations are found in all their forms', () => {
  expect(sectionsIn("/** SPEC 5 and 8, SPEC 3.2; SPEC. SPEC sections 1, 2 and 9. SPEC's, a SPECIAL case. */")).toEqual([
    ...['5', '8', '3.2', null, '1', '2', '9'],
  ])
})
