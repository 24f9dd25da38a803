import { expect, test } from 'vitest'
import { pairingCodeFrom, readPairingCode, shownPairingCode } from './pairing.ts'

test.each([
  ['7K3M-Q9XT', '7K3MQ9XT'],
  ['7k3mq9xt', '7K3MQ9XT'],
  [' 7k3m q9xt ', '7K3MQ9XT'],
  ['oilO-0000', '01100000'],
  ['https://tickets.example.org/dashboard/qrchecker/pair#7K3MQ9XT', '7K3MQ9XT'],
  ['7K3M-Q9X', null],
  ['7K3M-Q9XTT', null],
  ['7K3M-Q9XU', null],
  ['https://tickets.example.org/dashboard/qrchecker/pair', null],
  ['', null],
])('%j is read as %j', (text, code) => {
  expect(readPairingCode(text)).toBe(code)
})

test('a new code reads back as itself, however it is shown', () => {
  const codes = Array.from({ length: 200 }, () => pairingCodeFrom(crypto.getRandomValues(new Uint8Array(8))))
  expect(codes.map((code) => readPairingCode(shownPairingCode(code)))).toEqual(codes)
  expect(new Set(codes).size).toBe(codes.length)
  expect(() => pairingCodeFrom(new Uint8Array(7))).toThrow(RangeError)
})
