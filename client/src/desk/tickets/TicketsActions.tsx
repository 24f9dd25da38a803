import { DESK } from '@garba/shared/messages/desk'
import { Download, ListChecks, RotateCw } from 'lucide-react'
import { Button } from '../../kit/Button.tsx'
import { useExport } from './useExport.ts'

const words = DESK.tickets

interface TicketsActionsProps {
  refreshing: boolean
  onRefresh: () => void
  onBulk: () => void
}

export const TicketsActions = ({ refreshing, onRefresh, onBulk }: TicketsActionsProps) => {
  const { mutate, isPending, variables } = useExport()
  return (
    <>
      <Button icon={<RotateCw aria-hidden="true" />} busy={refreshing} onClick={onRefresh}>
        {DESK.refresh}
      </Button>
      <Button
        icon={<Download aria-hidden="true" />}
        busy={isPending && variables === 'csv'}
        onClick={() => mutate('csv')}
      >
        {words.exportCsv}
      </Button>
      <Button
        icon={<Download aria-hidden="true" />}
        busy={isPending && variables === 'json'}
        onClick={() => mutate('json')}
      >
        {words.exportJson}
      </Button>
      <Button icon={<ListChecks aria-hidden="true" />} onClick={onBulk}>
        {words.bulk}
      </Button>
    </>
  )
}
