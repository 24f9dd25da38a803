import { shortenTicketId } from '@garba/shared/messages/common'
import { expect, test } from 'vitest'
import { newId } from './sql.ts'

/** Without the rule, about 20 of so many codes look like a number. */
const DRAWN = 200_000

test('the code at the end of an id never looks like a number, and ids still sort by their time', () => {
  const ids = Array.from({ length: DRAWN }, (_, at) => newId(new Date(1_758_500_000_000 + at)))
  expect(ids.map(shortenTicketId).filter((code) => /^(\d+|\d+E\d+|\d[A-Z]{3}\d{4})$/.test(code))).toEqual([])
  expect(ids).toEqual(ids.toSorted())
})
