import { Menu as Base } from '@base-ui/react/menu'
import {
  createContext,
  type ReactElement,
  type ReactNode,
  type RefObject,
  use,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { cx } from './cx.ts'
import row from './listItem.module.css'
import styles from './Menu.module.css'
import { useSurface } from './Surface.tsx'
import { useBackCloses } from './useBackCloses.ts'

/**
 * Where a menu or a list opens: in the page's main landmark, where people who move by landmarks find it, or in its dialog,
 * because everything else is inert then. A dialog clips what is not fixed.
 */
export const popupPlace = (opener?: RefObject<Element | null>): RefObject<HTMLElement | null> => ({
  get current() {
    return opener?.current?.closest<HTMLElement>('[role="dialog"]') ?? document.querySelector('main')
  },
})

interface MenuProps {
  /** A button element (Button, IconButton); the menu gives it its state and keys. */
  trigger: ReactElement
  children: ReactNode
}

export const Menu = ({ trigger, children }: MenuProps) => {
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  useBackCloses(open, () => setOpen(false))
  return (
    <Base.Root modal={false} open={open} onOpenChange={setOpen}>
      <Base.Trigger ref={button} render={trigger} />
      <Popup opener={button}>{children}</Popup>
    </Base.Root>
  )
}

const Popup = ({ opener, children }: { opener?: RefObject<HTMLElement | null>; children: ReactNode }) => {
  const surface = useSurface()
  return (
    <Base.Portal className={row.place} container={popupPlace(opener)}>
      <Base.Positioner
        className={styles.positioner}
        positionMethod="fixed"
        sideOffset={8}
        align="end"
        collisionPadding={8}
      >
        <Base.Popup className={styles.popup} {...surface}>
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  )
}

const SharedMenu = createContext<Base.Handle<ReactNode> | null>(null)

/**
 * One menu for all the triggers in it, such as the rows of a table: a separate menu takes as long to draw as the rest of
 * its row.
 */
export const MenuGroup = ({ children }: { children: ReactNode }) => {
  const [handle] = useState(() => Base.createHandle<ReactNode>())
  const [open, setOpen] = useState(false)
  useBackCloses(open, () => handle.close())
  return (
    <SharedMenu value={handle}>
      {children}
      <Base.Root handle={handle} modal={false} onOpenChange={setOpen}>
        {({ payload }) => <Popup>{payload}</Popup>}
      </Base.Root>
    </SharedMenu>
  )
}

/** Opens the menu of its MenuGroup with these items. The menu closes when its trigger is removed. */
export const GroupTrigger = ({ trigger, children }: Pick<MenuProps, 'trigger' | 'children'>) => {
  const handle = use(SharedMenu)
  if (handle === null) throw new Error('GroupTrigger needs a MenuGroup around it')
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const own = button.current
    return () => {
      if (own?.getAttribute('aria-expanded') === 'true') handle.close()
    }
  }, [handle])
  return <Base.Trigger ref={button} handle={handle} payload={children} render={trigger} />
}

interface MenuItemProps {
  icon?: ReactNode
  tone?: 'danger'
  disabled?: boolean
  why?: string | undefined
  /** Keeps the menu open after the press, for items that become busy. */
  keepOpen?: boolean
  onSelect: () => void
  children: ReactNode
}

export const MenuItem = ({
  icon,
  tone,
  disabled = false,
  why,
  keepOpen = false,
  onSelect,
  children,
}: MenuItemProps) => {
  const id = useId()
  const isReasoned = why !== undefined
  return (
    <Base.Item
      className={cx(row.item, styles.item, tone === 'danger' && styles.danger)}
      disabled={disabled || isReasoned}
      closeOnClick={!keepOpen}
      aria-labelledby={isReasoned ? `${id}-what` : undefined}
      aria-describedby={isReasoned ? `${id}-why` : undefined}
      onClick={onSelect}
    >
      {icon}
      <span>
        <span id={isReasoned ? `${id}-what` : undefined}>{children}</span>
        {isReasoned ? (
          <span id={`${id}-why`} className={styles.why}>
            {why}
          </span>
        ) : null}
      </span>
    </Base.Item>
  )
}

export const MenuLink = ({
  icon,
  render,
  children,
}: {
  icon?: ReactNode
  render: ReactElement
  children: ReactNode
}) => (
  <Base.LinkItem className={cx(row.item, styles.item)} closeOnClick render={render}>
    {icon}
    <span>{children}</span>
  </Base.LinkItem>
)

export const MenuHeading = ({ children }: { children: ReactNode }) => <div className={styles.who}>{children}</div>

export const MenuSeparator = () => <Base.Separator className={styles.separator} />
