import type { DemoMail } from '@garba/shared/contracts/common'
import { writtenMails } from '../mail/folder.ts'
import { Refusal } from '../refusal.ts'
import type { Deps } from './deps.ts'

const SHOWN = 50

/** The newest mails that a demo wrote to its folder. Refuses with NOT_FOUND everywhere else: there mails are sent. */
export async function demoMails({ settings }: Pick<Deps, 'settings'>): Promise<DemoMail[]> {
  if (!settings.demo) throw new Refusal('NOT_FOUND')
  const mails = await writtenMails(settings.mailDir, { limit: SHOWN })
  return mails.map((mail) => ({ ...mail, at: mail.at.toISOString() }))
}
