import { beforeEach, expect, test, vi } from 'vitest'
import { useConfig } from '../../platform/config.ts'
import { codeInQr } from './pairing.ts'

const PAIR = '/dashboard/qrchecker/pair#7K3MQ9XT'

beforeEach(() => {
  vi.stubGlobal('location', { origin: 'http://192.168.1.5:8080' })
  useConfig.setState({ config: { publicUrl: 'https://garba.example' } as never })
})

test.each([
  ['https://garba.example', 'code'],
  ['http://192.168.1.5:8080', 'code'],
  ['https://garba.example.evil.test', 'other'],
])('an address of %s is %s', (origin, type) => {
  expect(codeInQr(`${origin}${PAIR}`)).toMatchObject({ type })
})

test('a ticket, a bare code and another page of ours are no pairing code', () => {
  expect(codeInQr('GR1:ABC')).toEqual({ type: 'ticket' })
  expect(codeInQr('7K3MQ9XT')).toEqual({ type: 'other' })
  expect(codeInQr('https://garba.example/dashboard/qrchecker#7K3MQ9XT')).toEqual({ type: 'other' })
  expect(codeInQr('https://garba.example/dashboard/qrchecker/pair')).toEqual({ type: 'other' })
})
