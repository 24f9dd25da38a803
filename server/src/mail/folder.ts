import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DemoMail } from '@garba/shared/contracts/common'
import type { Attachment } from 'postal-mime'
import { getErrorCode } from '../errorCode.ts'
import { buildMailOptions, type Mailer } from './mails.ts'

const FILE = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.(.+)\.eml$/

async function filesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder))
      .filter((name) => FILE.test(name))
      .sort()
      .reverse()
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return []
    throw error
  }
}

/** Writes each mail once to a file that only its owner can read, named by time and key. */
export function folderMailer({ folder, from }: { folder: string; from: { name: string; address: string } }): Mailer {
  return {
    async send(letter, dispatch) {
      const key = dispatch.key.replaceAll(':', '.')
      if ((await filesIn(folder)).some((name) => FILE.exec(name)?.[1] === key)) return { outcome: 'accepted' }
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
      const { message } = await transport.sendMail(buildMailOptions(letter, dispatch, from))
      if (!Buffer.isBuffer(message)) throw new TypeError('The mail did not come as one piece')
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const half = join(folder, `${randomUUID()}.half`)
      await writeFile(half, message, { mode: 0o600 })
      await rename(half, join(folder, `${dispatch.at.toISOString().replaceAll(/[:.]/g, '-')}.${key}.eml`))
      return { outcome: 'accepted' }
    },
  }
}

type WrittenMail = Omit<DemoMail, 'at'> & { at: Date }

export async function writtenMails(folder: string, { limit }: { limit: number }): Promise<WrittenMail[]> {
  const names = (await filesIn(folder)).slice(0, limit)
  return Promise.all(names.map((name) => writtenMail(folder, name)))
}

async function parsed(file: string) {
  const { default: PostalMime } = await import('postal-mime')
  return PostalMime.parse(await readFile(file))
}

async function writtenMail(folder: string, name: string): Promise<WrittenMail> {
  const { to, subject, date, text, html, attachments } = await parsed(join(folder, name))
  return {
    id: name,
    to: (to ?? []).map(({ name, address }) => (name ? `${name} <${address}>` : address)).join(', '),
    subject: subject ?? '',
    at: new Date(date ?? 0),
    text: text ?? '',
    html: attachments.reduce(withPicture, html ?? ''),
  }
}

const withPicture = (html: string, { contentId, mimeType, content }: Attachment): string =>
  contentId && content instanceof ArrayBuffer
    ? html.replaceAll(
        `cid:${contentId.replaceAll(/[<>]/g, '')}`,
        `data:${mimeType};base64,${Buffer.from(content).toString('base64')}`,
      )
    : html

export async function forgetMails(folder: string, addresses: readonly string[]): Promise<void> {
  for (const name of addresses.length === 0 ? [] : await filesIn(folder)) {
    const file = join(folder, name)
    const { to } = await parsed(file)
    if (to?.some(({ address }) => addresses.includes(address?.toLowerCase() ?? ''))) await unlink(file)
  }
}
