import type { GarbaEvent } from '@garba/shared/contracts/event'
import { formatRupees } from '@garba/shared/rules/money'
import type { SaleState } from '@garba/shared/rules/sale'
import { Ticket, User, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../kit/Button.tsx'
import { Card } from '../../kit/Card.tsx'
import { OFFLINE_NOTE } from '../data/DataAge.tsx'
import { useWords } from '../words.ts'
import styles from './GetTickets.module.css'

interface GetTicketsProps {
  event: GarbaEvent | null
  /** null while the event is unknown. */
  sale: SaleState | null
  online: boolean
  onBuy: () => void
}

/** "Get Your Tickets" of SPEC 2: both price tiers, and the button, or Event Sold Out. */
export const GetTickets = ({ event, sale, online, onBuy }: GetTicketsProps) => {
  const { buy } = useWords()
  const saving = event === null ? 0 : event.ticketPrice - event.groupPrice4
  return (
    <Card title={buy.title} className={styles.card ?? ''}>
      {event === null ? null : (
        <ul className={styles.tiers}>
          <Tier
            icon={<User aria-hidden="true" />}
            name={buy.individual}
            range={buy.individualRange}
            price={event.ticketPrice}
          />
          <Tier
            icon={<Users aria-hidden="true" />}
            name={buy.group}
            range={buy.groupRange}
            price={event.groupPrice4}
            note={saving > 0 ? buy.saveEach(formatRupees(saving)) : null}
          />
        </ul>
      )}
      <div className={styles.act}>
        {sale === 'over' ? <p className={styles.over}>{buy.closed}</p> : null}
        <Button
          block
          size="lg"
          tone="primary"
          icon={sale === 'open' ? <Ticket aria-hidden="true" /> : null}
          disabled={!online || sale !== 'open'}
          aria-describedby={online ? undefined : OFFLINE_NOTE}
          onClick={onBuy}
        >
          {sale === 'soldOut' ? buy.soldOut : sale === 'over' ? buy.salesOver : buy.button}
        </Button>
      </div>
    </Card>
  )
}

interface TierProps {
  icon: ReactNode
  name: string
  range: string
  price: number
  note?: string | null
}

const Tier = ({ icon, name, range, price, note = null }: TierProps) => {
  const { buy } = useWords()
  return (
    <li className={styles.tier}>
      {icon}
      <span className={styles.words}>
        <span className={styles.name}>{name}</span>
        <span className={styles.soft}>{range}</span>
        {note === null ? null : <span className={styles.note}>{note}</span>}
      </span>
      <span className={styles.price}>
        <span className={styles.rupees}>{formatRupees(price)}</span>
        <span className={styles.soft}>{buy.each}</span>
      </span>
    </li>
  )
}
