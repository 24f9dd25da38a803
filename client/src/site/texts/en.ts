import { FALLBACK_EVENT } from '@garba/shared/constants'
import { SCREENS, SIGN_IN, SUBTITLE } from '@garba/shared/messages/common'
import { formatCount } from '@garba/shared/messages/language'

/**
 * The texts of the first load: header, splash, hero and the screens around the pages. Texts that the spec gives are
 * exact.
 */
export const en = {
  header: {
    skipToContent: 'Skip to content',
    language: 'Language',
    loading: 'Loading...',
    signIn: 'Sign In with Google',
    signingIn: 'Signing in...',
    book: 'Book Tickets',
    menu: (name: string) => `Account menu of ${name}`,
    dashboard: 'Dashboard',
    myTickets: 'My Tickets',
    qrScanner: 'QR Scanner',
    manageUsers: 'Manage Users',
    signOut: 'Sign Out',
    signingOut: 'Signing out...',
    roles: { guest: 'Guest', admin: 'Admin', manager: 'Manager', qrchecker: 'QR Checker' },
  },
  splash: { skip: 'Skip intro' },
  hero: {
    subtitle: SUBTITLE,
    date: 'Date',
    time: 'Time',
    venue: 'Venue',
    price: 'Price',
    perTicket: 'per ticket',
    from: (rupees: string) => `from ${rupees}`,
    groupNote: 'Group Discounts Available',
    show: (n: number) => (n === 1 ? 'Show my ticket' : `Show my ${n} tickets`),
    atGate: 'Show at gate',
    bookMore: 'Book more',
    wait: 'Wait for Tickets',
    book: 'Book Your Tickets Now',
    soldOut: 'Sold Out!',
    few: (left: number) => (left === 1 ? 'Only 1 ticket left' : `Only ${left} tickets left`),
    tonight: (time: string) => `Tonight at ${time}`,
    today: (time: string) => `Today at ${time}`,
    running: 'The garba is on. Come and dance!',
    over: 'The event is over',
    thanks: 'Thank you for dancing with us. See you next Navratri!',
    myTickets: 'Open My Tickets',
    cancelledReturn: 'A cancelled ticket goes back on sale here.',
    sale: {
      ended: 'Online ticket sales have ended.',
      begin: (at: string) => `Ticket sales begin on ${at}.`,
      paused: 'Ticket sales are paused.',
    },
  },
  fallback: {
    date: FALLBACK_EVENT.dateLabel as string,
    time: FALLBACK_EVENT.timeLabel as string,
    venue: 'Venue to be announced',
    description:
      'An evening of garba and raas ahead of Navratri. Wear your colours, bring your dandiya, and circle the lamp with us until the last clap.',
  },
  shortDate: (day: string, month: string) => `${month} ${day}`,
  timeRange: (from: string, to: string) => `${from} - ${to}`,
  more: {
    failed: 'The rest of the page could not be loaded.',
    retry: 'Retry',
    loading: 'Loading the rest of the page',
  },
  demoNote: 'This is a demo: no payment is taken and no ticket is real.',
  testNote: 'Test payments: no real money is taken.',
  close: 'Close',
  signInFailure: SIGN_IN,
  screens: {
    loadingDashboard: SCREENS.loadingDashboard,
    redirecting: SCREENS.redirecting,
    crash: SCREENS.crash,
    invalidRole: SCREENS.invalidRole,
    notFound: {
      title: 'Page not found',
      detail: 'There is nothing at this address.',
      action: 'Go to Home',
    },
    orderElsewhere: {
      title: 'This order cannot be opened here',
      detail: 'Your role cannot view orders. Sign in with the account that placed it, or ask an administrator.',
      action: 'Go to Dashboard',
    },
    signInHere: { title: 'My Tickets', detail: 'Sign in to see your tickets.' },
    sessionLost: { title: 'Your session has ended', text: 'You were signed out. Please sign in again.' },
    unsentScans: {
      title: (n: number) =>
        n === 1 ? '1 scan on this phone is not sent yet' : `${formatCount(n)} scans on this phone are not sent yet`,
      text: 'Sent as soon as a checker signs in on this phone.',
    },
    update: { ready: 'A new version is ready.', action: 'Update now' },
  },
} as const
