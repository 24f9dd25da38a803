import { expect, test } from 'vitest'
import { hasLinkSecret, pairingLinkFrom, readPairingCode, shownPairingCode, typedPart } from './pairingCode.ts'

const SECRET = 'ABCDEFGHJKMNPQRSTVWXYZ0123'

test.each([
  ['7K3M-Q9XT', '7K3MQ9XT'],
  ['7k3mq9xt', '7K3MQ9XT'],
  [' 7k3m q9xt ', '7K3MQ9XT'],
  ['oilO-0000', '01100000'],
  ['https://tickets.example.org/dashboard/qrchecker/pair#7K3MQ9XT', '7K3MQ9XT'],
  [`https://tickets.example.org/dashboard/qrchecker/pair#7K3MQ9XT${SECRET}`, `7K3MQ9XT${SECRET}`],
  [`7K3MQ9XT${SECRET.slice(1)}`, null],
  ['7K3M-Q9X', null],
  ['7K3M-Q9XTT', null],
  ['7K3M-Q9XU', null],
  ['https://tickets.example.org/dashboard/qrchecker/pair', null],
  ['', null],
])('%j is read as %j', (text, code) => {
  expect(readPairingCode(text)).toBe(code)
})

test('a new link reads back as itself, and its code as its typed part, however it is shown', () => {
  const links = Array.from({ length: 200 }, () => pairingLinkFrom(crypto.getRandomValues(new Uint8Array(34))))
  expect(links.map((link) => readPairingCode(link))).toEqual(links)
  expect(links.map((link) => readPairingCode(shownPairingCode(link)))).toEqual(links.map(typedPart))
  expect(links.map(hasLinkSecret)).not.toContain(false)
  expect(links.map((link) => hasLinkSecret(typedPart(link)))).not.toContain(true)
  expect(new Set(links).size).toBe(links.length)
  expect(() => pairingLinkFrom(new Uint8Array(33))).toThrow(RangeError)
})
