import { randomUUID } from 'node:crypto'
import { MAIL_LINK_PAGE } from '@garba/shared/contracts/site/pages'
import { VALIDATION } from '@garba/shared/messages/common'
import type { Language } from '@garba/shared/messages/language'
import { foldEmail } from '../../email.ts'
import { type Claims, TokenRefused } from '../../identity/claims.ts'
import { hasPassword, sendMailLink, ToolkitFailure } from '../../identity/toolkit.ts'
import { composeSignIn } from '../../mail/compose.ts'
import { demoMailer } from '../../mail/mailer.ts'
import { Refusal } from '../../refusal.ts'
import type { Deps } from '../deps.ts'
import { siteTitle } from '../event/siteConfig.ts'

interface LinkRequest {
  email: string
  language: Language
  /** What the guest continues with: so many tickets, or an order. */
  tickets?: number | undefined
  order?: string | undefined
}

/**
 * Sends a sign-in link to a mailbox; a demo writes the mail to its folder. Succeeds alike for known, unknown and disabled
 * accounts. Refuses with NOT_FOUND where SIGN_IN lacks email, VALIDATION_FAILED, RATE_LIMITED by the provider, or UNAVAILABLE.
 */
export async function mailSignInLink(deps: Deps, { email, language, tickets, order }: LinkRequest): Promise<void> {
  const { settings, publicUrl } = deps
  if (!settings.signIn.includes('email')) throw new Refusal('NOT_FOUND')
  const page = new URL(`${publicUrl()}${MAIL_LINK_PAGE}`)
  if (tickets !== undefined) page.searchParams.set('tickets', `${tickets}`)
  if (order !== undefined) page.searchParams.set('order', order)
  const link = await asked(deps, () => sendMailLink({ settings }, { email, page: page.href, language }), null)
  if (link === null) return
  const site = { title: await siteTitle(deps), url: publicUrl(), ...settings }
  await demoMailer(settings).send(composeSignIn({ email, link }, site), {
    key: `signIn:${randomUUID()}`,
    at: deps.now(),
  })
}

/** The provider's reasons that would tell strangers about an account. */
const TELLING = ['USER_DISABLED', 'EMAIL_NOT_FOUND']
const TOO_MANY = ['QUOTA_EXCEEDED', 'TOO_MANY_ATTEMPTS_TRY_LATER']

async function asked<Answer>({ log }: Deps, ask: () => Promise<Answer>, untold: Answer): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ToolkitFailure)) throw error
    const { reason } = error
    if (TELLING.includes(reason)) return untold
    if (TOO_MANY.includes(reason)) throw new Refusal('RATE_LIMITED')
    if (reason === 'INVALID_EMAIL')
      throw new Refusal('VALIDATION_FAILED', {
        message: VALIDATION.email,
        errors: [{ field: 'email', message: VALIDATION.email }],
      })
    log.error({ reason }, 'the identity provider did not answer as it should')
    throw new Refusal('UNAVAILABLE')
  }
}

/**
 * The provider does not tell a link from a password, and somebody else may have set a password before the owner of the
 * mailbox came. Refuses such an account with PROVIDER_NOT_GOOGLE.
 */
export async function refusePassword(deps: Deps, { provider }: Claims, idToken: string): Promise<void> {
  if (provider !== 'password') return
  try {
    if (await asked(deps, () => hasPassword(deps, idToken), true)) throw new Refusal('PROVIDER_NOT_GOOGLE')
  } catch (error) {
    throw error instanceof TokenRefused ? new Refusal('UNAUTHENTICATED') : error
  }
}

/** The mailbox behind an address: mail to name+anything reaches name, and Gmail does not look at dots. */
export function mailboxOf(email: string): string {
  const [name = '', domain = ''] = foldEmail(email).split('@')
  const plain = name.split('+')[0] ?? ''
  return `${/^(gmail|googlemail)\.com$/.test(domain) ? plain.replaceAll('.', '') : plain}@${domain}`
}
