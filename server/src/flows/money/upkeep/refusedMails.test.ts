import type { SMTPServerOptions } from 'smtp-server'
import { expect, test } from 'vitest'
import { mailsRefused } from '../../../doctor/inside.ts'
import type { Mailer } from '../../../mail/mails.ts'
import { must } from '../../../testing/desk.ts'
import { makeMailServer } from '../../../testing/mailServer.ts'
import { linkOf, ordered, payingWorld, settleMoney } from '../../../testing/money.ts'
import { person } from '../../../testing/scenes.ts'
import { updateAlarms } from '../../watch/alarms.ts'
import { runJobs } from './jobs.ts'

async function mailingWorld(options?: SMTPServerOptions) {
  const { smtpUrl, mails } = await makeMailServer(options)
  return {
    world: await payingWorld({ settings: { SMTP_URL: smtpUrl, MAIL_FROM: 'Garba <tickets@example.org>' } }),
    mails,
  }
}

test('a relay that refuses every mail raises an alarm that names it, and the desk sends all mails again', async () => {
  let open = false
  const { world, mails } = await mailingWorld({
    onRcptTo(_address, _session, done) {
      if (open) done(null)
      else done(Object.assign(new Error('5.7.1 <guest@garba.test>: Relay access denied'), { responseCode: 554 }))
    },
  })
  const admin = await world.as('admin')
  for (const name of ['Radha', 'Meera', 'Kajal']) {
    const { code } = await ordered(await world.as('guest', person(name)))
    world.double.pay(linkOf(world, code))
    await settleMoney(world)
  }
  expect(mails).toEqual([])
  await updateAlarms({ ...world.deps, alerts: null })
  const { system } = (await must(admin.request('GET', '/api/admin/gate'))).data as { system: { detail: string }[] }
  const said = '127.0.0.1 has not taken the last 3 emails (554 5.7.1).'
  expect(system).toMatchObject([{ name: 'Emails', detail: said }])
  expect(await world.store.read(mailsRefused)).toMatchObject({ status: 'failure', detail: said })
  expect((await must(admin.request('GET', '/api/admin/system/health'))).data).toMatchObject({ refusedMails: 3 })
  // One of them had been given up.
  await world.sql("update jobs set ended_at = 1, gave_up = 1 where id = (select min(id) from jobs where kind = 'mail')")
  open = true
  expect(await must(admin.request('POST', '/api/admin/mails/again'))).toMatchObject({ mails: 3 })
  await runJobs(world.deps, 'mail')
  expect(mails).toHaveLength(3)
  await updateAlarms({ ...world.deps, alerts: null })
  expect((await must(admin.request('GET', '/api/admin/gate'))).data).not.toHaveProperty('system.0')
  expect((await must(admin.request('GET', '/api/admin/system/health'))).data).toMatchObject({ refusedMails: 0 })
})

test('a relay that calls every address invalid, as OpenSMTPD does, raises the alarm too, and its mails are sent again', async () => {
  let open = false
  const { world, mails } = await mailingWorld({
    onRcptTo({ address }, _session, done) {
      if (open) done(null)
      else done(Object.assign(new Error(`Invalid recipient: <${address}>`), { responseCode: 550 }))
    },
  })
  const admin = await world.as('admin')
  const health = async () => (await must(admin.request('GET', '/api/admin/system/health'))).data
  for (const [n, name] of ['Radha', 'Meera', 'Kajal'].entries()) {
    // Some addresses do not exist.
    expect(await health()).toMatchObject({ refusedMails: 0 })
    const { code } = await ordered(await world.as('guest', person(name)))
    world.double.pay(linkOf(world, code))
    await settleMoney(world)
    expect(await world.sql('select gave_up as ended from jobs where gave_up = 1')).toHaveLength(n + 1)
  }
  expect(await world.store.read(mailsRefused)).toMatchObject({
    detail: '127.0.0.1 has not taken the last 3 emails (550).',
  })
  expect(await health()).toMatchObject({ refusedMails: 3 })
  open = true
  expect(await must(admin.request('POST', '/api/admin/mails/again'))).toMatchObject({ mails: 3 })
  await runJobs(world.deps, 'mail')
  expect(mails).toHaveLength(3)
  expect(await health()).toMatchObject({ refusedMails: 0 })
})

test('a mail that was sent whole but not answered waits an hour, because the server may have taken it', async () => {
  const { world } = await mailingWorld()
  const guest = await world.as('guest')
  const { code } = await ordered(guest)
  world.double.pay(linkOf(world, code))
  await world.double.run()
  await runJobs(world.deps, 'money')
  const send: Mailer['send'] = async () => ({ outcome: 'retry', why: 'ETIMEDOUT', isPerhapsTaken: true })
  await runJobs({ ...world.deps, mailer: { send } }, 'mail')
  const [job] = (await world.sql("select due_at as due from jobs where kind = 'mail'")) as { due: number }[]
  expect(Number(job?.due) - world.clock.now().getTime()).toBe(3_600_000)
})
