import { DESK } from '@garba/shared/messages/desk'
import { ListChecks } from 'lucide-react'
import { Button } from '../../kit/Button.tsx'
import { SelectionBar } from '../frame/SelectionBar.tsx'

const words = DESK.tickets

interface TicketSelectionBarProps {
  count: number
  onBulk: () => void
  onClear: () => void
}

export const TicketSelectionBar = ({ count, onBulk, onClear }: TicketSelectionBarProps) =>
  count === 0 ? null : (
    <SelectionBar told={words.selected(count)} clearLabel={words.clearSelection} onClear={onClear}>
      <Button size="sm" tone="primary" icon={<ListChecks aria-hidden="true" />} onClick={onBulk}>
        {words.bulk}
      </Button>
    </SelectionBar>
  )
