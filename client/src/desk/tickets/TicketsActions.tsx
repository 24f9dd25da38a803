import { DESK } from '@garba/shared/messages/desk'
import { Download, ListChecks } from 'lucide-react'
import { Button } from '../../kit/Button.tsx'
import { useExport } from './useExport.ts'

const words = DESK.tickets

export const TicketsActions = ({ onBulk }: { onBulk: () => void }) => {
  const { mutate, isPending, variables } = useExport()
  return (
    <>
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
