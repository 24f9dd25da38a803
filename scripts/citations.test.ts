import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesOf } from './lib/files.ts'
import { ROOT } from './setup.mjs'

const DOCUMENTS = { SPEC: 'spec', DECISIONS: 'decisions', ARCHITECTURE: 'architecture', LOOK: 'look' } as const
type Document = keyof typeof DOCUMENTS

const SOURCE = /\.(ts|tsx|mts|mjs|css)$/
const NUMBER = String.raw`\d+(?:\.\d+)*`
/** "SPEC 5", "SPEC 5 and 8", "DECISIONS 1, 3 and 5". Only "SPEC's ..." may have no section. */
const CITATION = new RegExp(
  String.raw`\b(${Object.keys(DOCUMENTS).join('|')})\b(?!'s)((?: sections?)? ${NUMBER}(?:(?:, | and )${NUMBER}\b)*)?`,
  'g',
)

interface Citation {
  place: string
  document: Document
  section: string | null
}

function citationsIn(path: string, text: string): Citation[] {
  return text.split('\n').flatMap((line, index) =>
    [...line.matchAll(CITATION)].flatMap(([, name, numbers]) => {
      const at = { place: `${path}:${index + 1}`, document: name as Document }
      const sections: (string | null)[] = numbers?.match(new RegExp(NUMBER, 'g')) ?? [null]
      return sections.map((section) => ({ ...at, section }))
    }),
  )
}

const sectionsOf = (document: Document): Set<string> => {
  const text = readFileSync(join(ROOT, 'shared', 'docs', `${DOCUMENTS[document]}.md`), 'utf8')
  return new Set([...text.matchAll(/^#{2,3} (\d+(?:\.\d+)*)\.? /gm)].map(([, number]) => number ?? ''))
}

test('every section that a comment cites exists', () => {
  const known = new Map((Object.keys(DOCUMENTS) as Document[]).map((name) => [name, sectionsOf(name)]))
  const citations = filesOf()
    .filter((path) => SOURCE.test(path) && !path.endsWith('citations.test.ts'))
    .flatMap((path) => citationsIn(path, readFileSync(join(ROOT, path), 'utf8')))
  expect(citations.length).toBeGreaterThan(200)
  const broken = citations.filter(({ document, section }) => section === null || !known.get(document)?.has(section))
  expect(broken).toEqual([])
})

test('citations are found in all their forms', () => {
  const found = citationsIn(
    'a.ts',
    "/** SPEC 5 and 8, DECISIONS 3.2; LOOK. SPEC sections 1, 2 and 9. SPEC's, a SPECIAL case. */",
  )
  expect(found.map(({ document, section }) => `${document} ${section}`)).toEqual([
    'SPEC 5',
    'SPEC 8',
    'DECISIONS 3.2',
    'LOOK null',
    'SPEC 1',
    'SPEC 2',
    'SPEC 9',
  ])
})
