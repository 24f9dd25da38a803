/** The spec's constants and our own limits. Durations are milliseconds unless the name says otherwise. */

export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

export const DEFAULT_EVENT_TITLE = 'Garba Rass 2025'
export const DEFAULT_TIMEZONE = 'Asia/Kolkata'
export const DEMO_PROJECT_ID = 'demo-garba'
/**
 * The accounts of the demo's sign-in chooser, with ids that never change, seeded into the emulator and the database.
 */
export const DEMO_ACCOUNTS = {
  admin: { uid: 'demo-admin', email: 'admin@garba.test', name: 'Asha Admin', role: 'admin' },
  manager: { uid: 'demo-manager', email: 'manager@garba.test', name: 'Manav Manager', role: 'manager' },
  checker: { uid: 'demo-checker', email: 'checker@garba.test', name: 'Chetan Checker', role: 'qrchecker' },
  guest: { uid: 'demo-guest', email: 'guest@garba.test', name: 'Garima Guest', role: 'guest' },
} as const
export type DemoRole = keyof typeof DEMO_ACCOUNTS

export const GROUP_TIER_FROM = 4
export const DEFAULT_MAX_PER_ORDER = 100
export const PAPER_BLOCK_MAX = 500
export const DEVICE_BLOCK_MAX = 100
export const DEVICE_CODES_MAX = 200
/**
 * The codes that a phone may draw in an evening. The limit counts returned codes, because they may have been copied.
 */
export const DEVICE_DRAWN_MAX = 1_000
export const DEVICE_DRAWN_MS = DAY_MS
export const DOOR_SALE_MAX = 50
export const CANCELLATION_CUTOFF_DAYS = 10
export const REASON_MAX = 500
/** The longest number on a card's slip, in characters. */
export const REFERENCE_MAX = 40
export const NEWS_MAX = 1_000
/** A changed state of the event leaves after this time, and can be taken back until then. */
export const UNDO_STATE_MS = 10 * MINUTE_MS
export const HOLD_MINUTES = 15
/** A provider's link lives this much longer than the hold. */
export const LINK_GRACE_MS = 120_000
/** How long the desk may take to find a UPI payment in the bank statement. */
export const UPI_CONFIRM_MS = DAY_MS
/** The unpaid seats that one buyer, phone or seller may hold, and the default of MAX_PER_PERSON where money is on. */
export const UNPAID_SEATS_PER_PERSON = 20
/** The tickets that a phone may sell without cash until somebody at the desk has looked at them. */
export const UNPROVEN_TICKETS_MAX = 200
export const UTR_CLAIMS_MAX = 5
export const DEDUCTION_GATEWAY_RUPEES = 25
export const DEDUCTION_PLATFORM_RUPEES = 15

export const IMAGE_MAX_BYTES = 5_242_880
export const IMAGE_TYPES = ['image/jpeg', 'image/jpg', 'image/png', 'image/gif', 'image/webp'] as const

/** Our own upper limits for an event: characters, items, rupees, tickets, and years from today. */
export const EVENT_LIMITS = {
  name: 120,
  venue: 200,
  description: 5_000,
  feature: 80,
  paused: 300,
  features: 50,
  price: 1_000_000,
  totalTickets: 1_000_000,
  capacity: 1_000_000,
  yearsAhead: 5,
} as const

/** Our own upper limits for ticket types and codes: characters, rupees, tickets, items. */
export const TYPE_LIMITS = {
  types: 20,
  phases: 10,
  name: 40,
  note: 200,
  price: EVENT_LIMITS.price,
  seats: EVENT_LIMITS.totalTickets,
  admits: 4,
  code: 40,
} as const
/** The least that a code leaves of the price of a ticket. */
export const LEAST_PRICE_PAISE = 100

export const REMINDER_BEFORE_MS = DAY_MS

export const OFFER_MS = 30 * MINUTE_MS

/** Lines of a guest list that are imported in one write. */
export const GUEST_LIST_MAX = 500

export const NAME_MAX = 80
export const HOLDER_NAME_MAX = 60
export const FIRST_NAME_MAX = 40
export const UNNAMED_USER = 'Guest'
export const PHOTO_URL_MAX = 2_048

export const PAGE_SIZE = 20
export const PAGE_SIZE_MAX = 100
export const PAGE_MAX = 1_000_000
export const SEARCH_MAX = 200
export const BULK_UPDATE_MAX = 1_000
export const MANAGER_USER_LIST = 50
export const TICKET_ID_SHOWN = 8
export const ANALYTICS_DAYS_SHOWN = 7

export const SCAN_HISTORY_MAX = 50
export const SCAN_INTERVAL_MS = 500
export const SCAN_DUPLICATE_GUARD_MS = 1_000
export const SCAN_PAUSE_MS = 2_000
export const CAMERA_INIT_TIMEOUT_MS = 10_000
export const SCANNER_INIT_TIMEOUT_MS = 8_000
/** A device waits this long for the server, then decides by itself. */
export const SERVER_PATIENCE_MS = 1_500
export const SCAN_BATCH_MAX = 200
export const COUNT_CHANGE_MAX = 20
export const LOST_OFFER_MAX = 100
export const GROUP_CODE_MAX = 8
export const NEW_CODES_MAX = 3
export const LINK_DEVICES_MAX = 20
/** How long after a sale a phone can hand its tickets over, and its link be opened for the first time. */
export const HAND_OVER_MS = 600_000
export const LINKS_PER_HOUR = 60
export const LINKS_LISTED = 20
export const LINKED_TICKETS_MAX = 5_000
export const DEVICE_NAME_MAX = 40
export const SHIFT_NAME_MAX = 40
export const DEVICE_GATES_MAX = 20
/** The longest lease, which is longer than any event may be ahead. */
export const DEVICE_LEASE_MAX_MS = 10 * 366 * DAY_MS
export const PAIRING_CODE_MS = 10 * MINUTE_MS
/** The event's day reaches this far before its start and after its end. */
export const EVENT_DAY_MARGIN_MS = 6 * HOUR_MS
/** A paired phone's tokens live at most this long; clocks may differ by the tolerance. */
export const DEVICE_TOKEN_SECONDS = 300
export const DEVICE_CLOCK_TOLERANCE_SECONDS = 60
export const GATES_MAX = 50
/** A scan that arrives this much later than it was made counts as back-dated. */
export const BACK_DATED_AFTER_MS = 12 * HOUR_MS
export const EVENING_ROWS_SHOWN = 100
export const DEVICE_FLAGGED_SHOWN = 100
/** The evening view raises an alarm from these counts on: manual admissions per minute, the rest per window. */
export const EVENING_ALARM_FROM = { manual: 10, undos: 5, backDated: 1, unknownCodes: 10, swaps: 2 } as const
export const EVENING_ALARM_WINDOW_MS = HOUR_MS
export const UNDO_WINDOW_MS = MINUTE_MS
export const CLOCK_DRIFT_WARN_MS = 120_000
export const ROSTER_POLL_MS = 30_000

/** The header that tells restored copies of the data apart, in every response of the API. */
export const EPOCH_HEADER = 'X-Epoch'
/**
 * The header with the number of rows left on the phone after a batch. A phone that has ended has no other way to report
 * them.
 */
export const UNSENT_HEADER = 'X-Unsent'
export const UNPAID_ORDERS_PER_HOUR = 10

export const REQUEST_TIMEOUT_MS = 15_000
export const REQUEST_RETRIES = 3
export const REQUEST_RETRY_DELAY_MS = 1_000

export const CACHE_EVENT_MS = 180_000
export const CACHE_DASHBOARD_MS = 120_000
export const CACHE_DEFAULT_MS = 300_000
export const CACHE_ENTRIES_MAX = 50

export const AUTH_ERROR_SHOWN_MS = 5_000
export const TOAST_MS = 5_000
export const UNDO_MS = 8_000
export const SCAN_SUCCESS_TOAST_MS = 3_000
export const RELOAD_AFTER_EVENT_SAVE_MS = 1_500
export const RELOAD_AFTER_PURCHASE_MS = 500
export const HEADER_SHRINK_PX = 100
export const IMAGE_PRELOAD_TIMEOUT_MS = 3_000
export const IMAGE_LAZY_MARGIN_PX = 100

export const SPLASH_FIRST_WORD_MS = 500
export const SPLASH_NEXT_WORD_MS = 800
export const SPLASH_HOLD_MS = 1_000
export const SPLASH_FADE_MS = 800

/** The desk warns this long before a closed event's people are made anonymous; the last backup may be this old. */
export const RETENTION_WARNING_MS = 30 * DAY_MS
export const RETENTION_BACKUP_MS = 7 * DAY_MS

export const FALLBACK_EVENT = { ticketPrice: 299, dateLabel: 'Sept 7', timeLabel: '6:30 PM - 10:30 PM' } as const
