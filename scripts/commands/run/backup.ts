import { resolve } from 'node:path'
import { backUpDatabase } from '../../../server/src/backups/copies.ts'
import { formatDatabaseName } from '../../../server/src/store/engine/open.ts'
import { formatContents, settingsHere } from '../../lib/database.ts'
import { runCommand } from '../../lib/say.ts'

await runCommand('backup', async ({ words: [file = ''] }) => {
  const settings = settingsHere()
  const copied = await backUpDatabase({ where: settings, file: resolve(file), key: settings.backupKey, at: new Date() })
  if (copied.notNoted !== null) console.log(`The desk and the alarms do not know of this backup: ${copied.notNoted}`)
  const encrypted = settings.backupKey === null ? '' : ', encrypted for BACKUP_KEY'
  console.log(
    `${formatDatabaseName(settings)} is backed up to ${copied.file}: ${formatContents(copied.contents)}${encrypted}.`,
  )
})
