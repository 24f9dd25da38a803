import styles from './ProgressBar.module.css'

interface ProgressBarProps {
  label: string
  /** 0 to 100; anything beyond is clamped. */
  value: number
  /** Read out instead of the percentage: "120 of 500 sold". */
  valueText?: string
}

export const ProgressBar = ({ label, value, valueText }: ProgressBarProps) => {
  const held = Math.min(100, Math.max(0, Number.isFinite(value) ? value : 0))
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(held)}
      aria-valuetext={valueText}
      className={styles.track}
    >
      <div className={styles.fill} style={{ width: `${held}%` }} />
    </div>
  )
}
