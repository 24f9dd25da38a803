import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeMailServer } from '../testing/mailServer.ts'
import { aMail, MAIL_SITE } from '../testing/mails.ts'
import { composeLetter } from './compose.ts'
import { makeMailer, type Patience, verifyMail } from './mailer.ts'
import type { Dispatch, Letter } from './mails.ts'

const letter = (): Promise<Letter> => composeLetter(aMail('paid'), MAIL_SITE)
const DISPATCH: Dispatch = { key: 'mail:paid:01K50000000000000000000001', at: new Date('2025-09-01T10:00:00.123Z') }
const NO_FOLDER = {
  payments: { on: true },
  mailDir: '',
  demo: false,
  eventTitle: 'Garba',
  supportEmail: 'help@example.org',
}

async function sendTo(smtpUrl: string, { signal, patience }: { signal?: AbortSignal; patience?: Patience } = {}) {
  const mailer = makeMailer({ ...NO_FOLDER, mail: { smtpUrl, from: 'Garba <tickets@example.org>' } }, patience)
  return mailer?.send(await letter(), { ...DISPATCH, ...(signal ? { signal } : {}) })
}

/** A TCP server that talks as the test says. */
async function talker(talk: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    talk(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  return `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

const refusal = (responseCode: number, text = 'no such user <meera@example.org>') =>
  Object.assign(new Error(text), { responseCode })

describe('a server that refuses', () => {
  test('an address for good: bounced, and the reason has no address in it', async () => {
    const { smtpUrl } = await makeMailServer({ onRcptTo: (_address, _session, done) => done(refusal(550)) })
    expect(await sendTo(smtpUrl)).toEqual({ outcome: 'bounced', why: '550' })
  })

  test.each([
    ['550 5.1.1', 'bounced'],
    ['550 5.2.1', 'bounced'],
    ['552 5.2.3', 'bounced'],
    // The sender's address, a relay, a policy, a route and a full mailbox are not the address's fault.
    ['550 5.1.8', 'retry'],
    ['554 5.7.1', 'retry'],
    ['550 5.4.5', 'retry'],
    ['552 5.2.2', 'retry'],
    ['450 4.2.0', 'retry'],
  ])('a recipient with %s: %s', async (status, outcome) => {
    const [code = '', ...words] = status.split(' ')
    const text = `${words.join(' ')} <meera@example.org>: refused`
    const { smtpUrl } = await makeMailServer({
      onRcptTo: (_address, _session, done) => done(refusal(Number(code), text)),
    })
    expect(await sendTo(smtpUrl)).toEqual({ outcome, why: status })
  })

  // As Exim 4.96 writes them, and Postfix 3.7 with its class.
  test.each([
    ['550 relay not permitted', 'retry'],
    ['550 Sender verify failed', 'retry'],
    ['550 Please turn on SMTP Authentication in your mail client', 'retry'],
    ['550 Unrouteable address', 'bounced'],
    ['550 no such person at relay.example.org: <relay@example.org>', 'bounced'],
  ])('a recipient without a class, in the words "%s": %s', async (status, outcome) => {
    const { smtpUrl } = await makeMailServer({
      onRcptTo: (_address, _session, done) => done(refusal(550, status.slice(4))),
    })
    expect(await sendTo(smtpUrl)).toEqual({ outcome, why: '550' })
  })

  test('a mail for good: bounced', async () => {
    const { smtpUrl } = await makeMailServer({
      onData(stream, _session, done) {
        stream.resume()
        stream.on('end', () => done(refusal(554)))
      },
    })
    expect(await sendTo(smtpUrl)).toMatchObject({ outcome: 'bounced' })
  })

  test('for now: again later', async () => {
    const { smtpUrl } = await makeMailServer({ onRcptTo: (_address, _session, done) => done(refusal(451)) })
    expect(await sendTo(smtpUrl)).toEqual({ outcome: 'retry', why: '451' })
  })

  test('the sender or the password: again later, because the address is not to blame', async () => {
    const sender = await makeMailServer({ onMailFrom: (_address, _session, done) => done(refusal(550)) })
    expect(await sendTo(sender.smtpUrl)).toEqual({ outcome: 'retry', why: '550' })
    const password = await makeMailServer({ onAuth: (_auth, _session, done) => done(refusal(535)) })
    expect(await sendTo(password.smtpUrl.replace('//', '//user:secret@'))).toMatchObject({ outcome: 'retry' })
  })
})

describe('a server that is slow or gone', () => {
  const SHORT = { connection: 50, answer: 50, whole: 10_000 }

  test('greets too late: again later', async () => {
    const smtpUrl = await talker(() => undefined)
    expect(await sendTo(smtpUrl, { patience: SHORT })).toEqual({ outcome: 'retry', why: 'ETIMEDOUT' })
  })

  test('keeps talking without an end: again later', async () => {
    const smtpUrl = await talker((socket) => {
      const drip = setInterval(() => socket.write('220-wait\r\n'), 20)
      socket.on('close', () => clearInterval(drip))
    })
    expect(await sendTo(smtpUrl, { patience: { connection: 5_000, answer: 5_000, whole: 100 } })).toMatchObject({
      outcome: 'retry',
    })
  })

  test('does not listen: again later', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const smtpUrl = `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    await new Promise<void>((resolve) => server.close(() => resolve()))
    expect(await sendTo(smtpUrl)).toMatchObject({ outcome: 'retry' })
  })

  test('hangs up after the mail, and takes it the second time: one Message-ID', async () => {
    const mails: string[] = []
    const smtpUrl = await talker((socket) => {
      let mail: string | null = null
      socket.write('220 here\r\n')
      socket.on('data', (data) => {
        if (mail === null) {
          if (data.toString().startsWith('DATA')) mail = ''
          socket.write(mail === null ? '250 OK\r\n' : '354 go on\r\n')
          return
        }
        mail += data.toString()
        if (!mail.endsWith('\r\n.\r\n')) return
        mails.push(mail)
        if (mails.length === 1) socket.destroy()
        else socket.write('250 OK\r\n')
        mail = null
      })
    })
    expect(await sendTo(smtpUrl)).toMatchObject({ outcome: 'retry', isPerhapsTaken: true })
    expect(await sendTo(smtpUrl)).toEqual({ outcome: 'accepted' })
    const ids = await Promise.all(mails.map(async (mail) => (await PostalMime.parse(mail)).messageId))
    expect(ids).toEqual(Array(2).fill('<mail.paid.01K50000000000000000000001@example.org>'))
  })

  test('the server stops while a mail is on its way: again later', async () => {
    const stopping = new AbortController()
    const smtpUrl = await talker(() => stopping.abort())
    expect(await sendTo(smtpUrl, { signal: stopping.signal })).toMatchObject({ outcome: 'retry' })
  })
})

test('a mail server with a certificate that it signed itself is accepted on this machine alone', async () => {
  const certified = { hideSTARTTLS: false }
  const { smtpUrl, mails } = await makeMailServer(certified)
  expect(await sendTo(smtpUrl)).toEqual({ outcome: 'accepted' })
  expect(mails).toHaveLength(1)
  const open = new URL((await makeMailServer(certified, onTestFinished, '0.0.0.0')).smtpUrl)
  // The same machine by an address that could be anywhere.
  open.hostname = '0.0.0.0'
  expect(await sendTo(open.href)).toEqual({ outcome: 'retry', why: 'CERTIFICATE' })
})

test('the doctor is not content with a mail server that asks for no password', async () => {
  const { smtpUrl } = await makeMailServer({ disabledCommands: ['AUTH'] })
  const mail = { smtpUrl: smtpUrl.replace('//', '//user:secret@'), from: 'Garba <tickets@example.org>' }
  const patience = { connection: 5_000, answer: 5_000, whole: 10_000 }
  expect(await verifyMail(mail, patience)).not.toBeNull()
  expect(await verifyMail({ ...mail, smtpUrl }, patience)).toBeNull()
})

test('a login has the user and the password of SMTP_URL, and tells no machine name', async () => {
  const logins: unknown[] = []
  const { smtpUrl, mails } = await makeMailServer({
    authOptional: false,
    onAuth({ username, password }, { hostNameAppearsAs }, done) {
      logins.push({ username, password, hostNameAppearsAs })
      done(null, { user: username })
    },
  })
  expect(await sendTo(smtpUrl.replace('//', '//user%40x:p%25s@'))).toEqual({ outcome: 'accepted' })
  expect(logins).toEqual([{ username: 'user@x', password: 'p%s', hostNameAppearsAs: 'example.org' }])
  expect(mails[0]?.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated')
})

test('without SMTP_URL a demo writes its mails to files for its owner alone, each once; another server has no mailer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'garba-mail-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  chmodSync(folder, 0o755)
  const mailDir = join(folder, 'mail')
  const mailer = makeMailer({ ...NO_FOLDER, mail: null, mailDir, demo: true })
  for (const at of [DISPATCH.at, new Date('2025-09-02T10:00:00Z')])
    expect(await mailer?.send(await letter(), { ...DISPATCH, at })).toEqual({ outcome: 'accepted' })
  expect(readdirSync(mailDir)).toEqual(['2025-09-01T10-00-00-123Z.mail.paid.01K50000000000000000000001.eml'])
  const file = join(mailDir, readdirSync(mailDir)[0] ?? '')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(mailDir).mode & 0o777).toBe(0o700)
  expect(await PostalMime.parse(readFileSync(file))).toMatchObject({
    from: { name: 'Garba', address: 'help@example.org' },
    subject: (await letter()).subject,
  })
  expect(makeMailer({ ...NO_FOLDER, mail: null })).toBeNull()
  expect(makeMailer({ ...NO_FOLDER, payments: { on: false }, mail: null, mailDir, demo: true })).toBeNull()
})
