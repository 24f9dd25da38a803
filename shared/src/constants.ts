/** The spec's constants and our own limits. Durations are milliseconds unless the name says otherwise. */

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

/** The group price applies from this quantity on. */
export const GROUP_TIER_FROM = 4
/** The default of the MAX_PER_ORDER setting. */
export const DEFAULT_MAX_PER_ORDER = 100
/** The most paper tickets in one block. */
export const PAPER_BLOCK_MAX = 500
/** The most codes in one block for a phone, and the most unsold codes a phone may hold. */
export const DEVICE_BLOCK_MAX = 100
export const DEVICE_CODES_MAX = 200
/**
 * The codes that a phone may draw in an evening. The limit counts returned codes, because they may have been copied.
 */
export const DEVICE_DRAWN_MAX = 1_000
export const DEVICE_DRAWN_MS = 24 * 3_600_000
/** The most tickets in one offline sale at the door. */
export const DOOR_SALE_MAX = 50
export const CANCELLATION_CUTOFF_DAYS = 10
export const REASON_MAX = 500
/** The longest number on a card's slip, in characters. */
export const REFERENCE_MAX = 40
/** The longest message from an admin to all ticket holders, in characters. */
export const NEWS_MAX = 1_000
/** The default of the HOLD_MINUTES setting: how long an unpaid order holds its seats. */
export const HOLD_MINUTES = 15
/** A provider's link lives this much longer than the hold. */
export const LINK_GRACE_MS = 120_000
/** How long the desk may take to find a UPI payment in the bank statement. */
export const UPI_CONFIRM_MS = 24 * 3_600_000
/** The seats that one unconfirmed UPI order may hold; all of them together may hold half of the event's. */
export const UPI_SEATS_PER_PERSON = 20
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
  features: 50,
  price: 1_000_000,
  totalTickets: 1_000_000,
  yearsAhead: 5,
} as const

/** The longest name of a person, in characters. */
export const NAME_MAX = 80
/** The longest name on a ticket, in characters. */
export const HOLDER_NAME_MAX = 60
export const PHOTO_URL_MAX = 2_048

export const PAGE_SIZE = 20
export const PAGE_SIZE_MAX = 100
export const PAGE_MAX = 1_000_000
/** The longest search of a list, in characters. */
export const SEARCH_MAX = 200
/** The most tickets in one bulk update. */
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
/** The most codes of lost tickets in one request. */
export const LOST_OFFER_MAX = 100
/** The most tickets in one group code. */
export const GROUP_CODE_MAX = 8
/** A ticket can get this many new codes. */
export const NEW_CODES_MAX = 3
/** This many devices can open a ticket link. */
export const LINK_DEVICES_MAX = 20
/** Links that one person's tickets, or those of one request, may get in an hour. */
export const LINKS_PER_HOUR = 60
/** The links that a list shows: open ones first, then the newest. */
export const LINKS_LISTED = 200
export const DEVICE_NAME_MAX = 40
/** The longest first name that a checker may type at the start of a shift, in characters. */
export const SHIFT_NAME_MAX = 40
export const DEVICE_GATES_MAX = 20
/** The longest lease, which is longer than any event may be ahead. */
export const DEVICE_LEASE_MAX_MS = 10 * 366 * 86_400_000
/** How long the code that pairs a phone is valid. */
export const PAIRING_CODE_MS = 10 * 60_000
/** How long after the event's end a paired phone works, unless the desk sets another time. */
export const DEVICE_AFTER_EVENT_MS = 6 * 3_600_000
/** A paired phone's tokens live at most this long; clocks may differ by the tolerance. */
export const DEVICE_TOKEN_SECONDS = 300
export const DEVICE_CLOCK_TOLERANCE_SECONDS = 60
/** The most gates an event may have. */
export const GATES_MAX = 50
/** A scan that arrives this much later than it was made counts as back-dated. */
export const BACK_DATED_AFTER_MS = 12 * 3_600_000
/** How many double admissions and devices the evening view lists; it also shows the totals. */
export const EVENING_ROWS_SHOWN = 100
/** How many flagged scans the desk lists. */
export const DEVICE_FLAGGED_SHOWN = 100
/** The evening view raises an alarm from these counts on: manual admissions per minute, the rest per window. */
export const EVENING_ALARM_FROM = { manual: 10, undos: 5, backDated: 1, unknownCodes: 10, swaps: 2 } as const
export const EVENING_ALARM_WINDOW_MS = 3_600_000
export const UNDO_WINDOW_MS = 60_000
export const CLOCK_DRIFT_WARN_MS = 120_000
export const ROSTER_POLL_MS = 30_000

/**
 * The header that tells restored copies of the data apart. Every response of the API has it, and every request of a
 * client that has seen one.
 */
export const EPOCH_HEADER = 'X-Epoch'
/**
 * The header with the number of rows left on the phone after a batch. A phone that has ended has no other way to report
 * them.
 */
export const UNSENT_HEADER = 'X-Unsent'
/** An epoch's number is a time. A number further ahead of the server's clock than this is not an epoch. */
export const EPOCH_AHEAD_MS = 5 * 60_000
/** The most unpaid orders one person may place within an hour. */
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
/** How long a deletion on the desk can be undone. */
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
export const RETENTION_WARNING_MS = 30 * 86_400_000
export const RETENTION_BACKUP_MS = 7 * 86_400_000

/** Shown by the hero when there is no event. */
export const FALLBACK_EVENT = { ticketPrice: 299, dateLabel: 'Sept 7', timeLabel: '6:30 PM - 10:30 PM' } as const
