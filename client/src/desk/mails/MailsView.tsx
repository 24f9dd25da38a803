import type { DemoMail } from '@garba/shared/contracts/common'
import { useQuery } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { useState } from 'react'
import { EmptyState } from '../../kit/Banner.tsx'
import { Segments } from '../../kit/Segments.tsx'
import { SkeletonLines } from '../../kit/Skeleton.tsx'
import { queries } from '../../platform/queries.ts'
import { DeskFrame, RefreshButton } from '../frame/DeskFrame.tsx'
import { useDates } from '../frame/dates.ts'
import { LoadFailure } from '../frame/LoadedCard.tsx'
import { DESK } from '../texts/desk.ts'
import styles from './MailsView.module.css'

const words = DESK.mails

export default function MailsView() {
  const query = useQuery(queries.demoMails())
  const load = { query, failed: words.failed }
  return (
    <DeskFrame title={DESK.titles.mails} actions={<RefreshButton query={load.query} />}>
      <LoadFailure {...load} />
      {query.isPending ? <SkeletonLines lines={6} label={words.loading} /> : null}
      {query.data === undefined ? null : <Mails mails={query.data.mails} />}
    </DeskFrame>
  )
}

const Mails = ({ mails }: { mails: readonly DemoMail[] }) => {
  const [chosen, choose] = useState<string | null>(null)
  const { momentOf } = useDates()
  const open = mails.find(({ id }) => id === chosen) ?? mails[0]
  if (!open)
    return (
      <EmptyState title={words.none} icon={<Mail />} level={2}>
        {words.noneText}
      </EmptyState>
    )
  return (
    <div className={styles.mails}>
      <ul className={styles.list} aria-label={words.list}>
        {mails.map(({ id, to, subject, at }) => (
          <li key={id}>
            <button type="button" className={styles.mail} aria-pressed={id === open.id} onClick={() => choose(id)}>
              <span className={styles.subject}>{subject}</span>
              <span className={styles.to}>{to}</span>
              <time dateTime={at} className="tabular">
                {momentOf(at)}
              </time>
            </button>
          </li>
        ))}
      </ul>
      <Reading key={open.id} mail={open} />
    </div>
  )
}

type Form = 'html' | 'text'
const FORMS = [
  { value: 'html', label: words.html },
  { value: 'text', label: words.text },
] as const

const Reading = ({ mail: { subject, to, html, text } }: { mail: DemoMail }) => {
  const [form, setForm] = useState<Form>('html')
  return (
    <article className={styles.reading}>
      <header className={styles.head}>
        <div>
          <h2 className={styles.title}>{subject}</h2>
          <p className={styles.to}>
            {words.to}: {to}
          </p>
        </div>
        <Segments label={words.form} value={form} options={FORMS} onChange={setForm} />
      </header>
      {form === 'html' ? (
        // The sandbox gives the mail its own origin and no scripts; its links open in a new tab.
        <iframe
          className={styles.page}
          title={subject}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          srcDoc={html.replace('<head>', '<head><base target="_blank">')}
        />
      ) : (
        <pre className={styles.plain}>{text}</pre>
      )}
    </article>
  )
}
