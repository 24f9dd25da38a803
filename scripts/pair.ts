import { DEVICE_NAME_MAX, PAIRING_CODE_MS } from '@garba/shared/constants'
import { RIGHTS } from '@garba/shared/contracts/names'
import { plainName } from '@garba/shared/contracts/personName'
import { createDevice } from '../server/src/flows/devices/createDevice.ts'
import { qrLines } from '../server/src/flows/devices/qrLines.ts'
import { withDatabase } from './lib/database.ts'
import { command, UsageError } from './lib/say.ts'
import { settingsHere } from './lib/settings.ts'

const USAGE = `Pairs a phone without anybody signing in, with every right, until six hours after the event.
  npm run pair -- "NAME"       makes a device of that name and shows its code, as text and as QR`

const nameFrom = ([name = '', ...rest]: readonly string[]): string => {
  const plain = plainName(name)
  if (plain === '' || plain.length > DEVICE_NAME_MAX || rest.length > 0) throw new UsageError(USAGE)
  return plain
}

await command(async () => {
  const name = nameFrom(process.argv.slice(2))
  const settings = settingsHere()
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
