import { listDevices } from '../../store/devices.ts'
import { type Figures, readFigures } from '../../store/figures.ts'
import { LAST_BACKUP, readMeta } from '../../store/meta.ts'
import { lastEventAt } from '../../store/providerEvents.ts'
import type { StoreLoad } from '../../store/store.ts'
import type { Deps } from '../deps.ts'

const DEVICES_READ = 200
/** A scanner in use calls every 30 seconds; one used this evening and silent for this long has a problem. */
const SILENT_MS = 5 * 60_000
const EVENING_MS = 12 * 3_600_000

export interface SystemFigures extends Figures {
  load: StoreLoad
  devices: { calling: number; silent: number }
  /** Seconds; null when there is none. */
  backupAge: number | null
  webhookAge: number | null
}

/** Figures for a monitor: counts, and the ages of things that should be recent. They hold no names. */
export const systemFigures = ({ store, now }: Pick<Deps, 'store' | 'now'>): Promise<SystemFigures> =>
  store.read(async (tx) => {
    const at = now()
    const seconds = (then: Date) => Math.max(0, (at.getTime() - then.getTime()) / 1_000)
    const backup = await readMeta(tx, LAST_BACKUP)
    const webhook = await lastEventAt(tx)
    const silences = (await listDevices(tx, DEVICES_READ)).map(({ lastSeen }) => at.getTime() - lastSeen.getTime())
    return {
      ...(await readFigures(tx, at)),
      load: store.load(),
      devices: {
        calling: silences.filter((ms) => ms < SILENT_MS).length,
        silent: silences.filter((ms) => ms >= SILENT_MS && ms < EVENING_MS).length,
      },
      backupAge: backup === null ? null : seconds(new Date(backup)),
      webhookAge: webhook === null ? null : seconds(webhook),
    }
  })
