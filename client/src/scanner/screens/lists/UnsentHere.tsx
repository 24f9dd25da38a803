import { SECOND_MS } from '@garba/shared/constants'
import { useEffect } from 'react'
import { Banner } from '../../../kit/Banner.tsx'
import { useNow } from '../../../platform/screen/now.ts'
import { formatAge } from '../../core/moment.ts'
import { onNews } from '../../store/news.ts'
import { refreshStored, useStored } from '../../store/useStored.ts'
import { wholeText } from '../../texts/phrases.ts'
import { STATUS_BAR, UNSENT } from '../../texts/scanner.ts'
import styles from '../scan/Center.module.css'

/** Screens without scanning show this, so that people know that unsent scans stay on the device. */
export default function UnsentHere({ text = UNSENT.signedOut }: { text?: (count: number) => string }) {
  const unsent = useStored((store) => store.unsent)
  const now = useNow(SECOND_MS)
  useEffect(() => {
    void refreshStored(['outbox'])
    return onNews((news) => void (news.has('outbox') && refreshStored(['outbox'])))
  }, [])
  if (unsent === null || unsent.oldest === null) return null
  return (
    <Banner
      tone="warn"
      className={styles.waiting ?? ''}
      title={wholeText(STATUS_BAR.unsent(unsent.count, formatAge(now - Date.parse(unsent.oldest))))}
    >
      <p>{text(unsent.count)}</p>
    </Banner>
  )
}
