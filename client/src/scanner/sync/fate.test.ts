import { CODES, STATUS_OF } from '@garba/shared/contracts/codes'
import { describe, expect, test } from 'vitest'
import { decideFate, fateOfRequest } from './fate.ts'

const refused = (status: number, code: Parameters<typeof decideFate>[0]['code'] = 'UNKNOWN') => ({
  status,
  code,
  success: false,
})

describe('one scan', () => {
  test('any final answer ends it: admitted, conflict, used, cancelled, undone', () => {
    expect(decideFate({ status: 200, code: null, success: true })).toBe('done')
    expect(decideFate(refused(409, 'ALREADY_USED'))).toBe('done')
    expect(decideFate(refused(409, 'TICKET_CANCELLED'))).toBe('done')
    expect(decideFate(refused(409, 'SCAN_UNDONE'))).toBe('done')
  })

  test('a ticket chosen by hand that nobody knows is set aside with its reason', () => {
    expect(decideFate(refused(404, 'TICKET_NOT_FOUND'))).toBe('park')
  })

  test.each([0, 408, 425, 429, 500, 502, 503, 504])('status %d is tried again', (status) => {
    expect(decideFate(refused(status))).toBe('retry')
  })

  test('401 waits for a sign-in', () => {
    expect(decideFate(refused(401, 'UNAUTHENTICATED'))).toBe('signIn')
  })

  test('a code that the server cannot verify is set aside where the checker sees it, and is not resent forever', () => {
    for (const code of [
      'QR_FORGED',
      'QR_MALFORMED',
      'QR_OTHER_EVENT',
      'VALIDATION_FAILED',
      'FORBIDDEN',
      'SCAN_ID_REUSED',
      'SCAN_NOT_RECORDED',
    ] as const)
      expect(decideFate(refused(STATUS_OF[code], code))).toBe('park')
    expect(decideFate(refused(418))).toBe('park')
  })

  test('every code of the API has a fate, and none of a failing server loses a scan', () => {
    for (const code of CODES) {
      const fate = decideFate(refused(STATUS_OF[code], code))
      if (STATUS_OF[code] >= 500) expect(fate).toBe('retry')
      else expect(['done', 'retry', 'signIn', 'park']).toContain(fate)
    }
  })
})

describe('a whole request', () => {
  test('a demoted checker stops the sending, not the scans: they wait for the next sign-in', () => {
    expect(fateOfRequest({ ...refused(403, 'FORBIDDEN'), rows: 200 })).toBe('signIn')
  })

  test('what may be the fault of one row is tried row by row, then that row is set aside', () => {
    expect(fateOfRequest({ ...refused(400, 'VALIDATION_FAILED'), rows: 200 })).toBe('split')
    expect(fateOfRequest({ ...refused(413, 'PAYLOAD_TOO_LARGE'), rows: 2 })).toBe('split')
    expect(fateOfRequest({ ...refused(400, 'VALIDATION_FAILED'), rows: 1 })).toBe('park')
  })

  test('an address that is not there is an unfinished server, not a lost scan', () => {
    expect(fateOfRequest({ ...refused(404, 'NOT_FOUND'), rows: 1 })).toBe('retry')
  })
})
