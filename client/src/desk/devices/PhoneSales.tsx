import type { DeskDevice } from '@garba/shared/contracts/phones/device'
import { formatRupees } from '@garba/shared/rules/money'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { SkeletonRows } from '../../kit/Skeleton.tsx'
import { callServer } from '../../platform/http/call.ts'
import { KEYS, queries } from '../../platform/queries.ts'
import { useDates } from '../frame/dates.ts'
import { LoadFailure } from '../frame/LoadedCard.tsx'
import { NoteDialog } from '../frame/SaveDialog.tsx'
import { useChange, WITH_ORDERS } from '../frame/useChange.ts'
import { ORDERS } from '../texts/orders.ts'
import { PHONE_SALES } from '../texts/phoneSales.ts'
import styles from './DevicesView.module.css'

const words = PHONE_SALES
const STALE = [...WITH_ORDERS, KEYS.devices]

export const PhoneSalesDialog = ({ device, onClose }: { device: DeskDevice; onClose: () => void }) => {
  const { momentOf } = useDates()
  const query = useQuery(queries.phoneSales(device.id))
  const [cancelling, setCancelling] = useState(false)
  const sales = query.data?.sales ?? []
  const orders = sales.map(({ order }) => order)
  const params = { id: device.id }
  const markReviewed = useChange({
    send: () => callServer('lookAtSales', { params, body: { orders } }),
    done: words.looked,
    failed: words.failed,
    stale: STALE,
  })
  const cancel = useChange({
    send: (reason: string) => callServer('cancelPhoneSales', { params, body: { orders, reason } }),
    done: words.cancelled,
    failed: words.failed,
    stale: STALE,
  })
  const tickets = sales.reduce((sum, { quantity }) => sum + quantity, 0)
  const used = sales.reduce((sum, sale) => sum + sale.used, 0)
  const sum = formatRupees(sales.reduce((rupees, { total }) => rupees + total, 0))
  if (cancelling)
    return (
      <NoteDialog
        words={words.dialog(used)}
        description={words.sum(sales.length, tickets, sum)}
        busy={cancel.isPending}
        onSave={(reason) => cancel.mutate(reason, { onSuccess: () => setCancelling(false) })}
        onClose={() => setCancelling(false)}
      />
    )
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title(device.name)}
      busy={markReviewed.isPending}
      footer={
        sales.length === 0 ? (
          <Button onClick={onClose}>{words.close}</Button>
        ) : (
          <>
            <Button
              tone="primary"
              busy={markReviewed.isPending}
              disabled={sales.every(({ isLooked }) => isLooked)}
              onClick={() => markReviewed.mutate()}
            >
              {words.look}
            </Button>
            <Button disabled={markReviewed.isPending} onClick={() => setCancelling(true)}>
              {words.cancel}
            </Button>
          </>
        )
      }
    >
      <LoadFailure query={query} failed={words.loadFailed} />
      {query.isPending ? <SkeletonRows label={words.loading} /> : null}
      {query.data && sales.length === 0 ? <p>{words.none}</p> : null}
      {sales.length === 0 ? null : (
        <div className="stack-4">
          <p>{words.text}</p>
          {used > 0 ? <Banner tone="warn" title={words.used(used)} /> : null}
          <ul className={styles.sales}>
            {sales.map(({ order, method, at, quantity, total, number, isHeld, isLooked, seller }) => (
              <li key={order}>
                <Link to={`../orders/${order}`}>{order}</Link>
                <span>
                  {words.sale({ method: ORDERS.providers[method], quantity, total: formatRupees(total), number })}
                </span>
                <span className="soft">
                  {[seller, momentOf(at), isHeld && words.held, isLooked && words.isLooked].filter(Boolean).join(', ')}
                </span>
              </li>
            ))}
          </ul>
          <p>
            <strong>{words.sum(sales.length, tickets, sum)}</strong>
          </p>
        </div>
      )}
    </Dialog>
  )
}
