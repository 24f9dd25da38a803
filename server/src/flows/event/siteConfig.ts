import { DEFAULT_EVENT_TITLE, DEMO_ACCOUNTS } from '@garba/shared/constants'
import type { Config } from '@garba/shared/contracts/site/site'
import { mailWay } from '../../mail/mailer.ts'
import { closedEvents, findEvent } from '../../store/events.ts'
import type { Deps } from '../deps.ts'

/** The site's name: EVENT_TITLE, else the current event's name, else that of the last closed event. */
export async function siteTitle({ store, settings }: Pick<Deps, 'store' | 'settings'>): Promise<string> {
  if (settings.eventTitle !== null) return settings.eventTitle
  const event = await store.read(async (tx) => (await findEvent(tx)) ?? (await closedEvents(tx))[0])
  return event?.name ?? DEFAULT_EVENT_TITLE
}

export async function siteConfig(deps: Deps): Promise<Config> {
  const { settings, publicUrl } = deps
  return {
    eventTitle: await siteTitle(deps),
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
      upiAtDoor: settings.payments.upiAtDoor,
      holdMinutes: settings.payments.holdMinutes,
      test: settings.payments.razorpay?.testMode ?? false,
    },
    waitingList: settings.waitingList,
    mail: mailWay(settings),
    signIn: [...settings.signIn],
    demo: settings.demo,
    rehearsal: settings.rehearsal,
    demoAccounts: settings.demo
      ? Object.values(DEMO_ACCOUNTS).map(({ uid, email, name }) => ({ uid, email, name }))
      : [],
    firebase: settings.firebase,
  }
}
