import type { Role } from '../names.ts'

/** The site's addresses, which the spec fixes, and their sub-views. The server serves them, the client renders them. */
export const POLICY_PAGES = {
  privacy: '/privacy-policy',
  cancellation: '/cancellation-policy',
  refund: '/refund-policy',
  terms: '/terms-of-service',
} as const
export type Policy = keyof typeof POLICY_PAGES

export const DASHBOARD = '/dashboard'

export const HOMES = {
  guest: `${DASHBOARD}/guest`,
  admin: `${DASHBOARD}/admin`,
  manager: `${DASHBOARD}/manager`,
  qrchecker: `${DASHBOARD}/qrchecker`,
} as const satisfies Record<Role, string>

/** The views below each dashboard; a part that starts with a colon matches any single part. */
export const VIEWS = {
  guest: ['wallet', 'gate', 'gate/:ticketId', 'orders', 'orders/:code', 'sign-in'],
  admin: [
    'users',
    'tickets',
    'tickets/lost',
    'orders',
    'orders/sell',
    'orders/:code',
    'money',
    'money/statement',
    'money/payouts',
    'event',
    'event/codes',
    'analytics',
    'gate',
    'gate/register',
    'gate/evacuation',
    'devices',
    'audit',
    'mails',
  ],
  manager: ['users', 'analytics', 'gate', 'gate/register', 'gate/evacuation', 'money'],
  qrchecker: ['readiness', 'test-code', 'pair', 'evening', 'sell'],
} as const satisfies Record<Role, readonly string[]>
export type ViewOf<R extends Role> = (typeof VIEWS)[R][number]

export const ORDER_ADDRESS = '/orders/:code'
/** The page where a guest pays for an order. It is in the installed app's scope, so paying leads back into the app. */
export const orderPage = (code: string): string => `${HOMES.guest}/orders/${code}`

export const WALLET_PAGE = `${HOMES.guest}/wallet`

export const MAIL_LINK_PAGE = `${HOMES.guest}/sign-in`

/** The page that pairs a phone with the code after the #, which no server or proxy logs. */
export const PAIR_PAGE = `${HOMES.qrchecker}/pair`
export const pairAddress = (publicUrl: string, link: string): string => `${publicUrl}${PAIR_PAGE}#${link}`

const listViewPaths = (role: Role): string[] => VIEWS[role].map((view) => `${HOMES[role]}/${view}`)

const sitePages = (): string[] => [
  '/',
  ...Object.values(POLICY_PAGES),
  DASHBOARD,
  `${DASHBOARD}/:role`,
  ...(['guest', 'admin', 'manager'] as const).flatMap(listViewPaths),
  ORDER_ADDRESS,
]
/**
 * Every address of the site's shell; below /dashboard everyone is redirected to their own dashboard. Only the server
 * needs it, so it is marked as pure and left out of a visitor's page.
 */
export const SITE_PAGES: readonly string[] = /* @__PURE__ */ sitePages()
const scannerPages = (): string[] => [HOMES.qrchecker, ...listViewPaths('qrchecker')]
export const SCANNER_PAGES: readonly string[] = /* @__PURE__ */ scannerPages()

export const isPage = (pages: readonly string[], path: string): boolean => {
  const parts = (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path).split('/')
  return pages.some((page) => {
    const pattern = page.split('/')
    return (
      pattern.length === parts.length &&
      pattern.every((part, i) => (part.startsWith(':') ? parts[i] !== '' : part === parts[i]))
    )
  })
}

export const isBelowScanner = (path: string): boolean =>
  path === HOMES.qrchecker || path.startsWith(`${HOMES.qrchecker}/`)

export const PAGE_DATA_ID = 'page-data'
/**
 * The cookies that the server reads to render a page: the language, and whether this browser session has seen the
 * splash.
 */
export const PAGE_COOKIES = { language: 'garba.language', splash: 'garba.splash' } as const
