import { expect, test } from 'vitest'
import { readSettings } from '../config.ts'
import { parseSmtpServer } from './mailSettings.ts'

test('mails leave by SMTP_URL from MAIL_FROM, and without both there are none', () => {
  expect(readSettings({}).mail).toBeNull()
  const environment = {
    SMTP_URL: 'smtps://user:p%40ss@mail.example.org',
    MAIL_FROM: 'Garba Rass <tickets@example.org>',
  }
  expect(readSettings(environment)).toMatchObject({
    mail: { smtpUrl: environment.SMTP_URL, from: environment.MAIL_FROM },
    mailDir: expect.stringMatching(/data\/mail$/),
  })
  expect(readSettings({ SMTP_URL: 'smtp://localhost:2525', MAIL_FROM: 'tickets@example.org' }).mail).not.toBeNull()
})

test.each([
  [{ SMTP_URL: 'smtp://user:secret@mail.example.org' }, /^MAIL_FROM is missing/],
  [{ MAIL_FROM: 'tickets@example.org' }, /^SMTP_URL is missing/],
  [{ SMTP_URL: 'https://user:secret@mail.example.org' }, /^SMTP_URL must be/],
  [{ SMTP_URL: 'smtp://user:secret@' }, /^SMTP_URL must be/],
  [{ SMTP_URL: 'smtp://user:100%secret@mail.example.org' }, /^SMTP_URL must be/],
  [{ SMTP_URL: 'smtp://user:secret@mail.example.org?debug=true' }, /^SMTP_URL must be/],
  [{ SMTP_URL: 'smtp://localhost', MAIL_FROM: 'Garba' }, /^MAIL_FROM must be/],
  [{ SMTP_URL: 'smtp://localhost', MAIL_FROM: 'Garba <nonsense>' }, /^MAIL_FROM must be/],
  [{ SMTP_URL: 'smtp://localhost', MAIL_FROM: 'Garba\nBcc: x@y.org <a@b.org>' }, /^MAIL_FROM must be/],
])('mail settings %j are refused, and the password stays out of the sentence', (environment, sentence) => {
  const boot = () => readSettings(environment)
  expect(boot).toThrow(sentence)
  expect(boot).toThrow(/^(?!.*secret)/)
})

test('a password leaves this machine only over TLS', () => {
  const server = (smtpUrl: string) => parseSmtpServer({ smtpUrl, from: '' })
  const auth = { user: 'user', pass: 'p@ss' }
  expect(server('smtps://user:p%40ss@mail.example.org')).toEqual({
    host: 'mail.example.org',
    port: 465,
    secure: true,
    requireTLS: false,
    auth,
  })
  expect(server('smtp://user:p%40ss@mail.example.org')).toMatchObject({ port: 587, requireTLS: true, auth })
  expect(server('smtp://user:p%40ss@[::1]:2525')).toMatchObject({ host: '::1', port: 2525, requireTLS: false })
  expect(server('smtp://relay:25')).toMatchObject({ port: 25, requireTLS: false, auth: null })
})
