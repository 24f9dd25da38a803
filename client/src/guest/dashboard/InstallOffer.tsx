import { Share, SquarePlus, Ticket } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { askInstall, useInstall } from '../../platform/pwa/install.ts'
import { local } from '../../platform/store/local.ts'
import { useWords } from '../words.ts'
import styles from './InstallOffer.module.css'

const DISMISSED = 'garba.installDismissed'

/** A quiet offer to put the tickets on the home screen; once declined, it never comes back on this device. */
export const InstallOffer = () => {
  const { install } = useWords()
  const way = useInstall((store) => store.way)
  const [dismissed, setDismissed] = useState(() => local.read(DISMISSED) === '1')
  if (dismissed || (way !== 'prompt' && way !== 'ios')) return null
  const dismiss = () => {
    local.write(DISMISSED, '1')
    setDismissed(true)
  }
  return (
    <aside className={styles.offer} aria-labelledby="install-offer">
      <img src="/icons/guest-192.png" alt="" width={56} height={56} className={styles.icon} />
      <div className={styles.words}>
        <h2 id="install-offer" className={styles.title}>
          {install.title}
        </h2>
        <p>{install.detail}</p>
        {way === 'ios' ? <IosSteps /> : null}
      </div>
      <div className={styles.buttons}>
        {way === 'prompt' ? (
          <Button tone="primary" onClick={() => void askInstall()}>
            {install.action}
          </Button>
        ) : null}
        <Button tone="ghost" onClick={dismiss}>
          {install.dismiss}
        </Button>
      </div>
    </aside>
  )
}

/** Safari has no install prompt: the steps, with its own button icons. */
const IosSteps = () => {
  const {
    install: { ios },
  } = useWords()
  return (
    <ol className={styles.steps}>
      <Step picture={<Share aria-hidden="true" />}>
        {ios.share} {ios.where}
      </Step>
      <Step picture={<SquarePlus aria-hidden="true" />}>{ios.add}</Step>
      <Step picture={<Ticket aria-hidden="true" />}>{ios.open}</Step>
    </ol>
  )
}

const Step = ({ picture, children }: { picture: ReactNode; children: ReactNode }) => (
  <li className={styles.step}>
    <span className={styles.picture}>{picture}</span>
    <span>{children}</span>
  </li>
)
