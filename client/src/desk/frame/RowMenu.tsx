import { Copy, Ellipsis, type LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'
import { copyText } from '../../kit/copyText.ts'
import { IconButton } from '../../kit/IconButton.tsx'
import { GroupTrigger, MenuGroup, MenuItem, MenuLink } from '../../kit/Menu.tsx'
import { Table, Th } from '../../kit/Table.tsx'
import { DESK } from '../texts/desk.ts'

export const MenuTable = ({ head, ...table }: ComponentProps<typeof Table>) => (
  <MenuGroup>
    <Table
      head={
        <>
          {head}
          <Th place="action">
            <span className="spoken">{DESK.rowMenus}</span>
          </Th>
        </>
      }
      {...table}
    />
  </MenuGroup>
)

export const RowMenu = ({ label, children }: { label: string; children: ReactNode }) => (
  <GroupTrigger trigger={<IconButton label={label} icon={<Ellipsis />} />}>{children}</GroupTrigger>
)

interface CopyItemProps {
  text: string
  toast: string
  children: ReactNode
}

export const CopyItem = ({ text, toast: copied, children }: CopyItemProps) => (
  <MenuItem icon={<Copy />} onSelect={() => void copyText(text, { copied, failed: DESK.notCopied })}>
    {children}
  </MenuItem>
)

export const PlaceItem = ({ to, Icon, children }: { to: string; Icon: LucideIcon; children: ReactNode }) => (
  <MenuLink icon={<Icon />} render={<Link to={to} />}>
    {children}
  </MenuLink>
)
