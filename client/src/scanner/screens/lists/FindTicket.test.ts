import type { RosterEntry } from '@garba/shared/contracts/phones/scan'
import { ulidOf } from '@garba/shared/testing/ids'
import { expect, test } from 'vitest'
import { findTickets, listFindableTickets } from './FindTicket.tsx'

const entry = (n: number, name: string, status: RosterEntry['status'] = 'active'): RosterEntry => ({
  id: ulidOf(n),
  status,
  name,
  entryTime: null,
})
const list = listFindableTickets([
  entry(1, 'Zoë Desai', 'used'),
  entry(2, 'Zoe Desai'),
  entry(3, 'Meera Shah', 'deleted'),
  entry(4, 'કિરણ પટેલ'),
  entry(5, 'Ana de Souza', 'cancelled'),
])
const hits = (...[tickets, typed]: Parameters<typeof findTickets>) =>
  findTickets(tickets, typed).parties.flatMap(({ shown }) => shown)
const names = (typed: string) => hits(list, typed).map(({ name }) => name)

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
  const one = listFindableTickets([entry(1040, 'Oil Lamp'), entry(1041, 'Another')])
  const tail = id.slice(-8)
  expect(hits(one, tail.toLowerCase()).map((hit) => hit.id)).toEqual([id])
  // A scanned code becomes its ticket's whole number.
  expect(hits(one, id).map((hit) => hit.id)).toEqual([id])
  const misread = tail.replaceAll('0', 'O').replaceAll('1', 'l')
  expect(misread).not.toBe(tail)
  expect(hits(one, `${misread.slice(0, 4)} ${misread.slice(4)}`).map((hit) => hit.id)).toEqual([id])
})

test('twelve thousand names are searched within a frame or two, and a long answer says that it is cut', () => {
  const many = listFindableTickets(Array.from({ length: 12_000 }, (_, n) => entry(n, `Guest ${n} Patel`)))
  const found = findTickets(many, 'pa')
  expect(found.parties).toHaveLength(30)
  expect(found.more).toBe(true)
})

test('a ticket under another name is found by its buyer and its order’s code', () => {
  const party = listFindableTickets([
    { ...entry(1, 'K.K.Patel'), buyer: 'Mehul D’Souza', order: 'K7M2QX4T' },
    { ...entry(2, 'Asha (Mummy) Joshi'), order: 'ABCD2345' },
  ])
  const found = (typed: string) => hits(party, typed).map(({ name }) => name)
  expect(found('dsouza')).toEqual(['K.K.Patel'])
  expect(found('k7m2qx4t')).toEqual(['K.K.Patel'])
  expect(found('kk patel')).toEqual(['K.K.Patel'])
  expect(found('mummy')).toEqual(['Asha (Mummy) Joshi'])
})

test('an order’s tickets stand together, found or not, those that match first', () => {
  const [asha, kiran, pooja, other] = [
    { ...entry(1, 'Asha Shah'), order: 'K7M2QX4T', party: 'K7M2QX4T' },
    { ...entry(2, 'Kiran Shah', 'used'), order: 'K7M2QX4T', party: 'K7M2QX4T' },
    { ...entry(3, 'Pooja Mehta'), order: 'K7M2QX4T', party: 'K7M2QX4T' },
    entry(4, 'Pooja Rao'),
  ]
  const all = listFindableTickets([asha, kiran, pooja, other])
  expect(hits(all, 'pooja')).toEqual([pooja, asha, kiran, other])
  expect(hits(all, 'kiran')).toEqual([kiran, asha, pooja])
  // Who gives a ticket's number means that ticket; the others of its order are one tap away.
  const party = { entries: [pooja, asha, kiran], shown: [pooja] }
  expect(findTickets(all, ulidOf(3).slice(-8)).parties).toEqual([party])
  const crowd = Array.from({ length: 21 }, (_, n) => ({ ...entry(n, `Crew ${n}`), party: 'ABCD2345' }))
  expect(findTickets(listFindableTickets(crowd), 'crew 20').parties).toMatchObject([{ entries: [{ name: 'Crew 20' }] }])
  const paper = [1, 2].map((n) => ({ ...entry(n, 'Ravi'), party: 'ABCD2345', paper: `No. ${n}, Paldi` }))
  expect(findTickets(listFindableTickets(paper), 'ravi').parties).toHaveLength(2)
})

test.each(['9825012345', '919825012345', '09825012345', '12345'])(
  'a sale made here is found by %j, whose number is known',
  (typed) => {
    const sold = listFindableTickets([
      { ...entry(1, 'At the door'), phone: '+91 98250 12345' },
      entry(2, 'At the door'),
    ])
    expect(hits(sold, typed).map(({ id }) => id)).toEqual([ulidOf(1)])
  },
)

test('a paper ticket is found by the number printed on it, and by its block', () => {
  const paper = (n: number, block: string): RosterEntry => ({ ...entry(n, 'Ravi'), paper: `No. ${n}, ${block}` })
  const list = listFindableTickets([paper(1, 'Paldi'), paper(12, 'Paldi'), paper(120, 'Paldi'), entry(13, 'Nirav')])
  const found = (typed: string) => hits(list, typed).map(({ paper }) => paper)
  for (const typed of ['No. 12', 'no 12', 'No.12', 'no. ૧૨', 'paldi no 12'])
    expect(found(typed)).toEqual(['No. 12, Paldi'])
  expect(found('no 1')).toEqual(['No. 1, Paldi'])
  expect(found('12')).toEqual(['No. 12, Paldi', 'No. 120, Paldi'])
})
