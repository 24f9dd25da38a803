import { DESK } from '@garba/shared/messages/desk'
import { useUser } from '../../platform/identity/session.ts'
import { BankingLinks } from '../banking/BankingLinks.tsx'
import { DeskFrame } from '../frame/DeskFrame.tsx'
import { AttentionCard } from './AttentionCard.tsx'
import { BooksCard } from './BooksCard.tsx'
import { CashSessionsCard } from './CashSessionsCard.tsx'
import { TotalsCard } from './TotalsCard.tsx'

/** Whether money, tickets and seats agree, and what came in. Managers see Books and totals alone (DECISIONS 7). */
export default function MoneyView() {
  const isAdmin = useUser()?.role === 'admin'
  return (
    <DeskFrame title={DESK.titles.money} byEvent actions={isAdmin ? <BankingLinks /> : undefined}>
      <BooksCard linked={isAdmin} />
      {isAdmin ? <AttentionCard /> : null}
      <TotalsCard />
      {isAdmin ? <CashSessionsCard /> : null}
    </DeskFrame>
  )
}
