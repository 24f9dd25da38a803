import { REASON_MAX, REQUEST_RETRIES } from '@garba/shared/constants'
import { GUEST_LIST } from '@garba/shared/messages/order'
import { useState } from 'react'
import { Banner } from '../../kit/Banner.tsx'
import { Card } from '../../kit/Card.tsx'
import { countCharacters, TextField } from '../../kit/Field.tsx'
import { type AnswerOf, callServer } from '../../platform/http/call.ts'
import { FileButton } from '../banking/FileButton.tsx'
import { readStatementFile } from '../banking/readStatementFile.ts'
import { SaveDialog } from '../frame/SaveDialog.tsx'
import { useChange } from '../frame/useChange.ts'
import { DESK } from '../texts/desk.ts'
import { GUEST_IMPORT } from '../texts/event.ts'
import styles from './GuestListCard.module.css'

const words = GUEST_IMPORT

interface ChosenList extends AnswerOf<'readGuestList'> {
  csv: string
  name: string
}

export const GuestListCard = ({ eventId }: { eventId: string }) => {
  const [chosen, setChosen] = useState<ChosenList | null>(null)
  const read = useChange({
    send: async (file: File) => {
      const text = await readStatementFile(file, GUEST_LIST)
      return 'problem' in text
        ? text
        : { ...(await callServer('readGuestList', { body: text })), ...text, name: file.name }
    },
    notMade: (answer) => ('problem' in answer ? answer.problem : null),
    failed: (reason) => reason,
    stale: [],
  })
  return (
    <Card title={words.title}>
      <div className="stack-3">
        <p className="soft">{words.intro}</p>
        <div>
          <FileButton
            words={words}
            busy={read.isPending}
            onFile={(file) =>
              read.mutate(file, { onSuccess: (answer) => ('problem' in answer ? undefined : setChosen(answer)) })
            }
          />
        </div>
      </div>
      {chosen === null ? null : <ImportDialog list={chosen} eventId={eventId} onClose={() => setChosen(null)} />}
    </Card>
  )
}

/** The same list for the same event and reason has the same key, so it gives tickets once, also after a reload. */
async function buildKey(...parts: readonly string[]): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(parts)))
  return Array.from(new Uint8Array(digest).subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const ImportDialog = ({ list, eventId, onClose }: { list: ChosenList; eventId: string; onClose: () => void }) => {
  const [reason, setReason] = useState('')
  const text = reason.trim()
  const give = useChange({
    send: async () => {
      const headers = { 'Idempotency-Key': await buildKey(eventId, text, list.csv) }
      return callServer('importGuestList', { body: { csv: list.csv, reason: text }, headers, retries: REQUEST_RETRIES })
    },
    done: words.done,
    failed: words.failed,
  })
  const missing =
    list.problems > 0
      ? ''
      : text === ''
        ? DESK.missing.reason
        : countCharacters(text) > REASON_MAX
          ? DESK.missing.shorter(REASON_MAX)
          : null
  return (
    <SaveDialog
      words={{ title: list.name, ...words.dialog }}
      description={words.sum(list.guests.length, list.tickets)}
      note={words.note}
      busy={give.isPending}
      missing={missing}
      onSave={() => give.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      {list.problems === 0 ? (
        <TextField label={words.reason} value={reason} onType={setReason} />
      ) : (
        <Banner tone="bad" live="alert">
          {words.problems(list.problems)}
        </Banner>
      )}
      <table className={styles.guests} aria-label={words.lines}>
        <thead>
          <tr>
            <th>{words.columns.line}</th>
            <th>{words.columns.name}</th>
            <th>{words.columns.tickets}</th>
            <th>{words.columns.contact}</th>
          </tr>
        </thead>
        <tbody>
          {list.guests
            .toSorted((a, b) => Number(b.problem !== null) - Number(a.problem !== null) || a.line - b.line)
            .map(({ line, name, quantity, email, phone, problem }) => (
              <tr key={line}>
                <td>{line}</td>
                <td>
                  {name}
                  {problem === null ? null : <p className={styles.problem}>{problem}</p>}
                </td>
                <td>{quantity}</td>
                <td>{[email, phone].filter(Boolean).join(', ')}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </SaveDialog>
  )
}
