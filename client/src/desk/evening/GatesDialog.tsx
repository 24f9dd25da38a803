import { DEVICE_NAME_MAX, GATES_MAX } from '@garba/shared/constants'
import type { Gate } from '@garba/shared/contracts/gate'
import { TICKET_KINDS } from '@garba/shared/contracts/names'
import { GATE } from '@garba/shared/messages/gate'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import { Button } from '../../kit/Button.tsx'
import { Checkbox } from '../../kit/Checkbox.tsx'
import { IconButton } from '../../kit/IconButton.tsx'
import { SkeletonLines } from '../../kit/Skeleton.tsx'
import { TextField } from '../../kit/TextField.tsx'
import { call } from '../../platform/http/call.ts'
import { messageOf } from '../../platform/http/failure.ts'
import { KEYS, queries } from '../../platform/queries.ts'
import { LoadFailure } from '../frame/LoadFailure.tsx'
import { SaveDialog } from '../frame/SaveDialog.tsx'
import styles from './GatesDialog.module.css'

/** A gate in the form; the key stays when its name is typed. */
type Draft = Gate & { key: string }

const drafted = (gate: Gate): Draft => ({ ...gate, key: crypto.randomUUID() })

/** The gates' names, and the kinds of tickets that each takes. */
export const GatesDialog = ({ onClose }: { onClose: () => void }) => {
  const query = useQuery(queries.gates())
  if (query.data) return <GatesForm stored={query.data.gates} onClose={onClose} />
  return (
    <SaveDialog {...FRAME} busy={false} disabled onSave={onClose} onClose={onClose}>
      <LoadFailure query={query} failed={GATE.loadFailed} />
      {query.isPending ? <SkeletonLines lines={3} label={GATE.loading} /> : null}
    </SaveDialog>
  )
}

const FRAME = { words: GATE.dialog, description: GATE.dialogIntro, note: GATE.dialogNote }

const GatesForm = ({ stored, onClose }: { stored: readonly Gate[]; onClose: () => void }) => {
  const client = useQueryClient()
  const [gates, setGates] = useState(() => stored.map(drafted))
  const save = useMutation({
    mutationFn: (all: Gate[]) => call('saveGates', { body: { gates: all } }),
    onSuccess: () => {
      toast.success(GATE.done)
      onClose()
    },
    onError: (error) => toast.error(GATE.failed(messageOf(error))),
    onSettled: () => void client.invalidateQueries({ queryKey: KEYS.evening }),
  })
  const change = (key: string, set: Partial<Gate>) =>
    setGates(gates.map((gate) => (gate.key === key ? { ...gate, ...set } : gate)))
  return (
    <SaveDialog
      {...FRAME}
      busy={save.isPending}
      disabled={gates.some(({ name }) => name.trim() === '')}
      onSave={() => save.mutate(gates.map(({ name, kinds }) => ({ name: name.trim(), kinds })))}
      onClose={onClose}
    >
      <ul className={styles.gates}>
        {gates.map(({ key, name, kinds }, index) => (
          <li key={key} className={styles.gate}>
            <div className={styles.name}>
              <TextField
                label={GATE.nameOf(index + 1)}
                value={name}
                maxLength={DEVICE_NAME_MAX}
                autoComplete="off"
                onChange={({ target }) => change(key, { name: target.value })}
              />
              <IconButton
                label={GATE.removeOf(index + 1)}
                icon={<X aria-hidden="true" />}
                onClick={() => setGates(gates.filter((gate) => gate.key !== key))}
              />
            </div>
            <div className={styles.kinds}>
              {TICKET_KINDS.map((kind) => (
                <Checkbox
                  key={kind}
                  label={GATE.kinds[kind]}
                  aria-label={GATE.kindOf(kind, index + 1)}
                  checked={kinds.includes(kind)}
                  onChange={({ target }) =>
                    change(key, {
                      kinds: TICKET_KINDS.filter((one) => (one === kind ? target.checked : kinds.includes(one))),
                    })
                  }
                />
              ))}
            </div>
          </li>
        ))}
      </ul>
      {gates.length < GATES_MAX ? (
        <Button
          size="sm"
          icon={<Plus aria-hidden="true" />}
          onClick={() => setGates([...gates, drafted({ name: '', kinds: [] })])}
        >
          {GATE.add}
        </Button>
      ) : null}
    </SaveDialog>
  )
}
