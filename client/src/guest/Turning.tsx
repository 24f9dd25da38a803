import { ChevronLeft, ChevronRight } from 'lucide-react'
import { IconButton } from '../kit/IconButton.tsx'
import styles from './Turning.module.css'
import { useWords } from './words.ts'

/** The buttons turn to the previous or next ticket; the position between them is announced. */
export const Turning = ({ at, of, go }: { at: number; of: number; go: (to: number) => void }) => {
  const { entryPass: words } = useWords()
  return (
    <>
      <IconButton
        outlined
        label={words.previous}
        icon={<ChevronLeft aria-hidden="true" />}
        aria-disabled={at === 0}
        className={styles.turn}
        onClick={() => go(at - 1)}
      />
      <p className={styles.count} aria-live="polite">
        {words.of(at + 1, of)}
      </p>
      <IconButton
        outlined
        label={words.next}
        icon={<ChevronRight aria-hidden="true" />}
        aria-disabled={at === of - 1}
        className={styles.turn}
        onClick={() => go(at + 1)}
      />
    </>
  )
}
