import { DEVICE_BLOCK_MAX, DEVICE_CODES_MAX } from '@garba/shared/constants'
import type { NamedType } from '@garba/shared/contracts/types/ticketType'
import { formatCount } from '@garba/shared/messages/language'
import { readQuantity } from '@garba/shared/rules/orders/sale'
import { pickTypeName } from '@garba/shared/rules/types/ticketTypes'
import { PackagePlus, Undo2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { toast } from 'sonner'
import { Button } from '../../../kit/Button.tsx'
import { TextField } from '../../../kit/Field.tsx'
import { useLanguage } from '../../../platform/language.ts'
import { serverNow } from '../../../platform/net/clock.ts'
import { formatScannerTime } from '../../core/moment.ts'
import { usePairingRow } from '../../core/pairing.ts'
import { codesIn, isTypeOffered, listBlocksOfType, listSellableBlocks } from '../../core/sale.ts'
import { useStored } from '../../store/useStored.ts'
import { returnUnsoldCodes, takeCodes } from '../../sync/blocks.ts'
import { SELL_HERE } from '../../texts/sell.ts'
import frame from '../evening/GateScreen.module.css'
import { TypeSelect } from './SellForm.tsx'
import styles from './SellScreen.module.css'
import { useAct } from './useSell.ts'

const words = SELL_HERE.stock
const FIRST_SIZE = '20'

export const SellStock = ({ isOffline }: { isOffline: boolean }) => {
  const language = useLanguage((state) => state.language)
  const blocks = useStored((store) => store.blocks)
  const types = useStored((store) => store.types)
  const open = listSellableBlocks(blocks, serverNow())
  const taking = useAct(words.takeFailed)
  const returning = useAct(words.returnFailed)
  const left = codesIn(open)
  const waits = blocks.some(({ returning }) => returning)
  const until = usePairingRow()?.device.endsAt ?? null

  const giveBack = async () => {
    if (!(await returnUnsoldCodes())) toast.warning(words.waits)
  }

  return (
    <section className={frame.card} aria-labelledby="stock">
      <h2 id="stock">{words.title}</h2>
      <p className={styles.count} role="status">
        <span>{words.count}:</span> <strong data-testid="stock">{formatCount(left)}</strong>
      </p>
      {types.map((type) => {
        const own = codesIn(listBlocksOfType(open, type))
        return own === 0 ? null : (
          <p key={type.id} className={frame.soft}>
            {pickTypeName(type.name, language)}: {formatCount(own)}
          </p>
        )
      })}
      {left === 0 && isOffline ? null : (
        <p className={frame.soft}>
          {left === 0 ? words.none : until === null ? null : words.lease(formatScannerTime(until))}
        </p>
      )}
      {waits ? <p className={frame.soft}>{words.waits}</p> : null}
      {isOffline ? (
        <p className={frame.soft}>{words.needsNetwork}</p>
      ) : (
        <>
          <Taking
            room={Math.min(DEVICE_BLOCK_MAX, DEVICE_CODES_MAX - codesIn(blocks))}
            busy={taking.busy}
            disabled={returning.busy}
            onTake={(size, type) => void taking.act(() => takeCodes(size, type))}
          />
          {left === 0 ? null : (
            <Button
              icon={<Undo2 />}
              busy={returning.busy}
              disabled={taking.busy}
              onClick={() => void returning.act(giveBack)}
            >
              {returning.busy ? words.returning : words.giveBack}
            </Button>
          )}
        </>
      )}
    </section>
  )
}

interface TakingProps {
  room: number
  busy: boolean
  disabled: boolean
  onTake: (size: number, type?: string) => void
}

const Taking = ({ room, busy, disabled, onTake }: TakingProps) => {
  const known = useStored((store) => store.types)
  const types = known.filter((type) => type.admits === 1 && isTypeOffered(type))
  const [chosen, setChosen] = useState<NamedType | null>(null)
  const type = types.find(({ id }) => id === chosen?.id) ?? types[0]
  const [typed, setTyped] = useState(FIRST_SIZE)
  const size = readQuantity(typed)
  const isWrong = size === null || size < 1 || size > room
  const take = (event: FormEvent) => {
    event.preventDefault()
    if (!isWrong && !busy && !disabled) onTake(size, type?.id)
  }
  if (known.length > 0 && !type) return <p className={frame.soft}>{SELL_HERE.noTypes}</p>
  if (room <= 0) return <p className={frame.soft}>{words.full}</p>
  return (
    <form className={styles.taking} onSubmit={take} noValidate>
      {type ? <TypeSelect types={types} value={type.id} disabled={busy} onChange={setChosen} /> : null}
      <TextField
        label={words.size}
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        error={isWrong ? words.sizeWrong(room) : undefined}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button type="submit" icon={<PackagePlus />} busy={busy} disabled={isWrong || disabled}>
        {busy ? words.taking : words.take}
      </Button>
    </form>
  )
}
