import { Tabs as Base } from '@base-ui/react/tabs'
import { Toggle } from '@base-ui/react/toggle'
import { ToggleGroup } from '@base-ui/react/toggle-group'
import type { ReactNode } from 'react'
import styles from './Tabs.module.css'

interface Choice<T extends string> {
  value: T
  label: ReactNode
}

interface TabsProps<T extends string> {
  label: string
  value: T
  tabs: readonly Choice<T>[]
  onChange: (value: T) => void
  /** TabPanel elements. */
  children: ReactNode
}

export const Tabs = <T extends string>({ label, value, tabs, onChange, children }: TabsProps<T>) => (
  <Base.Root value={value} onValueChange={(next: T) => onChange(next)}>
    <Base.List className={styles.list} aria-label={label}>
      {tabs.map((tab) => (
        <Base.Tab key={tab.value} value={tab.value} className={styles.tab}>
          {tab.label}
        </Base.Tab>
      ))}
      <Base.Indicator className={styles.indicator} />
    </Base.List>
    {children}
  </Base.Root>
)

export const TabPanel = ({ value, children }: { value: string; children: ReactNode }) => (
  <Base.Panel value={value} className={styles.panel}>
    {children}
  </Base.Panel>
)

interface SegmentsProps<T extends string> {
  label: string
  value: T
  options: readonly Choice<T>[]
  onChange: (value: T) => void
}

/** A short choice in a row, one always chosen: the range switch. */
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
