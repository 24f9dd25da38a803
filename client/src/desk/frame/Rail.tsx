import { DESK } from '@garba/shared/messages/desk'
import { Ellipsis } from 'lucide-react'
import { Link, NavLink } from 'react-router'
import { cx } from '../../kit/cx.ts'
import { Menu, MenuLink } from '../../kit/Menu.tsx'
import { type Desk, placesOf } from './places.ts'
import styles from './Rail.module.css'

/** How many views a phone's bar has room for, beside More. */
const IN_BAR = 4

/** The way to every view: at the left, or on phones at the foot with the rest under More. */
export const Rail = ({ desk }: { desk: Desk }) => {
  const places = placesOf(desk)
  const rest = places.slice(IN_BAR)
  return (
    <div className={styles.rail}>
      <nav className={styles.nav} aria-label={DESK.rail.label}>
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
                <button type="button" className={styles.place}>
                  <Ellipsis aria-hidden="true" />
                  <span>{DESK.rail.more}</span>
                </button>
              }
            >
              {rest.map(({ to, label, Icon }) => (
                <MenuLink key={to} icon={<Icon aria-hidden="true" />} render={<Link to={to} />}>
                  {label}
                </MenuLink>
              ))}
            </Menu>
          </div>
        )}
      </nav>
    </div>
  )
}
