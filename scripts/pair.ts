import { DEVICE_NAME_MAX, PAIRING_CODE_MS } from '@garba/shared/constants'
import { RIGHTS } from '@garba/shared/contracts/names'
import { plainName } from '@garba/shared/contracts/personName'
import { createDevice } from '../server/src/flows/devices/createDevice.ts'
import { qrLines } from '../server/src/flows/devices/qrLines.ts'
import { withDatabase } from './lib/database.ts'
import { rehearsalSettings } from './lib/rehearsal.ts'
import { command, UsageError } from './lib/say.ts'
import { settingsHere } from './lib/settings.ts'

const USAGE = `Pairs a phone without anybody signing in, with every right, until six hours after the event.
  npm run pair -- "NAME"                makes a device of that name and shows its code, as text and as QR
  npm run pair -- --rehearsal "NAME"    the same for the rehearsal`

function asked(): { name: string; rehearsal: boolean } {
  const [first, ...others] = process.argv.slice(2)
  const rehearsal = first === '--rehearsal'
  const [name = '', ...rest] = rehearsal ? others : [first, ...others]
  const plain = plainName(name)
  if (plain === '' || plain.length > DEVICE_NAME_MAX || rest.length > 0) throw new UsageError(USAGE)
  return { name: plain, rehearsal }
}

await command(async () => {
  const { name, rehearsal } = asked()
  const settings = rehearsal ? rehearsalSettings(settingsHere()) : settingsHere()
  await withDatabase(settings, async (store) => {
    const deps = {
      store,
      settings,
      now: () => new Date(),
      publicUrl: () => settings.publicUrl ?? `http://localhost:${settings.port}`,
    }
    const by = { id: null, name: 'Command line' }
    const { pairing } = await createDevice(deps, { by, name, gates: [], rights: [...RIGHTS] })
    console.log(`${qrLines(pairing.url)}\n\n${pairing.url}\n`)
    console.log(`The code for ${name} is ${pairing.code}. It works once, within ${PAIRING_CODE_MS / 60_000} minutes.`)
  })
})
