import type { Check } from '../../../server/src/doctor/check.ts'
import { settingsCheck } from '../../../server/src/doctor/inside.ts'
import { runDoctor } from '../../../server/src/doctor/runDoctor.ts'
import { DOCTOR } from '../../../shared/src/messages/doctor.ts'
import { settingsHere } from '../../lib/database.ts'
import { runCommand, UsageError } from '../../lib/say.ts'

const MARKS = { ok: 'ok      ', warning: 'WARNING ', failure: 'FAILURE ' } as const

function print(checks: readonly Check[]): void {
  const width = Math.max(...checks.map(({ name }) => name.length))
  for (const { name, status, detail, cure } of checks) {
    console.log(`${MARKS[status]} ${name.padEnd(width)}  ${detail}`)
    if (cure !== undefined) console.log(`${' '.repeat(MARKS.ok.length + width + 3)}${cure}`)
  }
}

await runCommand('doctor', async ({ has }) => {
  const json = has('json')
  if (json && has('settings')) throw new UsageError()
  const settings = settingsHere()
  if (has('settings')) {
    const check = settingsCheck(settings)
    print([check])
    process.exitCode = check.status === 'failure' ? 1 : 0
    return
  }
  const checks = await runDoctor(settings)
  const count = (status: Check['status']) => checks.filter((check) => check.status === status).length
  const [failures, warnings] = [count('failure'), count('warning')]
  if (json) console.log(JSON.stringify({ ok: failures === 0, checks }, null, 2))
  else {
    print(checks)
    const { ok, warnings: warned, failures: failed } = DOCTOR.result
    console.log(failures > 0 ? failed(failures) : warnings > 0 ? warned(warnings) : ok(checks.length))
  }
  process.exitCode = failures > 0 ? 1 : 0
})
