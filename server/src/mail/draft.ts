import type { Language } from '@garba/shared/messages/language'

/** A mail's content before it becomes text and HTML. User input is in it as typed. */
export interface Draft {
  language: Language
  subject: string
  title: string
  parts: readonly Part[]
  /** Small print at the end. */
  foot: readonly string[]
}

export type Part =
  | { type: 'text'; text: string }
  /** Another person's words, over several lines. */
  | { type: 'quote'; text: string }
  | { type: 'facts'; facts: readonly Fact[] }
  /** A sum, with its result last. */
  | { type: 'sum'; rows: readonly Fact[]; result: Fact }
  | { type: 'tickets'; tickets: readonly DraftTicket[] }
  | { type: 'button'; label: string; href: string }

export interface Fact {
  label: string
  value: string
}

export interface DraftTicket {
  /** A title such as "Ticket 7K3F9Q2M". */
  title: string
  name: string
  cid: string
  alt: string
}
