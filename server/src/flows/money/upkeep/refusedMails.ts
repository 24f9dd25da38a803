import { isRefusing, type RefusedMails, readRefusedMails } from '../../../doctor/inside.ts'
import { isWithoutClass, type MailOutcome } from '../../../mail/mails.ts'
import { Refusal } from '../../../refusal.ts'
import { parseSmtpServer } from '../../../settings/mailSettings.ts'
import { sendRefusedAgain } from '../../../store/jobs.ts'
import { MAILS_REFUSED, writeMeta } from '../../../store/meta.ts'
import type { Deps } from '../../deps.ts'

/**
 * Counts the mails in a row that the mail server did not take. An address that does not exist is not its refusal, as
 * far as its answer tells.
 */
export async function recordMailOutcome({ store, settings }: Pick<Deps, 'store' | 'settings'>, sending: MailOutcome) {
  const before = await store.read(readRefusedMails)
  const refused = sending.outcome === 'retry' || (sending.outcome === 'bounced' && isWithoutClass(sending.why))
  if (!refused && before === null) return
  const server = settings.mail === null ? '' : parseSmtpServer(settings.mail).host
  const note: RefusedMails | null = refused ? { times: (before?.times ?? 0) + 1, server, why: sending.why } : null
  await store.write((tx) => writeMeta(tx, MAILS_REFUSED, note === null ? '' : JSON.stringify(note)))
}

export async function sendMailsAgain({ store, mailer, now }: Deps): Promise<{ mails: number }> {
  if (!mailer) throw new Refusal('NO_MAIL')
  return { mails: await store.write(async (tx) => sendRefusedAgain(tx, { now: now(), all: await isRefusing(tx) })) }
}
