import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'

export interface MailServer {
  smtpUrl: string
  /** What it took, oldest first. */
  mails: Email[]
}

/** An SMTP server in this process, gone when the test ends or when `whenOver` says. */
export async function makeMailServer(
  options: SMTPServerOptions = {},
  whenOver: (undo: () => Promise<void>) => void = onTestFinished,
  host = '127.0.0.1',
): Promise<MailServer> {
  const mails: Email[] = []
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    hideSTARTTLS: true,
    disableReverseLookup: true,
    closeTimeout: 1,
    onData(stream, _session, done) {
      readWhole(stream).then((mail) => {
        mails.push(mail)
        done()
      }, done)
    },
    ...options,
  })
  // A client that gives up is part of the tests.
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  whenOver(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  return { smtpUrl: `smtp://127.0.0.1:${port}`, mails }
}

async function readWhole(stream: AsyncIterable<Uint8Array>): Promise<Email> {
  const parts: Uint8Array[] = []
  for await (const part of stream) parts.push(part)
  return PostalMime.parse(Buffer.concat(parts))
}
