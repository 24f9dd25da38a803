import { DESK } from '@garba/shared/messages/desk'
import { Ellipsis, Search } from 'lucide-react'
import { lazy, Suspense, useLayoutEffect, useState } from 'react'
import { Link, matchPath, NavLink, useLocation } from 'react-router'
import { cx } from '../../kit/cx.ts'
import { Menu, MenuItem, MenuLink } from '../../kit/Menu.tsx'
import { useDeskEvent } from './deskEvent.ts'
import { type Desk, usePlaces } from './places.ts'
import styles from './Rail.module.css'

const DeskPalette = lazy(() => import('../palette/DeskPalette.tsx'))

const words = DESK.rail
/** How many views a phone's bar has room for, beside More. */
const IN_BAR = 4

/** The way to every view, and to a person or ticket: at the left, or on phones at the foot with the rest under More. */
export const Rail = ({ desk }: { desk: Desk }) => {
  const { asked } = useDeskEvent()
  const places = usePlaces(desk, asked.event)
  const rest = places.slice(IN_BAR)
  const { pathname } = useLocation()
  const isUnderMore = rest.some(({ to }) => matchPath(to.split('?')[0] ?? to, pathname) !== null)
  const { finding, find, close } = useFinding()
  return (
    <div className={styles.rail}>
      <nav className={styles.nav} aria-label={words.label}>
        <button
          type="button"
          className={cx(styles.place, styles.find, rest.length > 0 && styles.rest)}
          aria-keyshortcuts="Control+K Meta+K"
          onClick={find}
        >
          <Search aria-hidden="true" />
          <span>{words.find}</span>
          <span className={styles.keys} aria-hidden="true">
            {isMac() ? '⌘K' : 'Ctrl K'}
          </span>
        </button>
        {places.map(({ to, label, Icon }, index) => (
          <NavLink key={to} to={to} end={index === 0} className={cx(styles.place, index >= IN_BAR && styles.rest)}>
            <Icon aria-hidden="true" />
            <span>{label}</span>
          </NavLink>
        ))}
        {rest.length === 0 ? null : (
          <div className={styles.more}>
            <Menu
              trigger={
                <button type="button" className={styles.place} aria-current={isUnderMore || undefined}>
                  <Ellipsis aria-hidden="true" />
                  <span>{words.more}</span>
                </button>
              }
            >
              {rest.map(({ to, label, Icon }) => (
                <MenuLink key={to} icon={<Icon aria-hidden="true" />} render={<Link to={to} />}>
                  {label}
                </MenuLink>
              ))}
              <MenuItem icon={<Search aria-hidden="true" />} onSelect={find}>
                {words.find}
              </MenuItem>
            </Menu>
          </div>
        )}
      </nav>
      {finding === 'never' ? null : (
        <Suspense fallback={null}>
          <DeskPalette desk={desk} open={finding === 'open'} onClose={close} />
        </Suspense>
      )}
    </div>
  )
}

const isMac = () => /mac|iphone|ipad/i.test(navigator.platform)

/** Ctrl or Cmd and K open and close the palette, except over another dialog. Its code is fetched at the first need. */
function useFinding() {
  const [finding, setFinding] = useState<'never' | 'open' | 'closed'>('never')
  // With the first paint: a key pressed at once must not be lost.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      setFinding((before) => {
        if (before === 'open') return 'closed'
        return document.querySelector('[role="dialog"], [role="alertdialog"]') ? before : 'open'
      })
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return { finding, find: () => setFinding('open'), close: () => setFinding('closed') }
}
