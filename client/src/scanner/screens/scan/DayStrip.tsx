import { CalendarDays } from 'lucide-react'
import { Button } from '../../../kit/Button.tsx'
import { useOtherDay, usePractice } from '../../scan/practice.ts'
import { DAY } from '../../texts/scanner.ts'
import styles from './DayStrip.module.css'

export const DayStrip = () => {
  const other = useOtherDay()
  const isOn = usePractice((practice) => practice.isOn)
  if (other === null) return null
  return (
    <section className={styles.strip} aria-label={DAY.label} data-day data-practice={isOn || undefined}>
      <CalendarDays />
      <p role="status">{isOn ? DAY.practising : DAY.strip(other)}</p>
      <Button size="sm" aria-pressed={isOn} onClick={() => usePractice.setState({ isOn: !isOn })}>
        {isOn ? DAY.stop : DAY.practise}
      </Button>
    </section>
  )
}
