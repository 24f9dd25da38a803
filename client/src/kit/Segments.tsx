import { Toggle } from '@base-ui/react/toggle'
import { ToggleGroup } from '@base-ui/react/toggle-group'
import type { ReactNode } from 'react'
import styles from './Segments.module.css'

interface Choice<T extends string> {
  value: T
  label: ReactNode
}

interface SegmentsProps<T extends string> {
  label: string
  value: T
  options: readonly Choice<T>[]
  onChange: (value: T) => void
}

export const Segments = <T extends string>({ label, value, options, onChange }: SegmentsProps<T>) => (
  <ToggleGroup
    className={styles.segments}
    aria-label={label}
    value={[value]}
    onValueChange={([next]) => {
      if (next !== undefined) onChange(next)
    }}
  >
    {options.map((option) => (
      <Toggle key={option.value} value={option.value} className={styles.segment}>
        {option.label}
      </Toggle>
    ))}
  </ToggleGroup>
)
