/** A phone of the evening: its checker, its share of the guests, and its state at the end. */
export interface Device {
  id: string
  name: string
  checkerUid: string
  /** Its weight among all entries. */
  share: number
  seenSecondsAgo: number
  unsent: number
  oldestMinutesAgo: number
  /** Its roster is this many revisions behind. */
  behind: number
}

const calm = { seenSecondsAgo: 6, unsent: 0, oldestMinutesAgo: 0, behind: 2 }

export const DEVICES: readonly Device[] = [
  { ...calm, id: 'phone-a1', name: 'Gate A, left', checkerUid: 'demo-checker', share: 24, seenSecondsAgo: 4 },
  { ...calm, id: 'phone-a2', name: 'Gate A, right', checkerUid: 'checker-2', share: 22, seenSecondsAgo: 11 },
  { ...calm, id: 'phone-b1', name: 'Gate B, left', checkerUid: 'checker-3', share: 19, seenSecondsAgo: 17, unsent: 3 },
  { ...calm, id: 'phone-b2', name: 'Gate B, right', checkerUid: 'checker-4', share: 17, seenSecondsAgo: 23, behind: 9 },
  {
    id: 'phone-vip',
    name: 'VIP gate',
    checkerUid: 'checker-5',
    share: 8,
    seenSecondsAgo: 2,
    unsent: 0,
    oldestMinutesAgo: 0,
    behind: 0,
  },
  {
    id: 'phone-parking',
    name: 'Parking',
    checkerUid: 'checker-6',
    share: 10,
    seenSecondsAgo: 95,
    unsent: 27,
    oldestMinutesAgo: 7,
    behind: 310,
  },
  {
    id: 'phone-spare',
    name: 'Spare phone',
    checkerUid: 'checker-2',
    share: 0,
    seenSecondsAgo: 4_300,
    unsent: 0,
    oldestMinutesAgo: 0,
    behind: 40,
  },
]

/** The phone was offline in the middle of the evening and has sent everything since. */
export const OFFLINE_SPELL = { deviceId: 'phone-b2', fromMinutesAgo: 52, toMinutesAgo: 40 } as const
/** The phone is offline now, with an unsent queue. */
export const OFFLINE_NOW = { deviceId: 'phone-parking', sinceMinutesAgo: 7 } as const

/** The checkers besides the demo's own. */
export const CHECKERS = [
  { uid: 'checker-2', name: 'Bhavna Solanki', email: 'bhavna@garba.test' },
  { uid: 'checker-3', name: 'Ketan Rathod', email: 'ketan@garba.test' },
  { uid: 'checker-4', name: 'હેતલ વ્યાસ', email: 'hetal@garba.test' },
  { uid: 'checker-5', name: 'Irfan Shaikh', email: 'irfan@garba.test' },
  { uid: 'checker-6', name: 'Nayan Gohil', email: 'nayan@garba.test' },
] as const
