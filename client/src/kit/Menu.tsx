import { Menu as Base } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './Menu.module.css'
import { useSurface } from './Surface.tsx'

interface MenuProps {
  /** A button element (Button, IconButton); the menu gives it its state and keys. */
  trigger: ReactElement
  align?: 'start' | 'center' | 'end'
  open?: boolean
  onOpenChange?: (open: boolean) => void
  /** MenuItem, MenuLink, MenuChoice, MenuHeading, MenuSeparator. */
  children: ReactNode
}

export const Menu = ({ trigger, align = 'end', open, onOpenChange, children }: MenuProps) => {
  const surface = useSurface()
  return (
    <Base.Root modal={false} open={open} onOpenChange={onOpenChange && ((next) => onOpenChange(next))}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={styles.positioner} sideOffset={8} align={align} collisionPadding={8}>
          <Base.Popup className={styles.popup} data-surface={surface}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

interface MenuItemProps {
  icon?: ReactNode
  tone?: 'danger'
  disabled?: boolean
  /** Stays open after the press, for items that become busy. */
  keepOpen?: boolean
  onSelect: () => void
  children: ReactNode
}

export const MenuItem = ({ icon, tone, disabled = false, keepOpen = false, onSelect, children }: MenuItemProps) => (
  <Base.Item
    className={cx(styles.item, tone === 'danger' && styles.danger)}
    disabled={disabled}
    closeOnClick={!keepOpen}
    onClick={onSelect}
  >
    {icon}
    <span>{children}</span>
  </Base.Item>
)

/** An item that is a link; `render` is the link element of the router. */
export const MenuLink = ({
  icon,
  render,
  children,
}: {
  icon?: ReactNode
  render: ReactElement
  children: ReactNode
}) => (
  <Base.LinkItem className={styles.item} closeOnClick render={render}>
    {icon}
    <span>{children}</span>
  </Base.LinkItem>
)

interface MenuChoiceProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; label: ReactNode; lang?: string }[]
  onChange: (value: T) => void
}

/** One of several, the chosen one ticked. */
export const MenuChoice = <T extends string>({ label, value, options, onChange }: MenuChoiceProps<T>) => (
  <Base.Group>
    <Base.GroupLabel className={styles.heading}>{label}</Base.GroupLabel>
    <Base.RadioGroup value={value} onValueChange={(next: T) => onChange(next)}>
      {options.map((option) => (
        <Base.RadioItem key={option.value} value={option.value} className={styles.item} closeOnClick lang={option.lang}>
          <span className={styles.tick}>
            <Base.RadioItemIndicator>
              <Check aria-hidden="true" />
            </Base.RadioItemIndicator>
          </span>
          <span>{option.label}</span>
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  </Base.Group>
)

/** Text at the head of the menu: who is signed in. */
export const MenuHeading = ({ children }: { children: ReactNode }) => <div className={styles.who}>{children}</div>

export const MenuSeparator = () => <Base.Separator className={styles.separator} />
