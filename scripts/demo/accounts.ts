/** The demo's accounts, with ids that never change. */
export const DEMO_ACCOUNTS = {
  admin: { uid: 'demo-admin', email: 'admin@garba.test', name: 'Asha Admin', role: 'admin' },
  manager: { uid: 'demo-manager', email: 'manager@garba.test', name: 'Manav Manager', role: 'manager' },
  checker: { uid: 'demo-checker', email: 'checker@garba.test', name: 'Chetan Checker', role: 'qrchecker' },
  guest: { uid: 'demo-guest', email: 'guest@garba.test', name: 'Garima Guest', role: 'guest' },
} as const

export type DemoRole = keyof typeof DEMO_ACCOUNTS

/** An account for the emulator. `uid` becomes its localId. */
export interface Account {
  readonly uid: string
  readonly email: string
  readonly name: string
}

/** Google's id for the person. The chooser sends the uid of a demo account, or the email of any other. */
export const subOf = ({ uid, email }: Account): string =>
  Object.values(DEMO_ACCOUNTS).some((account) => account.uid === uid) ? uid : email

/** The four demo accounts, then everyone else in the database. */
export function accountsToSeed(known: readonly Account[]): Account[] {
  const demo: Account[] = Object.values(DEMO_ACCOUNTS)
  const taken = new Set(demo.flatMap(({ uid, email }) => [uid, email]))
  return [...demo, ...known.filter(({ uid, email }) => !taken.has(uid) && !taken.has(email))]
}
