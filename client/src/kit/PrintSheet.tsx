import { Fragment, type ReactNode, useLayoutEffect, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { Fact } from './Card.tsx'
import styles from './PrintSheet.module.css'
import { Qr } from './Qr.tsx'

export const PrintedPages = ({ children }: { children: ReactNode }) =>
  usePrinting()
    ? createPortal(
        <div className={styles.sheets} data-surface="paper">
          {children}
        </div>,
        document.body,
      )
    : null

interface PrintedTicketProps {
  title: string
  lines: readonly string[]
  code: { text: string; label: string } | null
  name: string
  type: string | null
  id: string
  facts: readonly (readonly [label: string, value: string])[]
  small: string
}

const LONG_TITLE = 48

export const PrintedTicket = ({ title, lines, code, name, type, id, facts, small }: PrintedTicketProps) => (
  <article className={styles.sheet}>
    <header className={styles.head}>
      <h1 className={styles.event} data-long={title.length > LONG_TITLE}>
        {title}
      </h1>
      {lines.length === 0 ? null : (
        <p>
          {lines.map((line, index) => (
            <Fragment key={line}>
              {index === 0 ? null : <br />}
              {line}
            </Fragment>
          ))}
        </p>
      )}
    </header>
    <div className={styles.code}>
      {code === null ? null : <Qr text={code.text} label={code.label} className={styles.qr} />}
      <p className={styles.id}>{id}</p>
    </div>
    <div className={styles.text}>
      <p className={styles.name}>{name}</p>
      {type === null ? null : <p className={styles.type}>{type}</p>}
      <dl className={styles.facts}>
        {facts.map(([label, value]) => (
          <Fact key={label} label={label}>
            {value}
          </Fact>
        ))}
      </dl>
      <p className={styles.small}>{small}</p>
    </div>
  </article>
)

/**
 * Whether the page is being printed: the print sheet exists only then. Both signals are needed: Safari changes the
 * print media query without sending the events, Firefox sends the events without changing the query.
 */
function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false)
  // A layout effect listens before the first paint, because a visible ticket can be printed.
  useLayoutEffect(() => {
    const set = (is: boolean) => flushSync(() => setPrinting(is))
    const before = () => set(true)
    const after = () => set(false)
    const media = matchMedia('print')
    const changed = () => set(media.matches)
    window.addEventListener('beforeprint', before)
    window.addEventListener('afterprint', after)
    media.addEventListener('change', changed)
    return () => {
      window.removeEventListener('beforeprint', before)
      window.removeEventListener('afterprint', after)
      media.removeEventListener('change', changed)
    }
  }, [])
  return printing
}
