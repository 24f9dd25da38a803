import { Download, Share, SquarePlus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Banner } from '../../../kit/Banner.tsx'
import { Button } from '../../../kit/Button.tsx'
import { Dialog } from '../../../kit/Dialog.tsx'
import { askInstall, useInstall } from '../../../platform/pwa/install.ts'
import { INSTALL } from '../../texts/phone.ts'
import styles from './InstallScanner.module.css'

/**
 * null where this page is installed already or the browser cannot install it. `steps` is rendered beside the button:
 * `install` opens it where the browser has no prompt of its own.
 */
export function useInstaller(): { install: () => void; steps: ReactNode } | null {
  const way = useInstall((store) => store.way)
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  if (way === 'prompt') return { install: () => void askInstall(), steps: null }
  if (way !== 'ios') return null
  return { install: () => setOpen(true), steps: <IosSteps open={open} onClose={close} /> }
}

export const InstallButton = () => {
  const installer = useInstaller()
  if (installer === null) return null
  return (
    <div>
      <Button size="sm" icon={<Download />} onClick={installer.install}>
        {INSTALL.title}
      </Button>
      {installer.steps}
    </div>
  )
}

export const InstallOffer = () => {
  const installer = useInstaller()
  if (installer === null) return null
  return (
    <>
      <Banner
        title={INSTALL.title}
        actions={
          <Button icon={<Download />} onClick={installer.install}>
            {INSTALL.action}
          </Button>
        }
      >
        <p>{INSTALL.detail}</p>
      </Banner>
      {installer.steps}
    </>
  )
}

const IosSteps = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Dialog open={open} onClose={onClose} title={INSTALL.title} description={INSTALL.detail}>
    <ol className={styles.steps}>
      <li>
        <Share />
        <span>{INSTALL.ios.share}</span>
      </li>
      <li>
        <SquarePlus />
        <span>{INSTALL.ios.add}</span>
      </li>
      <li>
        <Download />
        <span>{INSTALL.ios.open}</span>
      </li>
    </ol>
  </Dialog>
)
