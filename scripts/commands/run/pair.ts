import { existsSync } from 'node:fs'
import { DEVICE_NAME_MAX, MINUTE_MS, PAIRING_CODE_MS } from '@garba/shared/constants'
import { RIGHTS } from '@garba/shared/contracts/names'
import { plainName } from '@garba/shared/contracts/people/personName'
import { createDevice, qrLines } from '../../../server/src/flows/phones/pairDevice.ts'
import { rehearsalSettings, settingsHere, withDatabase } from '../../lib/database.ts'
import { runCommand, UsageError } from '../../lib/say.ts'
import { SetUpError } from '../../setup.mjs'

await runCommand('pair', async ({ words: [given = ''], has }) => {
  const name = plainName(given)
  if (name === '' || [...name].length > DEVICE_NAME_MAX) throw new UsageError()
  const settings = has('rehearsal') ? rehearsalSettings(settingsHere()) : settingsHere()
  if (has('rehearsal') && !existsSync(settings.databaseFile))
    throw new SetUpError('There is no rehearsal yet: make it with npm run rehearse')
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
    console.log(
      `The code for ${name} is ${pairing.code}. It works once, within ${PAIRING_CODE_MS / MINUTE_MS} minutes.`,
    )
  })
})
