import type { ReactNode } from 'react'
import { Button } from '../../kit/Button.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { GarboRings } from '../../kit/GarboRings.tsx'
import { Spinner } from '../../kit/Spinner.tsx'
import { usePageTitle } from '../../platform/page.ts'
import { useWords } from '../words.ts'
import styles from './Notice.module.css'

interface NoticeProps {
  title: string
  detail?: string
  alert?: boolean
  children?: ReactNode
}

export const Notice = ({ title, detail, alert = false, children }: NoticeProps) => (
  <section className={styles.notice} role={alert ? 'alert' : undefined}>
    <div className={styles.stage}>
      <GarboRings className={styles.rings} still />
      <div className={styles.inside}>
        <h1 className={styles.title}>{title}</h1>
        {detail === undefined ? null : <p className={styles.detail}>{detail}</p>}
      </div>
    </div>
    {children === undefined ? null : <div className={styles.actions}>{children}</div>}
  </section>
)

export const CrashScreen = () => {
  const { crash } = useWords().screens
  return (
    <Notice title={crash.title} detail={crash.detail} alert>
      <Button tone="primary" onClick={() => location.reload()}>
        {crash.action}
      </Button>
    </Notice>
  )
}

interface DeadEndProps {
  title: string
  detail: string
  action: string
  to?: string
}

export const DeadEnd = ({ title, detail, action, to = '/' }: DeadEndProps) => {
  usePageTitle(title)
  return (
    <Notice title={title} detail={detail}>
      <ButtonLink to={to} tone="primary">
        {action}
      </ButtonLink>
    </Notice>
  )
}

export const Waiting = ({ text }: { text: string }) => (
  <div className={styles.waiting} role="status">
    <Spinner size={32} />
    <p>{text}</p>
  </div>
)

export const LoadingDashboard = () => <Waiting text={useWords().screens.loadingDashboard} />
export const Redirecting = () => <Waiting text={useWords().screens.redirecting} />
