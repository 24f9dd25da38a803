import { READ_ONLY } from '@garba/shared/messages/codes'
import { ageText } from '@garba/shared/messages/formats'
import { HEADCOUNT } from '@garba/shared/messages/gate'
import { formatCount } from '@garba/shared/messages/language'

const WITHOUT_CANCELLED = 'without cancelled ones'

/** Of several phones, the one that is in trouble longest. */
interface TroubledPhone {
  name: string
  phones: number
  since: string
  unsent: number
}

/** Texts that the spec gives are exact. */
export const FIGURES = {
  home: {
    welcome: (name: string) => `Welcome, ${name}`,
    loading: 'Loading figures',
    couldNotUpdate: (since: string) => `Couldn’t update. Last known figures, from ${since}.`,
    notUpToDate: 'Not up to date',
    retry: 'Retry',
    todo: {
      title: 'To do',
      nothing: 'Nothing to do right now.',
      readOnly: 'Nothing can be done here while this server is read-only.',
      unknown: 'Not loaded.',
      otherDay: (n: number) =>
        n === 1 ? 'One ticket was used on another day' : `${formatCount(n)} tickets were used on another day`,
      early: (phones: readonly { name: string; hasCodes: boolean }[]) =>
        `${phones.length === 1 ? 'A phone ends' : `${formatCount(phones.length)} phones end`} before the event does: ${phones
          .map(({ name, hasCodes }) => (hasCodes ? `${name} (with the codes it sells)` : name))
          .join(', ')}`,
      matters: (n: number) => (n === 1 ? 'One payment needs a decision' : `${formatCount(n)} payments need a decision`),
      restored: 'The data is a backup’s: some things must be done again',
      unpaid: (n: number) => (n === 1 ? '1 seat waits unpaid' : `${formatCount(n)} seats wait unpaid`),
      confirm: (n: number) => (n === 1 ? '1 payment to confirm' : `${formatCount(n)} payments to confirm`),
      refunds: (n: number, rupees: string) =>
        `${n === 1 ? '1 refund is' : `${formatCount(n)} refunds are`} due: ${rupees}`,
      picture: 'The event has no picture',
      backup: (age: string | null) => (age === null ? 'There is no backup yet' : `The last backup is ${age} old`),
      backUp: 'Back up now',
      backingUp: 'Backing up...',
      backedUp: 'Backup made and checked',
      backupFailed: (reason: string) => `Failed to back up: ${reason}`,
      open: {
        early: 'Open devices',
        evening: 'Open the evening',
        matters: 'Decide',
        restored: 'Open the list',
        confirm: 'Open orders',
        unpaid: 'Open orders',
        refunds: 'Open refunds',
        picture: 'Add a picture',
      },
    },
    first: {
      title: 'Getting ready',
      count: (done: number, all: number) => `${done} of ${all} done`,
      done: 'Done:',
      steps: {
        event: {
          title: 'Describe the event',
          text: 'Its name, day, place, price and seats. The landing page and ticket sales open with it.',
          action: 'Fill in the form',
        },
        payments: {
          title: 'Choose how guests pay',
          text: 'Tickets are given without payment now. Set PAYMENTS to razorpay, upi or both in the server’s settings.',
        },
        mail: {
          title: 'Send tickets by email',
          text: 'Set SMTP_URL and MAIL_FROM in the server’s settings. Without them, guests find tickets in My Tickets only.',
        },
        backup: {
          title: 'Make a backup',
          text: 'A copy of everything, opened once to prove it. With BACKUP_DIR set, the server makes more by itself.',
        },
        phone: {
          title: 'Pair a phone',
          text: 'Give it a gate, and open its code with the phone that will scan there.',
          action: 'Open Devices',
        },
        rehearsal: {
          title: 'Rehearse the evening',
          text: 'npm run rehearse makes a copy with 300 test codes, in which the crew can try everything.',
        },
      },
    },
    sales: {
      toGo: (days: number) => (days === 1 ? '1 day to go' : `${formatCount(days)} days to go`),
      none: 'No tickets sold yet.',
      most: (tickets: string) => `Most tickets in a day: ${tickets}`,
      event: (day: string) => `Event, ${day}`,
    },
    stats: {
      users: 'Total Users',
      sold: 'Tickets Sold',
      revenue: 'Total Revenue',
      average: 'Average Ticket Value',
      averageShort: 'Avg. Ticket Value',
      today: (revenue: string) => `${revenue} today`,
      soldToday: (n: number) => `${WITHOUT_CANCELLED}; ${formatCount(n)}\u00a0today`,
    },
    event: {
      title: 'Event Status',
      configured: 'Configured',
      notConfigured: 'Not Configured',
      unreadable: 'Not Loaded',
      manage: 'Manage Event',
      create: 'Create Event',
      none: 'There is no event yet. Create one to open the landing page and ticket sales.',
      taken: 'Seats taken',
      left: (left: number, total: number) => `${formatCount(left)} of ${formatCount(total)} left`,
    },
    more: 'Other views and system',
    tiles: {
      users: { title: 'Manage Users', text: 'Search people, change roles' },
      tickets: { title: 'Manage Tickets', text: 'Statuses, refunds, export' },
      analytics: { title: 'Analytics', text: 'Sales by day and hour' },
      evening: { title: 'Evening', text: 'Who is inside, live' },
      audit: { title: 'Audit trail', text: 'Who changed what, when' },
    },
    managerUsers: {
      title: 'Registered Users',
      empty: 'No users found',
      joined: (day: string) => `Joined ${day}`,
      loading: 'Loading users',
      all: 'See all users',
    },
    system: {
      title: 'System',
      well: 'System is well',
      unwell: 'System needs attention',
      loading: 'Loading the system state',
      failed: (reason: string) => `Failed to load the system state: ${reason}`,
      database: 'Database',
      writable: 'Accepts writes',
      notWritable: 'Refuses writes',
      disk: 'Disk',
      diskFree: (free: string) => `${free} free`,
      diskOf: (total: string) => `of ${total}`,
      backup: 'Last backup',
      noBackup: 'Never',
      backupEvery: (minutes: number) => `automatic, every ${minutes} min`,
      backupFailed: (moment: string) => `The backup of ${moment} failed`,
      readOnly: READ_ONLY.title,
      retention: {
        due: (event: string, date: string) => `The people at ${event} will be made anonymous on ${date}`,
        dueText:
          'Names, emails and reasons are removed; tickets, orders and amounts stay. This needs a backup from the last 7 days.',
        late: (event: string, date: string) => `The people at ${event} were due to be made anonymous on ${date}`,
        lateText: 'There is no backup from the last 7 days. Once you make one, it happens within a day.',
      },
      checks: {
        run: 'Check everything',
        running: 'Checking...',
        failed: (reason: string) => `The checks could not be run: ${reason}`,
        list: 'Checks',
        states: { ok: 'ok', warning: 'warning', failure: 'failure' },
        summary: (all: number, wrong: number) =>
          wrong === 0
            ? `All ${all} checks are ok`
            : `${wrong} of ${all} checks ${wrong === 1 ? 'needs' : 'need'} attention`,
      },
      uptime: 'Running for',
      version: 'Version',
      otherVersion: (page: string) => `This page is ${page}`,
      versions: ({
        node,
        sqlite,
        postgres,
      }: {
        node: string
        sqlite?: string | undefined
        postgres?: string | undefined
      }) => `Node ${node}, ${postgres === undefined ? `SQLite ${sqlite}` : `PostgreSQL ${postgres}`}`,
    },
    viewAnalytics: 'View Detailed Analytics',
    viewEvening: 'View Evening',
  },
  denied: {
    required: 'Admin Access Required',
    title: 'Access Denied',
    text: 'This dashboard is for administrators and managers, and your account has neither role.',
    request: 'Request Admin Access',
    requesting: 'Requesting...',
    guest: 'Go to Guest Dashboard',
  },
  analytics: {
    loading: 'Loading analytics',
    range: 'Range',
    ranges: { week: '7 Days', month: '30 Days', all: 'All Time' },
    revenue: 'Total Revenue',
    sold: 'Tickets Sold',
    average: 'Average Ticket Value',
    conversion: 'Conversion Rate',
    conversionNote: 'of guests have bought',
    soldNote: WITHOUT_CANCELLED,
    averageNote: 'price of those sold',
    performance: 'Event Performance',
    performanceLine: ({ sold, available }: { sold: number; available: number }) =>
      `${formatCount(sold)} sold, ${formatCount(available)} available`,
    price: (price: string) => `Ticket price ${price}`,
    noEvent: 'There is no event yet.',
    daily: 'Daily Sales, Last 7 Days',
    overTime: 'Sales by Day',
    hourly: 'Today’s Hourly Sales',
    noDaily: 'No sales in these days yet.',
    noHourly: 'No sales today yet.',
    columns: { day: 'Day', hour: 'Hour', tickets: 'Tickets', revenue: 'Revenue' },
    asTable: 'Show as table',
    chartOf: (title: string) => `${title}, as a bar chart; the same figures are in the table below it`,
  },
  evening: {
    loading: 'Loading the evening',
    failed: (reason: string) => `Failed to load the evening: ${reason}`,
    stayedAway: 'Tickets not used',
    entriesTitle: 'People let in every 15 minutes, last two hours',
    peak: 'Peak',
    now: 'now',
    extra: ({ people, doubles, other }: { people: number; doubles: number; other: number }) =>
      [
        `${formatCount(Math.abs(people))} ${people > 0 ? 'more' : 'fewer'} ${Math.abs(people) === 1 ? 'person' : 'people'} than tickets`,
        [
          doubles > 0 && `${formatCount(doubles)} from double admissions and swaps`,
          other > 0 && `${formatCount(other)} let in on tickets that were changed later`,
          other < 0 && `${formatCount(-other)} ${other === -1 ? 'ticket' : 'tickets'} set as used on the desk`,
        ]
          .filter(Boolean)
          .join(', '),
      ].join(': '),
    noEntries: 'No one was let in during the last two hours.',
    minute: 'Time',
    entries: 'People',
    live: 'Live',
    asOf: (seconds: number) => (seconds < 2 ? 'Up to date' : `Updated ${ageText(seconds * 1_000)} ago`),
    broken: 'Connection lost: these figures are not live. Reconnecting...',
    refused: 'The server no longer sends these figures to this account.',
    devices: 'Devices',
    noDevices: 'No phone has reported yet.',
    noDevicesHint: 'Pair a phone under Devices, or sign in on one as a QR checker.',
    deviceColumns: {
      device: 'Device',
      checker: 'Checker',
      seen: 'Last seen',
      unsent: 'Unsent scans',
      roster: 'Ticket list',
      admitted: HEADCOUNT.tickets,
    },
    rosterCurrent: 'Current',
    rosterBehind: (n: number) => (n === 1 ? '1 change behind' : `${formatCount(n)} changes behind`),
    rosterBehindFor: (age: string, n: number) =>
      `${age} behind (${n === 1 ? '1 change' : `${formatCount(n)} changes`})`,
    silentFor: (age: string) => `Silent for ${age}`,
    ended: 'Revoked or over',
    rosterUnknown: 'Not loaded',
    devicesShown: (shown: number, total: number) =>
      `The last ${formatCount(shown)} to report, of ${formatCount(total)} devices`,
    alarm: 'Needs attention (last hour)',
    trouble: {
      title: 'Trouble tonight',
      doubles: (n: number) =>
        n === 1 ? '1 double admission to look at' : `${formatCount(n)} double admissions to look at`,
      swaps: (n: number) => (n === 1 ? '1 swap to look at' : `${formatCount(n)} swaps to look at`),
      unsent: ({ name, phones, since, unsent }: TroubledPhone) =>
        phones === 1
          ? `${name} has ${formatCount(unsent)} unsent ${unsent === 1 ? 'scan' : 'scans'}, the oldest from ${since}`
          : `${formatCount(phones)} phones have unsent scans, the oldest from ${since}`,
      lists: ({ name, phones, since }: TroubledPhone) =>
        phones === 1
          ? `${name} has a ticket list from ${since}`
          : `${formatCount(phones)} phones have ticket lists from ${since} or later`,
      silent: ({ name, phones, since }: TroubledPhone) =>
        phones === 1
          ? `${name} has been silent since ${since}`
          : `${formatCount(phones)} phones are silent, one since ${since}`,
      rest: (gate: string, since: string) => `${gate} has let nobody in since ${since}`,
    },
    since: (time: string) => `since ${time}`,
    disputed: 'The second person let in was the holder. The first admission is disputed.',
    alarms: {
      manual: (who: string, n: number) => `${who} admitted ${formatCount(n)} people by hand within a minute`,
      undos: (who: string, n: number) => `${who} undid ${formatCount(n)} admissions`,
      backDated: (who: string, n: number) => `${who} sent ${formatCount(n)} back-dated ${n === 1 ? 'scan' : 'scans'}`,
      unknownCodes: (who: string, n: number) => `${who} scanned ${formatCount(n)} unknown codes`,
      swaps: (who: string, n: number) =>
        `${formatCount(n)} more people came with one ticket that was used, the last to ${who}`,
    },
    unsentSince: (n: number, when: string) => `${n} since ${when}`,
    conflicts: 'Double admissions',
    otherDay: {
      title: 'Used on another day',
      explain:
        'These tickets were used outside the event’s day, often to try the scanner. They admit nobody on the night.',
      setBack: (n: number) => (n === 1 ? 'Make it active again' : `Make all ${formatCount(n)} active again`),
      done: (n: number) => (n === 1 ? 'One ticket is active again' : `${formatCount(n)} tickets are active again`),
      failed: (reason: string) => `The tickets were not changed: ${reason}`,
      columns: { holder: 'Holder', at: 'Used', by: 'By' },
    },
    swaps: 'Swaps',
    conflictsText: 'One ticket, two people let in. Both are counted as people; the first scan holds the ticket.',
    conflictsShown: (shown: number, total: number) =>
      `Showing ${formatCount(shown)} of ${formatCount(total)}, those not acknowledged first`,
    noConflicts: 'No ticket was used twice.',
    first: 'First',
    second: 'Second',
    side: ({ at, by, where }: { at: string; by: string; where: string }) => `${at} by ${by}, ${where}`,
    noScan: ({ at, what }: { at: string; what: string }) => `${at}: ${what}`,
    unnamedDevice: 'Unnamed device',
    acknowledge: 'Acknowledge',
    acknowledgedCount: (n: number) => `${formatCount(n)} acknowledged`,
    acknowledgeOf: (name: string) => `Acknowledge the double admission of ${name}`,
    acknowledged: (by: string, at: string) => `Acknowledged by ${by}, ${at}`,
    acknowledgeFailed: (reason: string) => `Failed to acknowledge: ${reason}`,
    acknowledgedToast: 'Double admission acknowledged',
    acknowledgeAll: 'Acknowledge all',
    acknowledgedAll: 'All double admissions acknowledged',
    conflictColumns: { holder: 'Ticket', seen: 'Seen' },
    gone: (n: number) => `${formatCount(n)} phones, nothing left to send`,
    silentAtLeast: (duration: string) => `Silent for ${duration} or more`,
    wall: {
      open: 'Wall mode',
      title: 'The evening on the wall',
      more: (n: number) => `and ${formatCount(n)} more`,
      live: (at: string) => `Live, ${at}`,
      lost: (at: string) => `Not live since ${at}`,
    },
    refusals: 'Recent refusals',
    noRefusals: 'Nobody was refused.',
    refusalReasons: {
      ALREADY_USED: 'Already used',
      TICKET_CANCELLED: 'Cancelled',
      CODE_REPLACED: 'Code replaced',
      TICKET_NOT_FOUND: 'Not in the list',
      NOT_ACTIVATED: 'Not activated',
      WRONG_GATE: 'Wrong gate',
      QR_FORGED: 'Forged',
      QR_MALFORMED: 'Not a ticket code',
      QR_OTHER_EVENT: 'Another event',
    },
    refusalColumns: { at: 'Time', reason: 'Reason', holder: 'Holder', checker: 'Checker', device: 'Device' },
    unknownHolder: 'Unknown',
  },
  audit: {
    loading: 'Loading the audit trail',
    failed: (reason: string) => `Failed to load the audit trail: ${reason}`,
    search: 'Search',
    searchHint: 'Name, id or text',
    matches: (n: number) => (n === 1 ? '1 entry' : `${formatCount(n)} entries`),
    action: 'What',
    allActions: 'Everything',
    caption: 'Audit trail',
    columns: { at: 'When', actor: 'Who', action: 'What', subject: 'Subject', detail: 'Detail' },
    actions: {
      'user.created': 'User joined',
      'user.renamed': 'Person renamed',
      'user.role': 'Role changed',
      'user.deleted': 'User deleted',
      'user.erased': 'Person erased',
      'event.created': 'Event created',
      'event.updated': 'Event edited',
      'event.anonymous': 'People made anonymous',
      'event.closed': 'Event closed',
      'ticket.newCode': 'New code',
      'link.made': 'Ticket link made',
      'link.ended': 'Ticket link ended',
      'link.claimed': 'Tickets claimed by an account',
      'ticket.sold': 'Tickets sold',
      'ticket.adopted': 'Tickets found again',
      'ticket.named': 'Name on ticket changed',
      'ticket.cancelled': 'Ticket cancelled',
      'ticket.admitted': 'Admitted',
      'ticket.refused': 'Refused at the gate',
      'ticket.admissionUndone': 'Admission undone',
      'ticket.conflict': 'Double admission',
      'ticket.conflictAcknowledged': 'Double admission acknowledged',
      'ticket.swapped': 'Holder let in instead',
      'ticket.status': 'Status changed',
      'ticket.refund': 'Refund recorded',
      'ticket.deleted': 'Ticket deleted',
      'lost.confirmed': 'Lost ticket confirmed',
      'lost.refused': 'Lost ticket refused',
      'order.deskSale': 'Sold at the counter',
      'order.confirmed': 'Payment confirmed',
      'order.cancelled': 'Order cancelled',
      'order.refunded': 'Order refunded',
      'order.mailed': 'Tickets emailed again',
      'order.corrected': 'Buyer corrected',
      'order.erased': 'Buyer erased',
      'order.attention': 'Money matter resolved',
      'gates.saved': 'Gates changed',
      'statement.setAside': 'Credit set aside',
      'statement.broughtBack': 'Credit brought back',
      'block.made': 'Codes made before sale',
      'block.sold': 'Codes sold',
      'block.returned': 'Codes returned',
      'cash.opened': 'Cash session opened',
      'cash.closed': 'Cash session closed',
      'device.created': 'Device created',
      'device.paired': 'Phone paired',
      'device.changed': 'Device changed',
      'device.revoked': 'Device revoked',
      'device.shift': 'Shift started',
      'device.gate': 'Device moved to a gate',
      'keys.rotated': 'Signing key made',
      'keys.revoked': 'Signing key revoked',
    },
    exportCsv: 'Export CSV',
    noSubject: 'Not recorded',
    exported: 'Audit trail exported successfully',
    exportFailed: (reason: string) => `Failed to export the audit trail: ${reason}`,
    empty: 'Nothing recorded',
    emptySearch: 'Nothing recorded matches this search.',
    emptyAll: 'Every sale, scan and change will be listed here.',
    clear: 'Clear search and filter',
  },
} as const
