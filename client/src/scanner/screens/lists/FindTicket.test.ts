import type { RosterEntry } from '@garba/shared/contracts/phones/scan'
import { ulidOf } from '@garba/shared/testing/ids'
import { expect, test } from 'vitest'
import { findableOf, findTickets } from './FindTicket.tsx'

const entry = (n: number, name: string, status: RosterEntry['status'] = 'active'): RosterEntry => ({
  id: ulidOf(n),
  status,
  name,
  entryTime: null,
})
const list = findableOf([
  entry(1, 'Zoë Desai', 'used'),
  entry(2, 'Zoe Desai'),
  entry(3, 'Meera Shah', 'deleted'),
  entry(4, 'કિરણ પટેલ'),
  entry(5, 'Ana de Souza', 'cancelled'),
])
const names = (typed: string) => findTickets(list, typed).entries.map(({ name }) => name)

test('a name is found from two letters on, accents and case ignored, those who may enter first', () => {
  expect(names('z')).toEqual([])
  expect(names('ZO')).toEqual(['Zoe Desai', 'Zoë Desai'])
  expect(names('des zo')).toEqual(['Zoe Desai', 'Zoë Desai'])
  expect(names('de')).toEqual(['Zoe Desai', 'Zoë Desai', 'Ana de Souza'])
})

test('letters inside a word do not make a hit', () => {
  expect(names('esai')).toEqual([])
})

test('Gujarati names keep their vowels', () => {
  expect(names('કિ')).toEqual(['કિરણ પટેલ'])
  expect(names('કા')).toEqual([])
})

test('a deleted ticket is not offered', () => {
  expect(names('meera')).toEqual([])
})

test('the last eight characters find one ticket, also with the letters people misread', () => {
  const id = ulidOf(1040)
  const one = findableOf([entry(1040, 'Oil Lamp'), entry(1041, 'Another')])
  const tail = id.slice(-8)
  expect(findTickets(one, tail.toLowerCase()).entries.map((hit) => hit.id)).toEqual([id])
  const misread = tail.replaceAll('0', 'O').replaceAll('1', 'l')
  expect(misread).not.toBe(tail)
  expect(findTickets(one, `${misread.slice(0, 4)} ${misread.slice(4)}`).entries.map((hit) => hit.id)).toEqual([id])
})

test('twelve thousand names are searched within a frame or two, and a long answer says that it is cut', () => {
  const many = findableOf(Array.from({ length: 12_000 }, (_, n) => entry(n, `Guest ${n} Patel`)))
  const found = findTickets(many, 'pa')
  expect(found.entries).toHaveLength(30)
  expect(found.more).toBe(true)
})
