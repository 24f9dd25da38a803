import { SECOND_MS } from '@garba/shared/constants'
import { ClipboardCheck, ListChecks } from 'lucide-react'
import { useState } from 'react'
import { useNow } from '../../../platform/screen/now.ts'
import { formatAge } from '../../core/moment.ts'
import { listOpenChecks } from '../../core/readiness.ts'
import { goTo } from '../../core/useView.ts'
import { useRoster } from '../../store/rosterMemory.ts'
import { READINESS } from '../../texts/phone.ts'
import { START } from '../../texts/scanner.ts'
import { useStationNames } from './Head.tsx'
import styles from './StartCard.module.css'

export const StartCard = () => {
  const now = useNow(SECOND_MS)
  const { where, who } = useStationNames()
  const { size, syncedAt } = useRoster()
  const [open] = useState(listOpenChecks)
  const names = open.map((name) => READINESS[name].title)
  const shown = names.length > 3 ? 2 : names.length
  return (
    <section className={styles.card} aria-label={START.label}>
      <p className={styles.where}>{where}</p>
      <p className={styles.who}>{who}</p>
      <p className={styles.fact}>
        <ListChecks />
        {syncedAt === null ? START.noList : START.list(size, formatAge(now - syncedAt))}
      </p>
      <button type="button" className={styles.fact} onClick={() => goTo('readiness')}>
        <ClipboardCheck />
        {names.length === 0 ? START.tested : START.untested(names.slice(0, shown), names.length - shown)}
      </button>
    </section>
  )
}
