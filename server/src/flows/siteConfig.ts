import { DEMO_ACCOUNTS } from '@garba/shared/constants'
import type { Config } from '@garba/shared/contracts/site'
import { mailWay } from '../mail/mailer.ts'
import type { Deps } from './deps.ts'

/** The client's run-time settings (DECISIONS 1). They are public, so they hold no secrets. */
export const siteConfig = ({ settings, publicUrl }: Deps): Config => ({
  eventTitle: settings.eventTitle,
  timezone: settings.timezone,
  supportEmail: settings.supportEmail,
  instagramUrl: settings.instagramUrl,
  publicUrl: publicUrl(),
  version: settings.version,
  maxPerOrder: settings.limits.perOrder,
  maxPerPerson: settings.limits.perPerson,
  payments: {
    providers: [...settings.payments.guest],
    desk: settings.payments.desk,
    holdMinutes: settings.payments.holdMinutes,
    test: settings.payments.razorpay?.keyId.startsWith('rzp_test_') ?? false,
  },
  mail: mailWay(settings),
  demo: settings.demo,
  rehearsal: settings.rehearsal,
  demoAccounts: settings.demo ? DEMO_ACCOUNTS.map(({ uid, email, name }) => ({ uid, email, name })) : [],
  firebase: settings.firebase,
})
