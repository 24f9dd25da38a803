import { DEMO_ACCOUNTS } from '@garba/shared/constants'
import type { Config } from '@garba/shared/contracts/site'
import type { Deps } from './deps.ts'

/** The run-time settings of the client (DECISIONS 1); nothing secret is among them. */
export const siteConfig = ({ settings, publicUrl }: Deps): Config => ({
  eventTitle: settings.eventTitle,
  timezone: settings.timezone,
  supportEmail: settings.supportEmail,
  instagramUrl: settings.instagramUrl,
  publicUrl: publicUrl(),
  version: settings.version,
  maxPerOrder: settings.limits.perOrder,
  maxPerPerson: settings.limits.perPerson,
  demo: settings.demo,
  demoAccounts: settings.demo ? DEMO_ACCOUNTS.map(({ uid, email, name }) => ({ uid, email, name })) : [],
  firebase: settings.firebase,
})
