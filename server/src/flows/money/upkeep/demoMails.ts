import type { DemoMail } from '@garba/shared/contracts/common'
import { writtenMails } from '../../../mail/folder.ts'
import { Refusal } from '../../../refusal.ts'
import type { Deps } from '../../deps.ts'

const SHOWN = 50

/** The newest mails in a demo's folder. Other servers send their mails, so they refuse with NOT_FOUND. */
export async function demoMails({ settings }: Pick<Deps, 'settings'>): Promise<DemoMail[]> {
  if (!settings.demo) throw new Refusal('NOT_FOUND')
  const mails = await writtenMails(settings.mailDir, { limit: SHOWN })
  return mails.map((mail) => ({ ...mail, at: mail.at.toISOString() }))
}
