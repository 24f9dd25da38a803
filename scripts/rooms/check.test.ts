import { describe, expect, test } from 'vitest'
import { checkRooms, MAX_LINES, roomOf, smallFiles, textsOfOneApp, wideFolders, wordsGivenUp } from './check.ts'

const violationsOf = (path: string, source: string) => checkRooms([{ path, source }])

describe('denied', () => {
  test.each([
    ['shared may not use a package other than zod', 'shared/src/rules/qr.ts', "import { ulid } from 'ulid'"],
    ['shared may not use Node', 'shared/src/contracts/a.ts', "import { join } from 'node:path'"],
    ['shared may not reach the server', 'shared/src/rules/qr.ts', "import '../../../server/src/flows/admit.ts'"],
    ['words may not reach contracts', 'shared/src/messages/a.ts', "import type { T } from '../contracts/ticket.ts'"],
    ['messages may not reach rules', 'shared/src/messages/a.ts', "import { a } from '../rules/a.ts'"],
    ['contracts may not reach rules', 'shared/src/contracts/a.ts', "import { a } from '../rules/a.ts'"],
    ['rules may not reach the calls', 'shared/src/rules/a.ts', "import { CALLS } from '../calls/calls.ts'"],
    ['http may not reach store', 'server/src/http/a.ts', "import { tickets } from '../store/tickets.ts'"],
    ['http may not reach store by type', 'server/src/http/a.ts', "import type { Db } from '../store/db.ts'"],
    ['http may not reach store by re-export', 'server/src/http/a.ts', "export { tickets } from '../store/tickets.ts'"],
    [
      'http may not reach store by a dynamic import',
      'server/src/http/a.ts',
      "const s = await import('../store/db.ts')",
    ],
    ['http may not reach store by an import type', 'server/src/http/a.ts', "type D = import('../store/db.ts').Db"],
    ['store may not reach flows', 'server/src/store/a.ts', "import { admit } from '../flows/admit.ts'"],
    ['flows may not reach http', 'server/src/flows/a.ts', "import { app } from '../http/app.ts'"],
    ['flows may not write SQL', 'server/src/flows/a.ts', "import { sql } from 'drizzle-orm'"],
    ['only store opens the database', 'server/src/app.ts', "import Database from 'better-sqlite3'"],
    ['only store opens the database, even with require', 'server/src/app.ts', "require('better-sqlite3')"],
    [
      'the client may not reach the server',
      'client/src/desk/a.ts',
      "import type { A } from '../../../server/src/app.ts'",
    ],
    ['the server may not reach the client', 'server/src/http/a.ts', "import '../../../client/src/kit/Button.tsx'"],
    ['guest may not reach desk', 'client/src/guest/a.ts', "import { a } from '../desk/a.ts'"],
    ['desk may not reach scanner', 'client/src/desk/a.ts', "import { a } from '../scanner/a.ts'"],
    ['scanner may not reach guest', 'client/src/scanner/a.tsx', "const A = lazy(() => import('../guest/A.tsx'))"],
    ['scanner may not reach site', 'client/src/scanner/a.ts', "import { a } from '../site/a.ts'"],
    ['scan may not reach screens', 'client/src/scanner/scan/a.ts', "import { a } from '../screens/a.ts'"],
    ['checks may not reach screens', 'client/src/scanner/checks/a.ts', "import { a } from '../screens/a.ts'"],
    ['sync may not reach scan', 'client/src/scanner/sync/a.ts', "import type { A } from '../scan/a.ts'"],
    [
      'the scanner store may not reach the camera',
      'client/src/scanner/store/a.ts',
      "import { a } from '../camera/a.ts'",
    ],
    ['the scanner core may not reach other scanner rooms', 'client/src/scanner/core/a.ts', "import '../store/a.ts'"],
    ['the scanner has no other rooms', 'client/src/scanner/gate/a.ts', 'export const a = 1'],
    ['guest may not reach site', 'client/src/guest/a.ts', "import { a } from '../site/a.ts'"],
    ['kit may not reach platform', 'client/src/kit/a.ts', "import { call } from '../platform/http.ts'"],
    ['platform may not reach kit', 'client/src/platform/a.ts', "import '../kit/tokens.css'"],
    ['kit knows nothing of tickets', 'client/src/kit/a.ts', "import type { T } from '@garba/shared/contracts/ticket'"],
    ['the scanner may not import charts', 'client/src/scanner/a.ts', "import { Line } from 'recharts'"],
    ['only platform uses HTTP', 'client/src/guest/a.ts', "import ky from 'ky'"],
    [
      'a browser test starts the server but does not import the app',
      'client/e2e/a.ts',
      "import '../../server/src/app.ts'",
    ],
    ['a package that is not listed', 'client/src/site/a.ts', "import _ from 'lodash'"],
    ['a file in no room', 'client/src/helpers/a.ts', 'export const a = 1'],
    ['a target in no room', 'client/src/site/a.ts', "import { a } from '../helpers/a.ts'"],
  ])('%s', (_rule, path, source) => {
    expect(violationsOf(path, source)).toHaveLength(1)
  })

  test.each([
    'Date.now()',
    'new Date()',
    'Date()',
    'globalThis.Date.now()',
    'Math.random()',
    'performance.now()',
    "fetch('/x')",
    "globalThis.fetch('/x')",
    'setTimeout(f, 1)',
  ])('a rule that uses %s', (expression) => {
    expect(violationsOf('shared/src/rules/a.ts', `export const a = () => ${expression}`)).toEqual([
      expect.stringMatching(/^shared\/src\/rules\/a\.ts:1 rules takes it as an argument/),
    ])
  })

  test.each(['http', 'store', 'identity'])('a transaction opened in %s', (room) => {
    const source = '\nexport const f = (store: S) => store.write(async () => 1)'
    expect(violationsOf(`server/src/${room}/a.ts`, source)).toEqual([
      `server/src/${room}/a.ts:2 only flows open transactions`,
    ])
  })

  test('a file that is too long', () => {
    const source = 'export {}\n'.repeat(MAX_LINES + 1)
    expect(violationsOf('server/src/http/a.ts', source)).toHaveLength(1)
  })
})

describe('allowed', () => {
  test.each([
    ['shared/src/rules/qr.ts', "import * as z from 'zod'\nimport { A } from '../contracts/a.ts'"],
    ['shared/src/messages/a.ts', "import type { Code } from '../contracts/codes.ts'"],
    ['shared/src/calls/calls.ts', "import { a } from '../rules/a.ts'\nimport { b } from '../contracts/ticket.ts'"],
    ['shared/src/rules/a.ts', 'export const day = (ms: number) => new Date(ms)'],
    ['shared/src/rules/a.ts', "// Date.now() is not for rules\nexport const text = 'fetch()'"],
    ['server/src/main.ts', "import { createApp } from './app.ts'\nimport { open } from './store/db.ts'"],
    ['server/src/http/a.ts', "import { admit } from '../flows/admit.ts'"],
    [
      'server/src/flows/a.ts',
      "import { t } from '../store/tickets.ts'\nexport const f = ({ store }: D) => store.write(t)",
    ],
    ['server/src/store/a.ts', "import Database from 'better-sqlite3'\nimport { sql } from 'drizzle-orm'"],
    ['server/src/http/a.test.ts', "import { test } from 'vitest'\nimport { open } from '../store/db.ts'"],
    ['client/src/site/a.tsx', "const A = lazy(() => import('../guest/A.tsx'))\nexport const b = <A />"],
    [
      'client/src/scanner/scan/a.ts',
      "import w from '../../platform/w.ts?worker'\nimport { judge } from '@garba/shared/rules/a'",
    ],
    ['client/src/platform/a.ts', "export const f = (idb: D) => idb.transaction('outbox')"],
    ['client/e2e/a.spec.ts', "import { test } from './support/fixtures.ts'\nimport Database from 'better-sqlite3'"],
  ])('%s', (path, source) => {
    expect(violationsOf(path, source)).toEqual([])
  })

  test('a file of maximum length', () => {
    expect(violationsOf('server/src/http/a.ts', 'export {}\n'.repeat(MAX_LINES))).toEqual([])
  })
})

test('tests are in a different room from the files next to them', () => {
  expect(roomOf('shared/src/rules/qr.test.ts')).toBe('sharedTests')
  expect(roomOf('shared/src/rules/qr.ts')).toBe('rules')
  expect(roomOf('shared/src/calls/calls.ts')).toBe('calls')
  expect(roomOf('server/src/config.ts')).toBe('ground')
  expect(roomOf('server/src/config.test.ts')).toBe('serverTests')
})

test('a folder with more than fourteen production files is too wide; tests beside them do not count', () => {
  const files = (count: number, end: string) => Array.from({ length: count }, (_, at) => `server/src/http/a${at}${end}`)
  expect(wideFolders([...files(14, '.ts'), ...files(14, '.test.ts')])).toEqual([])
  expect(wideFolders(files(15, '.ts'))).toEqual(['server/src/http has 15 files; it may have 14'])
})

describe('a small file that one other file imports', () => {
  const small = { path: 'server/src/flows/money/a.ts', source: 'export const a = 1\n' }
  const user = (path: string, source = "import { a } from './a.ts'\n") => ({ path, source })
  const into = 'server/src/flows/money/a.ts:1 has 1 lines and one importer; move it into server/src/flows/money/b.ts'

  test('belongs into it', () => {
    expect(smallFiles([small, user('server/src/flows/money/b.ts')])).toEqual([into])
  })

  test.each([
    ['with a test of its own', [user('server/src/flows/money/b.ts'), user('server/src/flows/money/a.test.ts')]],
    ['loaded lazily', [user('server/src/flows/money/b.ts', "export const load = () => import('./a.ts')\n")]],
    ['of another room', [user('server/src/http/b.ts', "import { a } from '../flows/money/a.ts'\n")]],
    [
      'whose importer has no room left',
      [user('server/src/flows/money/b.ts', `import { a } from './a.ts'\n${'export {}\n'.repeat(MAX_LINES - 1)}`)],
    ],
  ])('stays by itself if it is one %s', (_name, users) => {
    expect(smallFiles([small, ...users])).toEqual([])
  })
})

test('texts that one app uses live in that app; those of two apps or the server are shared', () => {
  const texts = { path: 'shared/src/messages/seats.ts', source: 'export const SEATS = {}\n' }
  const user = (path: string) => ({ path, source: "import { SEATS } from '@garba/shared/messages/seats'\n" })
  const [desk, guest] = [user('client/src/desk/a.ts'), user('client/src/guest/a.ts')]
  expect(textsOfOneApp([texts, desk])).toEqual([`${texts.path}:1 is used by client/src/desk alone; move it there`])
  expect(textsOfOneApp([texts, desk, guest])).toEqual([])
  expect(textsOfOneApp([texts, user('server/src/flows/a.ts')])).toEqual([])
})

test('a type or function may not have a name that the glossary gave up', () => {
  const file = (source: string) => [{ path: 'server/src/flows/a.ts', source }]
  const glossary = 'Names given up: `Asked`, `turn`.\n'
  const problem = (line: number, word: string) => `server/src/flows/a.ts:${line} the glossary gave up the name ${word}`
  expect(wordsGivenUp(file('interface Asked {}\nconst turn = () => 1\n'), glossary)).toEqual([
    problem(1, 'Asked'),
    problem(2, 'turn'),
  ])
  expect(wordsGivenUp(file('/** Asked once, in turn. */\nexport const turns = 1\n'), glossary)).toEqual([])
  expect(() => wordsGivenUp([], 'no list')).toThrow('The glossary lists no names')
})
