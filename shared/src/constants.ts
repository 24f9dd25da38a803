/**
 * The business constants and limits of SPEC section 9 and DECISIONS sections 1, 3 and 5, each under one name.
 * Durations are milliseconds unless the name says otherwise.
 */

export const DEFAULT_EVENT_TITLE = 'Garba Rass 2025'
export const DEFAULT_TIMEZONE = 'Asia/Kolkata'
export const DEMO_PROJECT_ID = 'demo-garba'
/** The accounts of the demo's sign-in chooser, seeded into the emulator and the database. */
export const DEMO_ACCOUNTS = [
  { uid: 'demo-admin', email: 'admin@garba.test', name: 'Asha Admin', role: 'admin' },
  { uid: 'demo-manager', email: 'manager@garba.test', name: 'Manav Manager', role: 'manager' },
  { uid: 'demo-checker', email: 'checker@garba.test', name: 'Chetan Checker', role: 'qrchecker' },
  { uid: 'demo-guest', email: 'guest@garba.test', name: 'Garima Guest', role: 'guest' },
] as const

/** The group price applies from this quantity on (SPEC 9). */
export const GROUP_TIER_FROM = 4
/** MAX_PER_ORDER unless it is set. */
export const DEFAULT_MAX_PER_ORDER = 100
/** Paper tickets that one block may have. */
export const PAPER_BLOCK_MAX = 500
/** Codes of one block for a phone, and unsold ones that a phone may hold. */
export const DEVICE_BLOCK_MAX = 100
export const DEVICE_CODES_MAX = 200
/** Codes that one phone may draw in an evening: what it draws and returns can be copied. */
export const DEVICE_DRAWN_MAX = 1_000
export const DEVICE_DRAWN_MS = 24 * 3_600_000
/** Tickets of one sale at the door without a network. */
export const DOOR_SALE_MAX = 50
export const CANCELLATION_CUTOFF_DAYS = 10
export const REASON_MAX = 500
/** Characters of the number on a card's slip. */
export const REFERENCE_MAX = 40
/** Characters of what an admin writes to all ticket holders. */
export const NEWS_MAX = 1_000
/** HOLD_MINUTES unless it is set: how long seats are held for an order that is not paid yet. */
export const HOLD_MINUTES = 15
/** A provider's link lives this much longer than the hold. */
export const LINK_GRACE_MS = 120_000
/** A payment by UPI waits this long for the desk to find it in the bank statement. */
export const UPI_CONFIRM_MS = 24 * 3_600_000
/** Seats that one person's unconfirmed UPI order may hold; all of them together: at most half of the event's. */
export const UPI_SEATS_PER_PERSON = 20
export const DEDUCTION_GATEWAY_RUPEES = 25
export const DEDUCTION_PLATFORM_RUPEES = 15

export const IMAGE_MAX_BYTES = 5_242_880
export const IMAGE_TYPES = ['image/jpeg', 'image/jpg', 'image/png', 'image/gif', 'image/webp'] as const

/** Our own upper limits of what an event may say and cost: characters, items, rupees, tickets, and years from today. */
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

/** Characters of a person's name, and of the address of a photo. */
export const NAME_MAX = 80
/** Characters of the name on a ticket. */
export const HOLDER_NAME_MAX = 60
export const PHOTO_URL_MAX = 2_048

export const PAGE_SIZE = 20
export const PAGE_SIZE_MAX = 100
/** Tickets in one bulk update. */
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
/** After this the device decides for itself. */
export const SERVER_PATIENCE_MS = 1_500
export const SCAN_BATCH_MAX = 200
/** Codes of lost tickets in one request. */
export const LOST_OFFER_MAX = 100
/** Tickets in one group code. */
export const GROUP_CODE_MAX = 8
export const DEVICE_NAME_MAX = 40
/** What a checker types at the start of a shift. */
export const SHIFT_NAME_MAX = 40
export const DEVICE_GATES_MAX = 20
/** Longer than any event may be ahead. */
export const DEVICE_LEASE_MAX_MS = 10 * 366 * 86_400_000
/** How long the code that pairs a phone is valid. */
export const PAIRING_CODE_MS = 10 * 60_000
/** How long after the event's end a paired phone works, unless the desk says otherwise. */
export const DEVICE_AFTER_EVENT_MS = 6 * 3_600_000
/** A paired phone's tokens live at most this long; clocks may differ by the tolerance. */
export const DEVICE_TOKEN_SECONDS = 300
export const DEVICE_CLOCK_TOLERANCE_SECONDS = 60
/** Gates of one event. */
export const GATES_MAX = 50
/** A scan that arrives this much later than it was made counts as back-dated. */
export const BACK_DATED_AFTER_MS = 12 * 3_600_000
/** How many double admissions and devices the evening view lists; it also shows the totals. */
export const EVENING_ROWS_SHOWN = 100
/** How many flagged scans the desk lists. */
export const DEVICE_FLAGGED_SHOWN = 100
/** From how many the evening view raises an alarm; manual admissions per minute, the rest per window. */
export const EVENING_ALARM_FROM = { manual: 10, undos: 5, backDated: 1, unknownCodes: 10, swaps: 2 } as const
export const EVENING_ALARM_WINDOW_MS = 3_600_000
export const UNDO_WINDOW_MS = 60_000
export const CLOCK_DRIFT_WARN_MS = 120_000
export const ROSTER_POLL_MS = 30_000

/**
 * Which of several restored copies of the data a server has: on every answer of the API, and on every request of a
 * client that has seen one.
 */
export const EPOCH_HEADER = 'X-Epoch'
/** An epoch's number is a time. One that is further ahead of the server's clock is no epoch. */
export const EPOCH_AHEAD_MS = 5 * 60_000
/** Orders that one person may place within an hour and not pay for. */
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

/** How long the desk warns before people of a closed event are made anonymous, and how old the last backup may be then. */
export const RETENTION_WARNING_MS = 30 * 86_400_000
export const RETENTION_BACKUP_MS = 7 * 86_400_000

/** Shown by the hero when there is no event (SPEC 2 and 9). */
export const FALLBACK_EVENT = { ticketPrice: 299, dateLabel: 'Sept 7', timeLabel: '6:30 PM - 10:30 PM' } as const
