import { HOMES } from '@garba/shared/contracts/site/pages'
import { LayoutDashboard, LogOut, ScanLine, Ticket, Users } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { RoleBadge } from '../../kit/Badge.tsx'
import { ConfirmDialog } from '../../kit/Dialog.tsx'
import { Menu, MenuHeading, MenuItem, MenuLink, MenuSeparator } from '../../kit/Menu.tsx'
import { Avatar } from '../../kit/Person.tsx'
import { signOut } from '../../platform/identity/actions.ts'
import { usePerson } from '../../platform/identity/person.ts'
import { findSessionRole, useSession, useSigningOut } from '../../platform/identity/session.ts'
import { useOnline } from '../../platform/net/connectivity.ts'
import { useAuthWords } from '../auth/words.ts'
import { useWords } from '../words.ts'
import styles from './UserMenu.module.css'

export default function UserMenu() {
  const { header } = useWords()
  const signingOut = useSigningOut()
  const navigate = useNavigate()
  const online = useOnline()
  const [asks, setAsks] = useState(false)
  const { name, email, photo } = usePerson()
  const role = findSessionRole(useSession()) ?? 'guest'
  const leave = async () => {
    await signOut()
    await navigate('/', { replace: true })
  }
  // A guest who signs out at the gate without a network loses the tickets and cannot sign in again.
  const losesTickets = role === 'guest' && !online
  return (
    <>
      <Menu
        trigger={
          <button type="button" className={styles.trigger}>
            <Avatar name={name} photo={photo} size={36} />
            <span className="spoken">{header.menu(name)}</span>
            <span className={styles.who} aria-hidden="true">
              <span className={styles.name}>{name}</span>
              <span className="soft">{header.roles[role] ?? role}</span>
            </span>
          </button>
        }
      >
        <MenuHeading>
          <span className={styles.name}>{name}</span>
          <span className="soft">{email}</span>
          <RoleBadge role={role} label={header.roles[role] ?? role} />
        </MenuHeading>
        <MenuSeparator />
        <MenuLink icon={<LayoutDashboard />} render={<Link to="/dashboard" />}>
          {header.dashboard}
        </MenuLink>
        {role === 'guest' ? (
          <MenuLink icon={<Ticket />} render={<Link to={`${HOMES.guest}?view=tickets`} />}>
            {header.myTickets}
          </MenuLink>
        ) : null}
        {role === 'qrchecker' ? (
          // Another shell: a plain link, so that the browser loads it.
          <MenuLink icon={<ScanLine />} render={<a href={HOMES.qrchecker}>{header.qrScanner}</a>}>
            {header.qrScanner}
          </MenuLink>
        ) : null}
        {role === 'admin' || role === 'manager' ? (
          <MenuLink icon={<Users />} render={<Link to={`${HOMES[role]}/users`} />}>
            {header.manageUsers}
          </MenuLink>
        ) : null}
        <MenuSeparator />
        <MenuItem
          icon={<LogOut />}
          disabled={signingOut}
          keepOpen={!losesTickets}
          onSelect={() => (losesTickets ? setAsks(true) : void leave())}
        >
          {signingOut ? header.signingOut : header.signOut}
        </MenuItem>
      </Menu>
      {asks ? (
        <Suspense fallback={null}>
          <LeavingOffline busy={signingOut} onConfirm={() => void leave()} onCancel={() => setAsks(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

const LeavingOffline = (props: { busy: boolean; onConfirm: () => void; onCancel: () => void }) => {
  const { header } = useWords()
  const { signOutOffline: words } = useAuthWords()
  return (
    <ConfirmDialog
      open
      title={words.title}
      confirmLabel={props.busy ? header.signingOut : header.signOut}
      cancelLabel={words.stay}
      tone="danger"
      {...props}
    >
      <p>{words.text}</p>
    </ConfirmDialog>
  )
}
