import { CSPProvider } from '@base-ui/react/csp-provider'
import { Select as Base } from '@base-ui/react/select'
import { Check, ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { cx } from './cx.ts'
import field from './Field.module.css'
import row from './listItem.module.css'
import { popupPlace } from './Menu.tsx'
import styles from './Select.module.css'
import { useSurface } from './Surface.tsx'
import { useBackCloses } from './useBackCloses.ts'

export interface SelectOption<T extends string> {
  value: T
  label: ReactNode
}

interface SelectProps<T extends string> {
  label: string
  hideLabel?: boolean
  value: T
  options: readonly SelectOption<T>[]
  onChange: (value: T) => void
  disabled?: boolean
  size?: 'sm' | 'md' | 'chip'
  className?: string
}

export const Select = <T extends string>(props: SelectProps<T>) => {
  const { label, hideLabel = false, value, options, onChange, disabled = false, size = 'md' } = props
  const surface = useSurface()
  const id = useId()
  const trigger = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  useBackCloses(open, () => setOpen(false))
  return (
    <div className={cx(field.field, props.className)}>
      {hideLabel ? null : (
        <label className={field.label} htmlFor={id}>
          {label}
        </label>
      )}
      <Base.Root
        items={options}
        value={value}
        onValueChange={(next) => {
          if (next !== null) onChange(next)
        }}
        disabled={disabled}
        modal={false}
        open={open}
        onOpenChange={setOpen}
      >
        <Base.Trigger
          ref={trigger}
          id={id}
          className={cx(field.control, styles.trigger, size !== 'md' && styles[size])}
          {...(hideLabel ? { 'aria-label': label } : {})}
        >
          <Base.Value className={styles.value} />
          <Base.Icon className={styles.icon}>
            <ChevronDown />
          </Base.Icon>
        </Base.Trigger>
        {/* The content security policy forbids style elements; Select.module.css has these styles. */}
        <CSPProvider disableStyleElements>
          <Base.Portal className={row.place} container={popupPlace(trigger)}>
            <Base.Positioner
              className={styles.positioner}
              positionMethod="fixed"
              sideOffset={6}
              alignItemWithTrigger={false}
              collisionPadding={8}
            >
              <Base.Popup className={styles.popup} {...surface}>
                <Base.List className={styles.list}>
                  {options.map((option) => (
                    <Base.Item key={option.value} value={option.value} className={cx(row.item, styles.item)}>
                      <span className={styles.tick}>
                        <Base.ItemIndicator>
                          <Check />
                        </Base.ItemIndicator>
                      </span>
                      <Base.ItemText>{option.label}</Base.ItemText>
                    </Base.Item>
                  ))}
                </Base.List>
              </Base.Popup>
            </Base.Positioner>
          </Base.Portal>
        </CSPProvider>
      </Base.Root>
    </div>
  )
}
