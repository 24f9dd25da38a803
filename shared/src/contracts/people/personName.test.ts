import { expect, test } from 'vitest'
import type { Call } from '../../calls/call.ts'
import { CALLS } from '../../calls/calls.ts'
import { NAME_RULE, nameSchema, optionalNameSchema } from '../common.ts'
import { doorSaleSchema } from '../phones/block.ts'
import { queuedScanSchema } from '../phones/scan.ts'
import * as z from '../zod.ts'
import { isCodeText, plainName } from './personName.ts'

test.each([
  ['  Radha   Patel ', 'Radha Patel'],
  ['Radha\r\nadmitted at Gate A', 'Radha admitted at Gate A'],
  ['Radha\u2028Patel\u0000\u0085', 'Radha Patel'],
  ['\u202eahdaR\u202c', 'ahdaR'],
  ['\n\t', ''],
  ['ક્ષમા', 'ક્ષમા'],
  ['श्री\u200dकृष्ण', 'श्री\u200dकृष्ण'],
  // The joiner keeps ક્ષ apart, and asks for the half form of ક.
  ['ક્\u200cષમા', 'ક્\u200cષમા'],
  ['रक्\u200dषा', 'रक्\u200dषा'],
  // Elsewhere nobody sees it: a second name that looks the same.
  ['Ra\u200bdha\u200d \u200cPatel\ufeff', 'Radha Patel'],
  ['ક્\u200c\u200cષમા\u200d', 'ક્ષમા'],
  ['Ra\u2066dha\u061c\u200e\u200f\u00ad\u2060', 'Radha'],
  ['Asha\u{e0041}\u{e0064}\u{e007f}\ufe0f\u{e0100}', 'Asha'],
  ['\u3164\u2800\u115f\u180e', ''],
  ['\ue000Mina\ud800', 'Mina'],
  ['Zoë O’Brien', 'Zoë O’Brien'],
])('%j is kept as %j', (given, kept) => {
  expect(plainName(given)).toBe(kept)
})

interface JsonSchema {
  type?: string
  enum?: unknown[]
  const?: unknown
  description?: string
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
}

/** Texts in fields that are called like a name, and whether they follow the rule. */
function namesIn(schema: JsonSchema, path: string): { path: string; follows: boolean }[] {
  const { properties = {}, items, anyOf = [], type, description } = schema
  const isText = type === 'string' && schema.enum === undefined && !('const' in schema)
  return [
    ...Object.entries(properties).flatMap(([key, one]) => namesIn(one, `${path}.${key}`)),
    ...(items ? namesIn(items, path) : []),
    ...anyOf.flatMap((one) => namesIn(one, path)),
    ...(isText && /(name|label|gates?)$/i.test(path) ? [{ path, follows: description === NAME_RULE }] : []),
  ]
}

/** The event's own name is a title, and a crash has no name of a person. */
const OTHER_NAMES = ['createEvent.name', 'updateEvent.name', 'logError.error.name']

test('every field of the API that holds a name of a person, a phone, a gate or a block follows one rule', () => {
  const schemas = Object.entries(CALLS).flatMap(([name, { query, body }]: [string, Call]) =>
    [query, body].flatMap((schema) => (schema ? [{ name, schema }] : [])),
  )
  const rows = [
    { name: 'markUsedBatch', schema: queuedScanSchema },
    { name: 'doorSales', schema: doorSaleSchema },
  ]
  const found = [...schemas, ...rows].flatMap(({ name, schema }) =>
    namesIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema, name),
  )
  const names = found.filter(({ path }) => !OTHER_NAMES.includes(path))
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter(({ follows }) => !follows)).toEqual([])
})

test('a ticket’s code is nobody’s name, not even the part of it that a field had room for', () => {
  const code = `GR1:${'0A$+/'.repeat(23)}ABC`
  for (const text of [code, code.slice(0, 60), code.toLowerCase(), `Asha ${code}`, `GG1:3${code.slice(4)}`]) {
    expect(isCodeText(text)).toBe(true)
    expect(nameSchema(200).safeParse(text).error?.issues[0]?.message).toBe('This is a ticket’s code, not a name')
    expect(optionalNameSchema(200).safeParse(text).success).toBe(false)
  }
  for (const name of ['Asha Patel', 'GR1: Gate', 'Gr 1', 'સ્વાતિ', 'Grishma:ABCDEFGHIJKLMNOPQRSTUVW'])
    expect(nameSchema(200).safeParse(name).success, name).toBe(true)
})
