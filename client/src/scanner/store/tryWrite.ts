import type { OutboxRow } from '../../platform/store/gateSchema.ts'
import { writeStrict } from './scannerStore.ts'

/**
 * Writes a row of an admission's size to the disk, reads it back and takes it out again, in one strict transaction, so that
 * no replay can ever see it. Throws StorageFailure.
 */
export async function tryWrite(): Promise<void> {
  await writeStrict(['outbox'], async (tx) => {
    const store = tx.objectStore('outbox')
    const seq = await store.add(testRow())
    const back = await store.get(seq)
    if (back?.qrCode?.length !== TEXT_LENGTH) throw new Error('The device did not give back what was written')
    await store.delete(seq)
  })
}

const TEXT_LENGTH = 122

const testRow = (): OutboxRow => ({
  scanId: crypto.randomUUID(),
  ticketId: '',
  qrCode: '0'.repeat(TEXT_LENGTH),
  manual: false,
  scannedAt: new Date().toISOString(),
  clockOffset: 0,
  deviceId: '',
  deviceName: '',
  checkerUid: '',
  checkerId: '',
  checkerName: '',
  name: null,
  attempts: 0,
  undo: false,
  parked: null,
})
