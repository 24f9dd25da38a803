import { describe, expect, test } from 'vitest'
import { NOT_THE_SITES, SCANNER_PAGES } from './scopes.ts'

const isTheSites = (address: string) => !NOT_THE_SITES.some((pattern) => pattern.test(address))

describe('the site worker answers the site alone', () => {
  test.each([
    '/',
    '/dashboard',
    '/dashboard/guest',
    '/dashboard/guest?view=tickets',
    '/dashboard/admin/users?search=a.b',
  ])('it opens %s with no network', (address) => expect(isTheSites(address)).toBe(true))
  test.each([
    '/api/event',
    '/dashboard/qrchecker',
    '/dashboard/qrchecker?from=menu',
    '/dashboard/qrchecker/check',
    '/identitytoolkit.googleapis.com/v1/accounts:lookup',
    '/securetoken.googleapis.com/v1/token?key=demo',
    '/healthz',
    '/healthz?now',
    '/sw-guest.js',
    '/guest.webmanifest?v=2',
  ])('it leaves %s alone', (address) => expect(isTheSites(address)).toBe(false))
})

test('the scanner worker takes its own pages and no neighbour whose name begins alike', () => {
  expect(SCANNER_PAGES.test('/dashboard/qrchecker')).toBe(true)
  expect(SCANNER_PAGES.test('/dashboard/qrchecker/check?x=1')).toBe(true)
  expect(SCANNER_PAGES.test('/dashboard/qrcheckers')).toBe(false)
  expect(SCANNER_PAGES.test('/dashboard/guest')).toBe(false)
})
