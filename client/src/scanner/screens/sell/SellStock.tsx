import { DEVICE_BLOCK_MAX, DEVICE_CODES_MAX } from '@garba/shared/constants'
import { formatCount } from '@garba/shared/messages/language'
import { readQuantity } from '@garba/shared/rules/orders/sale'
import { PackagePlus, Undo2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { toast } from 'sonner'
import { Button } from '../../../kit/Button.tsx'
import { TextField } from '../../../kit/Field.tsx'
import { isFailure, messageOf } from '../../../platform/http/failure.ts'
import { serverNow } from '../../../platform/net/clock.ts'
import { timeTextOf } from '../../core/moment.ts'
import { codesIn, openBlocks } from '../../core/sale.ts'
import { useStored } from '../../store/useStored.ts'
import { returnCodes, takeCodes } from '../../sync/blocks.ts'
import { SELL_HERE } from '../../texts/sell.ts'
import frame from '../evening/GateScreen.module.css'
import { showTrouble } from '../scan/showTrouble.ts'
import styles from './Sell.module.css'

const words = SELL_HERE.stock
const FIRST_SIZE = '20'

/** Codes that this phone holds for selling without a network: taking some, and giving back what is unsold. */
export const SellStock = ({ isOffline }: { isOffline: boolean }) => {
  const blocks = useStored((store) => store.blocks)
  const open = openBlocks(blocks, serverNow())
  const [busy, setBusy] = useState<'take' | 'return' | null>(null)
  const left = codesIn(open)
  const waits = blocks.some(({ returning }) => returning)
  const until = open.map(({ leaseUntil }) => leaseUntil).toSorted()[0]

  const act = async (what: 'take' | 'return', does: () => Promise<void>, failed: (reason: string) => string) => {
    setBusy(what)
    try {
      await does()
    } catch (error) {
      if (isFailure(error)) toast.error(failed(messageOf(error)))
      else showTrouble(error)
    }
    setBusy(null)
  }
  const take = (size: number) => act('take', () => takeCodes(size), words.takeFailed)
  const giveBack = () =>
    act(
      'return',
      async () => {
        if (!(await returnCodes())) toast.warning(words.waits)
      },
      words.returnFailed,
    )

  return (
    <section className={frame.card} aria-labelledby="stock">
      <h2 id="stock">{words.title}</h2>
      <p className={styles.count} role="status">
        <span>{words.count}:</span> <strong data-testid="stock">{formatCount(left)}</strong>
      </p>
      {left === 0 && isOffline ? null : (
        <p className={frame.soft}>{until === undefined || left === 0 ? words.none : words.lease(timeTextOf(until))}</p>
      )}
      {waits ? <p className={frame.soft}>{words.waits}</p> : null}
      {isOffline ? (
        <p className={frame.soft}>{words.needsNetwork}</p>
      ) : (
        <>
          <Taking room={Math.min(DEVICE_BLOCK_MAX, DEVICE_CODES_MAX - codesIn(blocks))} busy={busy} onTake={take} />
          {left === 0 ? null : (
            <Button
              icon={<Undo2 aria-hidden="true" />}
              busy={busy === 'return'}
              disabled={busy === 'take'}
              onClick={() => void giveBack()}
            >
              {busy === 'return' ? words.returning : words.giveBack}
            </Button>
          )}
        </>
      )}
    </section>
  )
}

interface TakingProps {
  /** How many more codes the phone may hold. */
  room: number
  busy: 'take' | 'return' | null
  onTake: (size: number) => Promise<void>
}

const Taking = ({ room, busy, onTake }: TakingProps) => {
  const [typed, setTyped] = useState(FIRST_SIZE)
  const size = readQuantity(typed)
  const isWrong = size === null || size < 1 || size > room
  const take = (event: FormEvent) => {
    event.preventDefault()
    if (!isWrong && busy === null) void onTake(size)
  }
  if (room <= 0) return <p className={frame.soft}>{words.full}</p>
  return (
    <form className={styles.taking} onSubmit={take} noValidate>
      <TextField
        label={words.size}
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        error={isWrong ? words.sizeWrong(room) : undefined}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button
        type="submit"
        icon={<PackagePlus aria-hidden="true" />}
        busy={busy === 'take'}
        disabled={isWrong || busy === 'return'}
      >
        {busy === 'take' ? words.taking : words.take}
      </Button>
    </form>
  )
}
