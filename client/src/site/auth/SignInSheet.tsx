import { orderPage, WALLET_PAGE } from '@garba/shared/contracts/site/pages'
import { Copy, ExternalLink } from 'lucide-react'
import { useEffect, useState } from 'react'
import { AnchorButton, Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { TextField } from '../../kit/Field.tsx'
import { useByMail } from '../../platform/config.ts'
import { findEmbeddedBrowser, leavingLink } from '../../platform/embedded.ts'
import { signIn } from '../../platform/identity/actions.ts'
import { type Sheet, useSessionStore } from '../../platform/identity/session.ts'
import { useWords } from '../words.ts'
import styles from './MailLink.module.css'
import { MailLinkForm, type Next, useIsIn } from './MailLink.tsx'
import { useAuthWords } from './words.ts'

export default function SignInSheet({ open, why, link }: Sheet) {
  const words = useAuthWords()
  const { close: closeLabel } = useWords()
  const isIn = useIsIn()
  const [isSent, setIsSent] = useState(false)
  const byMail = useByMail()
  const chosen = useSessionStore((store) => store.chosen)
  const close = () => useSessionStore.setState({ sheet: { open: false, why, ...(link === undefined ? {} : { link }) } })
  // The user may have signed in in another tab, by the link in the mail.
  useEffect(() => {
    if (isIn && why !== 'upi') useSessionStore.setState({ sheet: { open: false, why } })
  }, [isIn, why])
  const where = findEmbeddedBrowser()
  const app = where?.app ?? words.thisApp
  const address = addressWith(chosen)
  const leave = where === null ? null : leavingLink(address, where)
  const again = () => {
    close()
    void signIn('button')
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      size="sm"
      closeLabel={closeLabel}
      title={why === 'embedded' || why === 'upi' ? words[why](app) : words[why]}
      description={isSent && why === 'mail' ? undefined : words.detail[why]}
    >
      <div className="stack-3">
        {why === 'popup' ? (
          <Button block tone="primary" onClick={again}>
            {words.again}
          </Button>
        ) : null}
        {leave === null || why === 'mail' ? null : (
          <AnchorButton block tone="primary" href={leave} icon={<ExternalLink />}>
            {where?.system === 'ios' ? words.leaveIos : words.leave}
          </AnchorButton>
        )}
        {why === 'mail' ? null : <CopyLink address={address} />}
        {where === null || why === 'mail' ? null : <p className="soft">{words.byHand}</p>}
        {why === 'upi' ? (
          <AnchorButton block tone="ghost" href={link}>
            {words.upiAnyway}
          </AnchorButton>
        ) : (
          <>
            {why === 'mail' || !byMail ? null : <h3 className={styles.or}>{words.or}</h3>}
            <MailLinkForm next={getNextPage(chosen)} primary={why === 'mail'} onSent={setIsSent} />
          </>
        )}
      </div>
    </Dialog>
  )
}

function addressWith(chosen: number | undefined): string {
  const url = new URL(location.href)
  // A ticket link keeps its token.
  if (url.pathname !== WALLET_PAGE) url.hash = ''
  if (chosen !== undefined) url.searchParams.delete('tickets')
  if (chosen !== undefined && chosen > 1) url.searchParams.set('tickets', `${chosen}`)
  return url.href
}

function getNextPage(chosen: number | undefined): Next {
  const { pathname } = location
  if (pathname.startsWith(orderPage(''))) return { order: pathname.slice(orderPage('').length) }
  return chosen !== undefined && chosen > 1 ? { tickets: chosen } : {}
}

const CopyLink = ({ address }: { address: string }) => {
  const words = useAuthWords()
  const [copied, setCopied] = useState<boolean | null>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address)
      setCopied(true)
    } catch (error) {
      console.info('No clipboard', error)
      setCopied(false)
    }
  }
  return (
    <>
      <Button block icon={<Copy />} onClick={() => void copy()}>
        {words.copy}
      </Button>
      <p role="status" className="soft" hidden={copied !== true}>
        {copied === true ? words.copied : null}
      </p>
      {copied === false ? (
        <TextField
          label={words.address}
          hint={words.notCopied}
          value={address}
          readOnly
          onFocus={({ target }) => target.select()}
        />
      ) : null}
    </>
  )
}
