import { describe, expect, test } from 'vitest'
import { calendarFile, escapeText, foldLine } from './calendarFile.ts'

const entry = {
  uid: '01K50000000000000000000FM@tickets.example',
  title: 'Garba Rass 2025; the night, at last',
  place: 'Riverfront Ground, Ahmedabad',
  text: 'Doors: 6 PM\nBring \\ dandiya',
  url: 'https://tickets.example/dashboard/guest',
  startsAt: new Date('2025-09-22T13:00:00.000Z'),
  endsAt: new Date('2025-09-22T17:00:00.000Z'),
  createdAt: new Date('2025-08-01T05:30:00.000Z'),
  changedAt: new Date('2025-08-01T06:30:00.000Z'),
}

const unfold = (file: string) => file.replaceAll('\r\n ', '').split('\r\n')

describe('the calendar file', () => {
  test('tells start and end as instants, whatever zone the calendar is in', () => {
    const lines = unfold(calendarFile(entry))
    expect(lines).toContain('DTSTART:20250922T130000Z')
    expect(lines).toContain('DTEND:20250922T170000Z')
    expect(lines).toContain('DTSTAMP:20250801T063000Z')
    expect(lines).toContain('SEQUENCE:3600')
  })

  test('escapes backslash, semicolon, comma and line breaks', () => {
    const lines = unfold(calendarFile(entry))
    expect(lines).toContain(String.raw`SUMMARY:Garba Rass 2025\; the night\, at last`)
    expect(lines).toContain(String.raw`LOCATION:Riverfront Ground\, Ahmedabad`)
    expect(lines).toContain(String.raw`DESCRIPTION:Doors: 6 PM\nBring \\ dandiya`)
    expect(escapeText('a\r\nb\rc\u0007d')).toBe(String.raw`a\nb\nc d`)
  })

  test('ends every line with CRLF and opens and closes each block once', () => {
    const file = calendarFile(entry)
    expect(file.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    expect(file.endsWith('END:VCALENDAR\r\n')).toBe(true)
    expect(unfold(file).filter((line) => line.startsWith('BEGIN:'))).toEqual(['BEGIN:VCALENDAR', 'BEGIN:VEVENT'])
  })
})

test('a line is folded at 75 octets, between characters of any script', () => {
  const line = `SUMMARY:${'ગરબા રાસ 🪔 '.repeat(20)}`
  const parts = foldLine(line).split('\r\n')
  const octets = (text: string) => new TextEncoder().encode(text).length
  expect(parts.length).toBeGreaterThan(4)
  for (const part of parts) expect(octets(part)).toBeLessThanOrEqual(75)
  expect(parts.slice(1).every((part) => part.startsWith(' '))).toBe(true)
  expect(parts.map((part, index) => (index === 0 ? part : part.slice(1))).join('')).toBe(line)
  expect(foldLine('x'.repeat(75))).toBe('x'.repeat(75))
})
