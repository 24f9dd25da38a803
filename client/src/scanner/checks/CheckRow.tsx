import { READINESS } from '@garba/shared/messages/readiness'
import { CircleCheck, CircleDashed, CircleMinus, CircleX, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../../kit/cx.ts'
import { Spinner } from '../../kit/Spinner.tsx'
import styles from './CheckRow.module.css'
import type { Result } from './result.ts'

const LOOKS = {
  untested: { Icon: CircleDashed, word: READINESS.untested },
  testing: { Icon: null, word: READINESS.states.testing },
  good: { Icon: CircleCheck, word: READINESS.states.good },
  weak: { Icon: TriangleAlert, word: READINESS.states.weak },
  bad: { Icon: CircleX, word: READINESS.states.bad },
  absent: { Icon: CircleMinus, word: READINESS.states.absent },
} as const

/** One check: its name, its state as shape, colour and word, and what its test found. */
export const CheckRow = ({ title, result, children }: { title: string; result: Result; children?: ReactNode }) => {
  const { Icon, word } = LOOKS[result.type]
  return (
    <li className={styles.row} data-check={result.type}>
      <span className={cx(styles.mark, styles[result.type])}>
        {Icon === null ? <Spinner size={24} /> : <Icon aria-hidden="true" />}
      </span>
      <div>
        <h2 className={styles.title}>{title}</h2>
        <p className={styles.detail}>
          <strong className={styles[result.type]}>{word}</strong>
          {'detail' in result ? `: ${result.detail}` : ''}
        </p>
        {children === undefined ? null : <div className={styles.actions}>{children}</div>}
      </div>
    </li>
  )
}
